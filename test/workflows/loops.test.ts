import { setTimeout as pause } from 'node:timers/promises';
import { activityInfo } from '@temporalio/activity';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { ApplicationFailure, type WorkflowHandle } from '@temporalio/client';
import type { Activities } from '../../activities';
import { newId } from '../../entities/ids';
import { schedules, secondsOf } from '../../workers/temporal/schedules';
import { openTestDeps, type TestDeps } from '../support/app';
import { byNight } from '../support/run/nightly';
import { workflowBundle } from '../support/workers/workflow-bundle';

let deps: TestDeps;
let connection: NativeConnection;
beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  deps = await openTestDeps();
  connection = await NativeConnection.connect({ address: deps.config.temporal.address });
}, 60_000);
afterAll(async () => {
  await connection.close();
  await deps.close();
});

interface Loop {
  input: unknown;
  /** The end that its schedule gives it, at a smaller scale. */
  endsAfterMs: number;
}

/** What a loop comes to whose activities always have more. */
async function resultOf(
  type: string,
  loop: Loop,
  activities: Partial<Activities>,
): Promise<unknown> {
  return (await runOf(type, loop, activities)).result();
}

/** A run that has ended. */
async function runOf(
  type: string,
  { input, endsAfterMs }: Loop,
  activities: Partial<Activities>,
): Promise<WorkflowHandle> {
  const taskQueue = `loops-${newId()}`;
  const worker = await Worker.create({
    connection,
    taskQueue,
    workflowBundle: await workflowBundle(),
    activities,
  });
  const options = { taskQueue, workflowId: `${type}-${newId()}`, args: [input] };
  const handle = await deps.temporal.client.workflow.start(type, {
    ...options,
    workflowExecutionTimeout: endsAfterMs,
  });
  await worker.runUntil(handle.result().catch(() => undefined));
  return handle;
}

/** How long its activities may take in all, one after the other with every attempt, in seconds. */
async function longestSeconds(run: WorkflowHandle): Promise<number> {
  const { events } = await run.fetchHistory();
  const bounds = (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
    scheduled ? [Number(scheduled.scheduleToCloseTimeout?.seconds ?? Infinity)] : [],
  );
  return bounds.reduce((sum, bound) => sum + bound, 0);
}

const timeOf = (id: string): number =>
  secondsOf(schedules.find((schedule) => schedule.id === id)?.runTimeout ?? '');

