import { figureReaders } from '../../activities/figures/readers';
import { readDueFigures, latestFigures } from '../../activities/figures/read';
import { zeroOf, type FigureReader } from '../../activities/figures/reader';
import { createFigures } from '../../activities/figures/show';
import { createDatabase } from '../../entities/database/database';
import { databaseFigures } from '../../activities/figures/database';
import { mailFigures } from '../../activities/figures/mails';
import { queueMail } from '../../activities/journal/mail-queue';
import type { MailType } from '../../entities/rules/mail/mail';
import { execute, query, transaction } from '../../entities/database/sql';
import { watchClock } from '../../runtime/process/clock-metric';
import { createMetrics, type Registry } from '../../runtime/observe/metrics';
import { startFigures } from '../../workers/figures';
import { declareMetrics } from '../../workers/metrics';
import { collectSdkMetrics } from '../../workers/temporal/sdk-metrics';
import { useDeps } from '../support/app';
import { asOwner } from '../support/database';
import { eventually, within } from '../support/eventually';
import { startTcpProxy } from '../support/faults/tcp-proxy';

const deps = useDeps();

/** The value of a line of /metrics; undefined where there is none. */
async function valueOf(metrics: Registry, line: string): Promise<number | undefined> {
  const [, value] =
    new RegExp(`^${line.replace(/[{}"]/g, '\\$&')} (\\S+)$`, 'm').exec(await metrics.metrics()) ??
    [];
  return value === undefined ? undefined : Number(value);
}

const atTheStart = [
  'commissions_overdue{process="worker"}',
  'lifecycles_lost_total{process="worker"}',
  'lifecycles_waiting_oldest_seconds{process="worker"}',
  'stripe_events{status="failed",process="worker"}',
  'stripe_oldest_open_seconds{process="worker"}',
  'biller_events_recovered{biller="polar",process="worker"}',
  'mails_total{type="account.reset_password",outcome="try_again",process="worker"}',
  'mails_waiting{topic="notice_mail",process="worker"}',
  'mail_oldest_queued_seconds{topic="mail",process="worker"}',
  'erasures_open{status="locked",process="worker"}',
  'erasure_oldest_open_seconds{process="worker"}',
  'test_resets_open{process="worker"}',
  'ledger_mismatches{process="worker"}',
  'db_oldest_xmin_seconds{process="worker"}',
  'participations_unproven{process="worker"}',
  'outbox_carried_seconds_count{process="worker",topic="mail"}',
  'webhook_first_attempt_seconds_count{process="worker"}',
  'hold_end_late_seconds_count{process="worker"}',
  'schedule_last_success_timestamp_seconds{schedule="repair-mails",process="worker"}',
  'temporal_workflow_task_execution_failed{task_queue="commissions",process="worker"}',
];

