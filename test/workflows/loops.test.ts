import { setTimeout as pause } from 'node:timers/promises';
import { activityInfo } from '@temporalio/activity';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { ApplicationFailure } from '@temporalio/client';
import type { Activities } from '../../activities';
import { newId } from '../../entities/ids';
import { openTestDeps, type TestDeps } from '../support/app';
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
  /** As its schedule gives it, at a smaller scale. */
  endsAfterMs: number;
}

/** What a loop comes to whose activities always have more. */
async function resultOf(
  type: string,
  { input, endsAfterMs }: Loop,
  activities: Partial<Activities>,
): Promise<unknown> {
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
  return worker.runUntil(handle.result());
}

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