describe('a loop whose work is more than one run does', () => {
  it('repair hands on its place before its time is over', async () => {
    let batch = 0;
    const result = await resultOf(
      'repair',
      { input: { part: 'lifecycles' }, endsAfterMs: 12_000 },
      {
        async repairBatch() {
          // A history would end it sooner than its time.
          await pause(30);
          batch += 1;
          return { cursor: String(batch), repaired: 0, more: true };
        },
      },
    );
    expect(result).toEqual({ cursor: String(batch), repaired: 0 });
  }, 60_000);

  it('the waitlist is purged until its time is over, and the run has a result', async () => {
    let batch = 0;
    const result = await resultOf(
      'waitlistPurge',
      { input: undefined, endsAfterMs: 4_000 },
      {
        async purgeWaitlist() {
          await pause(30);
          batch += 1;
          return 2;
        },
      },
    );
    expect(batch).toBeGreaterThan(1);
    expect(result).toBe(2 * batch);
  }, 60_000);

  /** A comparison of seven days, with sums of deleted programmes that never end. */
  async function reconciled(endsAfterMs: number, restMs: number) {
    const days: number[] = [];
    let batch = 0;
    const result = await resultOf(
      'reconcileAnalytics',
      { input: undefined, endsAfterMs },
      {
        reconcileAnalytics({ daysAgo }) {
          days.push(daysAgo);
          return Promise.resolve(daysAgo);
        },
        async dropAnalyticsOrphans() {
          await pause(restMs);
          batch += 1;
          return 1;
        },
      },
    );
    return { days, batch, result };
  }

  const allDays = [1, 2, 3, 4, 5, 6, 7];

  it('analytics compares each day, and drops sums of deleted programmes until its time is over', async () => {
    const { days, batch, result } = await reconciled(4_000, 30);
    expect([days, result]).toEqual([allDays, 28]);
    expect(batch).toBeGreaterThan(1);
  }, 60_000);

  byNight?.(
    'analytics drops sums of deleted programmes until its history is long',
    async () => {
      const { days, batch, result } = await reconciled(600_000, 0);
      expect([days, result]).toEqual([allDays, 28]);
      // Some 4,000 events, of which a batch has six.
      expect(batch).toBeGreaterThan(300);
    },
    300_000,
  );

  it.each([
    ['partitions', 'partitions', { makePartitions: () => Promise.resolve(0) }],
    [
      'reconcileAnalytics',
      'reconcile-analytics',
      {
        reconcileAnalytics: () => Promise.resolve(0),
        dropAnalyticsOrphans: () => Promise.resolve(0),
      },
    ],
  ] satisfies [string, string, Partial<Activities>][])(
    '%s ends by itself before its time is over, however often its attempts fail',
    async (type, schedule, activities) => {
      const run = await runOf(type, { input: undefined, endsAfterMs: 60_000 }, activities);
      expect(await run.result()).toBe(0);
      const longest = await longestSeconds(run);
      expect(longest).toBeGreaterThan(0);
      expect(longest).toBeLessThan(timeOf(schedule));
    },
    60_000,
  );

  it('the check of ledgers goes on at its place in a new history, and adds up', async () => {
    const places: (string | null)[] = [];
    const runs = new Set<string>();
    const result = await resultOf(
      'checkLedgers',
      { input: { after: null, wrong: 0, batchesPerRun: 3 }, endsAfterMs: 60_000 },
      {
        checkLedger: ({ after }) => {
          places.push(after);
          runs.add(activityInfo().workflowExecution?.runId ?? '');
          return Promise.resolve({
            after: places.length < 8 ? String(places.length) : null,
            wrong: 1,
          });
        },
      },
    );
    expect(places).toEqual([null, '1', '2', '3', '4', '5', '6', '7']);
    expect([runs.size, result]).toEqual([3, 8]);
  }, 60_000);

  it('retention comes to every table, however many batches the first ones have', async () => {
    const left: Record<string, number> = { sessions: 7, mails: 2 };
    const input = { tables: ['broken', 'sessions', 'mails'], batchesPerRun: 3 };
    const run = resultOf(
      'retention',
      { input, endsAfterMs: 60_000 },
      {
        purgeTable: ({ table }) => {
          if (table === 'broken') throw ApplicationFailure.nonRetryable('broken', 'BROKEN');
          const rows = left[table] ?? 0;
          if (rows > 0) left[table] = rows - 1;
          return Promise.resolve(Math.min(rows, 1));
        },
      },
    );
    await expect(run).rejects.toMatchObject({ cause: { message: 'not purged: broken' } });
    expect(left).toEqual({ sessions: 0, mails: 0 });
  }, 60_000);

  it('an erasure goes on in a new history in the midst of a part, and takes what failed ten at a time', async () => {
    const participantIds = Array.from({ length: 24 }, () => newId());
    const [large = ''] = participantIds;
    const places: (number | null)[] = [];
    const runs = new Set<string>();
    const tries = new Map<string | null, number>();
    let underWay = 0;
    let most = 0;
    let allHere: () => void = () => undefined;
    const tenAtOnce = new Promise<void>((resolve) => (allHere = resolve));
    const activities: Partial<Activities> = {
      anonymiseErased: () =>
        Promise.resolve({ erasedAt: new Date().toISOString(), participantIds }),
      async cleanErasedCopies({ participantId, from }) {
        runs.add(activityInfo().workflowExecution?.runId ?? '');
        if (participantId === large) {
          places.push(from?.copy ?? null);
          const copy = (from?.copy ?? 0) + 1;
          return copy < 8 ? { copy, scan: null } : null;
        }
        const tried = (tries.get(participantId) ?? 0) + 1;
        tries.set(participantId, tried);
        if (tried < 3) throw ApplicationFailure.nonRetryable('broken', 'BROKEN');
        underWay += 1;
        most = Math.max(most, underWay);
        // The first ones wait for each other, and a moment for one too many.
        if (underWay === 10) setTimeout(allHere, 100);
        await tenAtOnce;
        underWay -= 1;
        return null;
      },
      completeErasure: () => Promise.resolve(undefined),
      isErasureMailOver: () => Promise.resolve(true),
      forgetErasureRecipient: () => Promise.resolve(undefined),
    };
    const begun = { erasureId: newId(), erasedAt: new Date().toISOString() };
    const subject = { kind: 'participant', subjectId: newId(), settleMs: 1, begun, partsPerRun: 3 };
    const state = await resultOf(
      'eraseSubject',
      { input: subject, endsAfterMs: 60_000 },
      activities,
    );
    expect(state).toMatchObject({ step: 'done', cleaned: 24, parts: 24 });
    expect(places).toEqual([null, 1, 2, 3, 4, 5, 6, 7, null, 1, 2, 3, 4, 5, 6, 7]);
    expect(runs.size).toBeGreaterThan(8);
    expect([most, Math.min(...tries.values()), Math.max(...tries.values())]).toEqual([10, 3, 3]);
  }, 60_000);
});