describe('figures', () => {
  it.each(atTheStart)('are there from the start, at 0: %s', async (line) => {
    const metrics = createMetrics('worker');
    declareMetrics(metrics);
    createFigures(metrics, figureReaders);
    collectSdkMetrics(metrics);
    expect(await valueOf(metrics, line)).toBe(0);
  });

  it('of every reader are read from the database, and have an age', async () => {
    await execute(deps.db.manager, 'DELETE FROM figures');
    await readDueFigures(deps, figureReaders);
    const found = await latestFigures(deps.db.manager);
    expect(found.map(({ reader }) => reader).sort()).toEqual(
      figureReaders.map(({ reader }) => reader).sort(),
    );
    const known = new Set(figureReaders.flatMap(({ figures }) => figures.map(({ name }) => name)));
    for (const { samples, ageSeconds } of found) {
      expect(samples.filter(({ name }) => !known.has(name))).toEqual([]);
      expect(ageSeconds).toBeLessThan(60);
    }
  });

  it('of mails count those that somebody waits for apart from notices, and name the oldest', async () => {
    const now = new Date();
    const queue = (type: MailType, minutesAgo: number): Promise<string> =>
      transaction(deps.db, (tx) =>
        queueMail(tx, {
          type,
          to: { address: 'a@example.test' },
          at: new Date(now.getTime() - minutesAgo * 60_000),
        }),
      );
    await queue('commission.created', 30);
    await queue('account.reset_password', 1);
    await queue('member.invited', 2);
    const samples = await mailFigures.read(deps.db.manager, { now, clickMonths: 0 });
    const of = (name: string, topic: string): number | undefined =>
      samples.find((one) => one.name === name && one.labels?.['topic'] === topic)?.value;
    expect(of('mails_waiting', 'mail')).toBe(2);
    expect(of('mails_waiting', 'notice_mail')).toBe(1);
    expect(of('mail_oldest_queued_seconds', 'mail')).toBeCloseTo(120, 0);
    expect(of('mail_oldest_queued_seconds', 'notice_mail')).toBeCloseTo(1_800, 0);
  });

  it('of the database tell of a slot that holds the log, and of no archive where there is none', async () => {
    const valueNamed = async (name: string): Promise<number> => {
      const samples = await databaseFigures.read(deps.db.manager, {
        now: new Date(),
        clickMonths: 0,
      });
      return samples.find((one) => one.name === name)?.value ?? NaN;
    };
    const slot = `unread_${process.pid}`;
    const { databaseUrl } = deps.config;
    await asOwner(databaseUrl, `SELECT pg_create_physical_replication_slot('${slot}', true)`);
    try {
      const before = await valueNamed('db_slot_retained_bytes');
      expect(await valueNamed('db_slots_inactive')).toBe(1);
      await execute(
        deps.db.manager,
        `SELECT pg_logical_emit_message(true, 'test', repeat('x', 1000000))`,
      );
      // It counts once it is written, which is no part of a commit here.
      await eventually(
        async () => (await valueNamed('db_slot_retained_bytes')) - before > 900_000 || undefined,
      );
    } finally {
      await asOwner(databaseUrl, `SELECT pg_drop_replication_slot('${slot}')`);
    }
    expect(await valueNamed('db_archive_age_seconds')).toBe(0);
  });

  it("tell a process's clock that is not that of Postgres", async () => {
    const metrics = createMetrics('worker');
    const elevenAhead = { now: () => new Date(Date.now() + 11_000) };
    watchClock({ ...deps, metrics, clock: elevenAhead });
    const line = 'clock_ahead_seconds{process="worker"}';
    await eventually(
      async () => Math.abs(((await valueOf(metrics, line)) ?? 0) - 11) < 1 || undefined,
    );
    watchClock({ ...deps, metrics, clock: { now: () => new Date() } });
    await eventually(async () => Math.abs((await valueOf(metrics, line)) ?? 9) < 1 || undefined);
  });

  it('are read by one process of the fleet, and shown by all', async () => {
    let reads = 0;
    const readers: FigureReader[] = [
      {
        reader: 'test',
        figures: [{ name: 'test_figure', help: 'Test', zeros: zeroOf }],
        read: () => Promise.resolve([{ name: 'test_figure', value: (reads += 1) }]),
      },
    ];
    const processes = [1, 2, 3].map(() => ({ ...deps, metrics: createMetrics('worker') }));
    const running = processes.map((one) =>
      startFigures(one, { readers, everyMs: 60_000, lookMs: 20 }),
    );
    for (const { metrics } of processes) {
      await eventually(
        async () => (await valueOf(metrics, 'test_figure{process="worker"}')) || undefined,
      );
    }
    await Promise.all(running.map((one) => one.stop()));
    expect(reads).toBe(1);
  });

  it('of a reader that fails keep what they were, and those of the others are read', async () => {
    const reader = (name: string, read: FigureReader['read']): FigureReader => ({
      reader: name,
      figures: [{ name, help: 'Test', zeros: zeroOf }],
      read,
    });
    const good = reader('good', () => Promise.resolve([{ name: 'good', value: 2 }]));
    const slow = reader('slow', async (db) => {
      await query(db, 'SELECT pg_sleep(5)');
      return [];
    });
    await within(4_500, readDueFigures(deps, [slow, good]));
    const names = (await latestFigures(deps.db.manager)).map((row) => row.reader);
    expect(names).toContain('good');
    expect(names).not.toContain('slow');
  });

  it('stand while the database does not answer, and their age grows', async () => {
    const target = new URL(deps.config.databaseUrl);
    const proxy = await startTcpProxy({ host: target.hostname, port: Number(target.port) });
    const url = new URL(target);
    url.host = `127.0.0.1:${proxy.port}`;
    const { databasePooler: pooler } = deps.config;
    const db = createDatabase({ url: url.toString(), pooler, poolSize: 2 });
    const metrics = createMetrics('worker');
    const running = startFigures({ ...deps, db, metrics }, { lookMs: 50 });
    const age = (): Promise<number | undefined> =>
      valueOf(metrics, 'figures_age_seconds{reader="analytics",process="worker"}');
    const shown = 'analytics_unfolded{kind="clicks",process="worker"}';
    try {
      await eventually(async () => ((await valueOf(metrics, shown)) === 0 ? true : undefined));
      proxy.freeze();
      const before = (await age()) ?? 0;
      expect(await valueOf(metrics, shown)).toBe(0);
      await eventually(async () => (((await age()) ?? 0) > before + 0.2 ? true : undefined));
    } finally {
      proxy.thaw();
      await running.stop();
      await db.destroy();
      await proxy.close();
    }
  });
});
