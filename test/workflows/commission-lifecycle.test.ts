import type { WorkflowHandle } from '@temporalio/client';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import {
  createCommissionActivities,
  type CommissionState,
} from '../../activities/commissions/activities';
import { decideCommission } from '../../activities/commissions/decide';
import type { CommissionRecord } from '../../activities/commissions/records';
import { clearFlag } from '../support/build/review-flags';
import { Commission } from '../../entities/tables/commissions/commission.entity';
import type { OperatorNote } from '../../entities/rules/values/operator-note';
import { systemActor } from '../../entities/rules/values/actor';
import { type Db, execute, query, transaction } from '../../entities/database/sql';
import {
  approveOverrideUpdate,
  approveUpdate,
  changedSignal,
  elapseHoldUpdate,
  rejectUpdate,
  stateQuery,
} from '../../workflows/commission-lifecycle';
import { trailOfNow } from '../../runtime/observe/trail';
import { changedSignalName, workflowIds } from '../../runtime/temporal/messages';
import { openTestDeps, type TestDeps } from '../support/app';
import { asOwner } from '../support/database';
import { buildCommission } from '../support/build/commissions';
import { buildProgram } from '../support/build/programs';
import { trailOf } from '../support/stored/commission-trail';
import { carriedOn, firstRunOf, saveHistory } from '../support/workers/histories';
import { startLifecycleWorker, type LifecycleWorker } from '../support/workers/lifecycle';
import { until } from '../support/eventually';
import { oneRow } from '../support/rows';

let deps: TestDeps;
let db: Db;
let lifecycles: LifecycleWorker;

beforeAll(async () => {
  deps = await openTestDeps();
  db = deps.db.manager;
  lifecycles = await startLifecycleWorker(deps);
}, 60_000);
afterAll(async () => {
  await lifecycles.stop();
  await deps.close();
});

const day = 86_400_000;
const operator = 'op-17';
const because = (reasonCode: OperatorNote['reasonCode']): { args: [OperatorNote] } => ({
  args: [{ operator, reasonCode }],
});
const asked = because('MERCHANT_REQUEST');
/** Created 30 days ago, so that a hold of 30 days ends in so many milliseconds. */
const heldFor = (ms: number) => ({ createdAt: new Date(Date.now() - 30 * day + ms) });
const rowOf = ({ id }: CommissionRecord) => oneRow(db, Commission, { id });
const scopeOf = ({ workspaceId, mode }: CommissionRecord) => ({ workspaceId, mode });

async function refusalOf(update: Promise<unknown>): Promise<string> {
  const error: unknown = await update.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof WorkflowUpdateFailedError)) return String(error);
  return error.cause instanceof ApplicationFailure ? String(error.cause.type) : String(error.cause);
}

/** Ends the workflow as an operator would end a stuck one; the commission stays pending. */
const end = (handle: WorkflowHandle) => handle.terminate('the test is over');

