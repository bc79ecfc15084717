import { Client, Connection } from '@temporalio/client';
import { Client as Postgres } from 'pg';
import { checkLedger } from '../../activities/maintenance/check-ledger';
import { queueMail } from '../../activities/journal/mail-queue';
import { createDatabase, type Database } from '../../entities/database/database';
import { execute, query, transaction } from '../../entities/database/sql';
import { newId } from '../../entities/ids';
import { createLogger } from '../../runtime/observe/logger';
import { eventually } from '../support/eventually';
import {
  startPrometheus,
  type FiringAlarm,
  type RunningPrometheus,
} from '../support/operate/prometheus';
import { demoSale } from '../support/stack/demo-shop';
import {
  newStackDir,
  removeStackDir,
  startLocalStack,
  type LocalStack,
} from '../support/stack/local-stack';

jest.setTimeout(300_000);

/**
 * The time from what goes wrong to its alarm, whose `for` is a second here: figures are read each
 * fifteen seconds and compared each five. Work of the outbox is old after a minute, the others at
 * once.
 */
const withinMs = 90_000;
const ofOldWorkMs = withinMs + 60_000;
const dir = newStackDir();
let stack: LocalStack;
let prometheus: RunningPrometheus;
let db: Database;

/** A stack whose mail server is away, and without a worker for the schedules. */
beforeAll(async () => {
  stack = await startLocalStack(dir, {
    SMTP_URL: 'smtp://127.0.0.1:1',
    WORKER_QUEUES: 'commissions,stripe,webhooks,payouts,mail,erasure,bulk,relay,dispatcher',
  });
  const { adminUrl, workerAdminUrl, databaseUrl } = stack.info();
  db = createDatabase({ url: databaseUrl, pooler: 'none', poolSize: 2 });
  prometheus = await startPrometheus(dir, [adminUrl, workerAdminUrl]);
});

afterAll(async () => {
  await prometheus.stop();
  await db.destroy();
  await stack.stop();
  removeStackDir(dir);
});

async function firing(alarm: string): Promise<FiringAlarm[]> {
  const all = await prometheus.firing();
  return all.filter(({ labels }) => labels['alertname'] === alarm);
}

/** The labels with which it fires; fails when it does not in time. */
function fires(alarm: string, patienceMs = withinMs): Promise<Record<string, string>> {
  return eventually(async () => (await firing(alarm))[0]?.labels, patienceMs);
}

const silent = (alarm: string): Promise<true> =>
  eventually(async () => ((await firing(alarm)).length === 0 ? true : undefined), withinMs);

async function anyPending(): Promise<string> {
  const answer = await fetch(...demoSale(stack.info(), newId()));
  const { commission } = (await answer.json()) as { commission: { id: string } | null };
  if (!commission) throw new Error(`no commission: ${answer.status}`);
  return commission.id;
}

describe('a Prometheus beside a stack', () => {
  it('is silent about what is well', async () => {
    await silent('ProcessAbsent');
    for (const alarm of ['OutboxDead', 'HoldsOverdue', 'LedgerMismatch', 'ErasureOpen']) {
      expect(await firing(alarm)).toEqual([]);
    }
  });

  it('fires without a worker for the schedules', async () => {
    expect(await fires('ScheduleLate')).toMatchObject({ severity: 'ticket' });
  });

  it('fires while the mail server is away', async () => {
    const [account] = await query<{ id: string }>(
      db.manager,
      'SELECT id FROM merchant_accounts LIMIT 1',
    );
    const to = { side: 'merchant', accountId: account?.id ?? '' } as const;
    const mail = { type: 'security.password_changed', to } as const;
    await transaction(db, async (tx) => {
      for (let n = 0; n < 12; n += 1) await queueMail(tx, { ...mail, at: new Date() });
    });
    expect(await fires('MailOld')).toMatchObject({ severity: 'page' });
  });

  it('fires for a partition that is missing', async () => {
    const ahead = await query<{ name: string }>(
      db.manager,
      `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'events'::regclass AND c.relname > 'events_' || to_char(now(), 'YYYY_MM_DD')
          AND c.relname ~ '\\d$' ORDER BY c.relname`,
    );
    for (const { name } of ahead) await execute(db.manager, `DROP TABLE ${name}`);
    expect(await fires('Database')).toMatchObject({ part: 'partitions', table: 'events' });
  });

  it('fires for an erasure that was left locked', async () => {
    await execute(
      db.manager,
      `INSERT INTO erasures (id, kind, subject_id, status, requested_by_type, erased_at)
       VALUES (gen_random_uuid(), 'account', gen_random_uuid(), 'locked', 'operator',
         now() - interval '2 hours')`,
    );
    await fires('ErasureOpen');
  });

  it('fires for a ledger that does not add up', async () => {
    const id = await anyPending();
    await execute(db.manager, 'UPDATE commissions SET owed_cents = 1 WHERE id = $1', [id]);
    const log = createLogger({ level: 'silent', process: 'test' });
    let after: string | null = null;
    do ({ after } = await checkLedger({ db, log }, { after }));
    while (after !== null);
    await fires('LedgerMismatch');
  });

  it('fires for a hold that cannot end because a lock is held, and is silent once it is gone', async () => {
    const id = await anyPending();
    const holder = new Postgres({ connectionString: stack.info().databaseUrl });
    await holder.connect();
    await execute(
      db.manager,
      `UPDATE commissions SET hold_until = now() - interval '10 minutes' WHERE id = $1`,
      [id],
    );
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM commissions WHERE id = $1 FOR UPDATE', [id]);
    await fires('HoldsOverdue');
    await holder.query(
      `UPDATE commissions SET hold_until = now() + interval '1 day' WHERE id = $1`,
      [id],
    );
    await holder.query('COMMIT');
    await holder.end();
    await silent('HoldsOverdue');
  });

  it('fires for a row of the outbox that is poisoned', async () => {
    await execute(
      db.manager,
      `INSERT INTO outbox (topic, ref, payload, available_at, attempts)
       VALUES ('event_deliveries', gen_random_uuid(), '{"others": ["no id"]}', now(), 19)`,
    );
    expect(await fires('OutboxDead')).toMatchObject({ topic: 'event_deliveries' });
  });

  it('fires for a run that the release does not know how to carry on', async () => {
    const connection = await Connection.connect({ address: stack.info().temporalAddress });
    const { workflow } = new Client({ connection });
    const workflowId = `of-another-release-${newId()}`;
    const run = await workflow.start('typeOfAnotherRelease', {
      workflowId,
      taskQueue: 'commissions',
    });
    expect(await fires('WorkflowTasksFailing')).toMatchObject({ task_queue: 'commissions' });
    await run.terminate();
    await connection.close();
  });

  it('fires while Temporal is away, and is silent once it is back', async () => {
    const pid = stack.info().processes.temporal ?? 0;
    // Its group: the server may be a child of the process that the stack knows.
    process.kill(-pid, 'SIGSTOP');
    try {
      await execute(
        db.manager,
        `INSERT INTO outbox (topic, ref, payload, available_at)
         VALUES ('stripe_event', gen_random_uuid(), '{}', now())`,
      );
      expect(await fires('OutboxOld', ofOldWorkMs)).toMatchObject({ topic: 'stripe_event' });
    } finally {
      process.kill(-pid, 'SIGCONT');
    }
    await silent('OutboxOld');
  });
});