describe('commissionLifecycle', () => {
  it('approves when the hold ends, and ends', async () => {
    const commission = await buildCommission(db, heldFor(800));
    const handle = await lifecycles.start(commission);
    expect(await handle.query(stateQuery)).toMatchObject({ waitsFor: 'hold', status: 'pending' });
    expect(await handle.result()).toBe('approved');
    expect(await rowOf(commission)).toMatchObject({ status: 'approved', decidedByType: 'system' });
    expect((await trailOf(db, commission.id)).history).toEqual([
      '>pending created',
      'pending>approved hold_elapsed',
    ]);
  });

  it('started after the hold ended approves at once', async () => {
    const commission = await buildCommission(db, heldFor(-day));
    const handle = await lifecycles.start(commission);
    expect(await handle.result()).toBe('approved');
  });

  it('does nothing in its first task but set its timer', async () => {
    const commission = await buildCommission(db);
    const handle = await lifecycles.start(commission);
    await handle.query(stateQuery);
    const { events } = await handle.fetchHistory();
    const types = (events ?? []).map((event) => event.eventType);
    expect(types).toHaveLength(5);
    expect(events?.[4]?.timerStartedEventAttributes).toBeDefined();
    await end(handle);
  });

  it('ends when the commission was decided elsewhere, told once or more often', async () => {
    const commission = await buildCommission(db);
    const handle = await lifecycles.start(commission);
    await decideCommission(
      db,
      { scope: scopeOf(commission), actor: systemActor, now: new Date() },
      { commissionId: commission.id, decision: 'reject', reason: 'no' },
    );
    await Promise.all([handle.signal(changedSignal), handle.signal(changedSignal)]);
    expect(await handle.result()).toBe('rejected');
    await saveHistory(handle, 'commission-lifecycle.decided-elsewhere');
  });

  it('sleeps on when it is told without a change', async () => {
    const commission = await buildCommission(db, heldFor(1_200));
    const handle = await lifecycles.start(commission);
    await handle.signal(changedSignal);
    await handle.signal(changedSignal);
    expect(await handle.result()).toBe('approved');
    await saveHistory(handle, 'commission-lifecycle.told-and-sleeps-on');
    expect((await trailOf(db, commission.id)).history).toHaveLength(2);
  });

  it('has its activities log in the request that began it, then of the last signal, else in one of their own', async () => {
    const requests: unknown[] = [];
    const real = createCommissionActivities(deps);
    const worker = await startLifecycleWorker(deps, {
      ...real,
      advance: (...input) => {
        requests.push(trailOfNow().requestId);
        return real.advance(...input);
      },
    });
    const begun = await worker.start(await buildCommission(db, heldFor(4_000)), {
      requestId: 'req-of-the-sale',
    });
    await begun.signal(changedSignal);
    await until(() => requests.length === 1);
    await begun.signal(changedSignalName, 'req-of-the-change');
    await begun.signal(changedSignalName, 'as ada@example.com asked');
    expect(await begun.result()).toBe('approved');
    // The operator's words are no request.
    expect([...new Set(requests)]).toEqual(['req-of-the-sale', 'req-of-the-change']);

    const repaired = await worker.start(await buildCommission(db, heldFor(-day)));
    expect(await repaired.result()).toBe('approved');
    expect(requests.at(-1)).toMatch(new RegExp(`^${repaired.firstExecutionRunId}:`));
    await worker.stop();
  });

  it('goes on in a new history after many looks, with its hold, and ends as ever', async () => {
    const commission = await buildCommission(db, heldFor(5_000));
    const handle = await lifecycles.start(commission, { looksPerRun: 1 });
    const isOver = async (): Promise<boolean> =>
      (await firstRunOf(deps.temporal.client, handle).describe()).status.name ===
      'CONTINUED_AS_NEW';
    await handle.signal(changedSignal);
    await until(isOver);
    const { id: commissionId, holdUntil } = commission;
    const first = firstRunOf(deps.temporal.client, handle);
    const next = { commissionId, holdUntil: holdUntil?.toISOString(), needsReview: false };
    expect(await carriedOn(first)).toEqual({ ...next, looksPerRun: 1 });
    expect(await handle.query(stateQuery)).toMatchObject({ waitsFor: 'hold', status: 'pending' });
    await saveHistory(first, 'commission-lifecycle.continued');
    expect(await handle.result()).toBe('approved');
  });

  it('waits with a flagged commission after the hold, until the flag goes by itself', async () => {
    const commission = await buildCommission(db, {
      ...heldFor(300),
      reviewReasons: ['FRAUD_SUSPECTED'],
    });
    const handle = await lifecycles.start(commission);
    await until(async () => (await handle.query(stateQuery)).waitsFor === 'review');
    const { id } = commission;
    await transaction(db, (tx) =>
      clearFlag(tx, { commissionId: id, reason: 'FRAUD_SUSPECTED' }, new Date()),
    );
    await handle.signal(changedSignal);
    expect(await handle.result()).toBe('approved');
    await saveHistory(handle, 'commission-lifecycle.flag-goes');
  });

  it('waits for a decision when the terms do not approve of themselves', async () => {
    const commission = await buildCommission(db, {
      ...heldFor(300),
      terms: { autoApprove: false },
    });
    const handle = await lifecycles.start(commission);
    await until(async () => (await handle.query(stateQuery)).waitsFor === 'decision');
    expect(await handle.executeUpdate(approveUpdate, asked)).toMatchObject({ status: 'approved' });
    expect(await handle.result()).toBe('approved');
    await saveHistory(handle, 'commission-lifecycle.operator-approves');
    expect(await rowOf(commission)).toMatchObject({ decidedByType: 'operator', decidedById: null });
  });

  it('answers an operator though the relay tells of the decision before it is answered', async () => {
    const commission = await buildCommission(db);
    const real = createCommissionActivities(deps);
    const told = await startLifecycleWorker(deps, {
      ...real,
      async decideAsOperator(order) {
        const state = await real.decideAsOperator(order);
        const id = workflowIds.commission(commission.id);
        await deps.temporal.client.workflow.getHandle(id).signal(changedSignal);
        return state;
      },
    });
    const handle = await told.start(commission);
    const answer = await handle.executeUpdate(approveOverrideUpdate, asked);
    expect(answer).toMatchObject({ status: 'approved' });
    expect(await handle.result()).toBe('approved');
    await told.stop();
  });

  it('lets an operator override the hold or reject, with a reason code', async () => {
    const one = await buildCommission(db);
    const two = await buildCommission(db);
    const [first, second] = [await lifecycles.start(one), await lifecycles.start(two)];
    await first.executeUpdate(approveOverrideUpdate, asked);
    await second.executeUpdate(rejectUpdate, because('TEST_ORDER'));
    expect(await first.result()).toBe('approved');
    expect(await second.result()).toBe('rejected');
    expect(await rowOf(one)).toMatchObject({ overrideReason: 'MERCHANT_REQUEST' });
    expect(await rowOf(two)).toMatchObject({ rejectionReason: 'TEST_ORDER', decidedById: null });
    const { runId } = (await first.describe()).raw.workflowExecutionInfo?.execution ?? {};
    const [line] = await query<{ requestId: string }>(
      db,
      `SELECT actor_id, operator, reason_code, request_id AS "requestId" FROM audit_log
        WHERE target_id = $1 AND actor_type = 'operator'`,
      [one.id],
    );
    expect(line).toMatchObject({ actor_id: null, operator, reason_code: 'MERCHANT_REQUEST' });
    expect(line?.requestId).toContain(runId);
  });

  it('refuses an operator as it refuses a merchant, and goes on', async () => {
    const commission = await buildCommission(db, { reviewReasons: ['FRAUD_SUSPECTED'] });
    const handle = await lifecycles.start(commission);
    expect(await refusalOf(handle.executeUpdate(approveUpdate, asked))).toBe(
      'COMMISSION_HOLD_ACTIVE',
    );
    const override = handle.executeUpdate(approveOverrideUpdate, asked);
    expect(await refusalOf(override)).toBe('COMMISSION_NEEDS_REVIEW');
    expect(await refusalOf(handle.executeUpdate(elapseHoldUpdate, asked))).toBe('FORBIDDEN');
    const wrongNotes = [
      'a customer called',
      { operator, reasonCode: 'because' },
      { operator },
      null,
    ];
    for (const text of wrongNotes) {
      const wrong = { args: [text] as unknown as [OperatorNote] };
      expect(await refusalOf(handle.executeUpdate(rejectUpdate, wrong))).toBe('VALIDATION_ERROR');
    }
    expect(await handle.query(stateQuery)).toMatchObject({ status: 'pending' });
    await end(handle);
  });

  it('ends the hold for an operator in test mode', async () => {
    const program = await buildProgram(db, { mode: 'test' });
    const commission = await buildCommission(db, { program });
    const handle = await lifecycles.start(commission);
    await handle.executeUpdate(elapseHoldUpdate, asked);
    expect(await handle.result()).toBe('approved');
    await saveHistory(handle, 'commission-lifecycle.operator-elapses-hold');
  });

  it('decides once when an operator and a merchant decide together', async () => {
    const commission = await buildCommission(db, {
      ...heldFor(-day),
      terms: { autoApprove: false },
    });
    const handle = await lifecycles.start(commission);
    const outcomes = await Promise.allSettled([
      handle.executeUpdate(approveUpdate, asked),
      decideCommission(
        db,
        { scope: scopeOf(commission), actor: systemActor, now: new Date() },
        { commissionId: commission.id, decision: 'approve', reason: null },
      ),
    ]);
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
    await handle.signal(changedSignal).catch(() => undefined);
    expect(await handle.result()).toBe('approved');
    expect((await trailOf(db, commission.id)).history).toHaveLength(2);
  });

  it('keeps names out of its history', async () => {
    const commission = await buildCommission(db, heldFor(300));
    const handle = await lifecycles.start(commission);
    await handle.result();
    const everything = await saveHistory(handle, 'commission-lifecycle.hold-ends');
    expect(everything).toContain(commission.id);
    expect(everything).not.toContain(commission.partnerName);
    expect(everything).not.toContain(commission.externalTransactionId);
  });

  it('waits at the server, visibly, with what cannot be advanced for the moment', async () => {
    let broken = true;
    const { advance, ...others } = createCommissionActivities(deps);
    const worker = await startLifecycleWorker(deps, {
      ...others,
      advance: async (input) => {
        if (broken) throw new Error('a rule that throws');
        return advance(input);
      },
    });
    const commission = await buildCommission(db, heldFor(100));
    const handle = await worker.start(commission);
    await until(async () => {
      const { pendingActivities } = (await handle.describe()).raw;
      return pendingActivities?.some(({ attempt }) => (attempt ?? 0) > 1) ?? false;
    });
    broken = false;
    expect(await handle.result()).toBe('approved');
    await saveHistory(handle, 'commission-lifecycle.falls-back');
    await worker.stop();
  });

  it('asks less often while the clock where it asks is behind', async () => {
    const askedAt: number[] = [];
    const { advance, ...others } = createCommissionActivities(deps);
    const worker = await startLifecycleWorker(deps, {
      ...others,
      advance: (input) => {
        askedAt.push(performance.now());
        if (askedAt.length < 3) return Promise.resolve(stillHeld(commission));
        return advance(input);
      },
    });
    const commission = await buildCommission(db, heldFor(-1_000));
    const handle = await worker.start(commission);
    expect(await handle.result()).toBe('approved');
    const waits = askedAt.slice(1).map((at, index) => at - (askedAt[index] ?? 0));
    expect(waits[1]).toBeGreaterThan(900);
    await worker.stop();
  });

  it('gets no signal for what it did itself', async () => {
    const commission = await buildCommission(db, heldFor(200));
    await execute(db, 'DELETE FROM outbox WHERE ref = $1', [commission.id]);
    await (await lifecycles.start(commission)).result();
    expect(await query(db, 'SELECT 1 FROM outbox WHERE ref = $1', [commission.id])).toEqual([]);
  });

  it('ends when its commission is gone', async () => {
    const commission = await buildCommission(db);
    const handle = await lifecycles.start(commission);
    await asOwner(deps.config.databaseUrl, 'DELETE FROM commissions WHERE id = $1', [
      commission.id,
    ]);
    await handle.signal(changedSignal);
    expect(await handle.result()).toBe('gone');
  });
});

function stillHeld({ holdUntil }: CommissionRecord): CommissionState {
  return {
    status: 'pending',
    holdUntil: holdUntil?.toISOString() ?? null,
    holdElapsed: false,
    needsReview: false,
    reviewReasons: [],
  };
}

/** Asks again until it is so; the test's own time-out ends a hopeless wait. */
