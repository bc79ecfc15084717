import { execute, queryOne, type Db } from '../../entities/database/sql';
import { dayMs, minuteMs } from '../../entities/rules/values/duration';
import {
  nextStep,
  waitBefore,
  type BatchFacts,
  type BatchStep,
} from '../../entities/rules/payouts/batch-steps';
import type { PayoutBatchStatus } from '../../entities/rules/payouts/batch-status';
import type { PayoutBatch } from '../../entities/tables/payouts/payout-batch.entity';
import { systemCause, type CommandContext } from '../journal/cause';
import { applyAsk, applyTry } from './answers';
import { askBatch, tryBatch } from './ask-provider';
import { findBatch, onBatch, scopeOf } from './batches';
import type { SendingDeps } from './connection';
import { endLease, isLeased, LeaseLost, takeLease, type Begun, type Lease } from './lease';
import { giveUpUnanswered, releaseUntried, tellTooLong, tellUnknown } from './upkeep';

/** What an operator sees of a batch, and when its workflow looks again. */
export interface BatchState {
  batchId: string;
  status: PayoutBatchStatus | 'gone';
  tries: number;
  asks: number;
  items: number;
  /** The codes of the last answer, and nothing else of it. */
  lastAnswer: string | null;
  /** ISO instant; null: nothing comes by itself any more. */
  nextAt: string | null;
  waitMs: number;
}

/** An item may be on its way for so long before somebody is told. */
const tooLongMs = 45 * dayMs;
/**
 * One look does several things that are due: a try, what it found, a question, somebody told. Whatever wants more
 * waits for the next look, so that an activity ends.
 */
const mostSteps = 6;

/**
 * Does what is due of a batch: says it, asks what became of it, or gives up. Only the database says what is due, so
 * that any process may die anywhere. A batch whose row is gone says nothing.
 */
export async function advanceBatch(
  deps: SendingDeps,
  { batchId }: { batchId: string },
): Promise<BatchState> {
  for (let steps = 0; steps < mostSteps; steps += 1) {
    const now = deps.clock.now();
    const batch = await findBatch(deps.db.manager, batchId);
    if (!batch) return gone(batchId);
    const facts = await factsOf(deps.db.manager, batch, now);
    const step = nextStep(facts, now, deps.config.payouts.giveUpMs);
    if (step.kind === 'over') return over(deps.db.manager, batch, now);
    if (step.kind === 'wait') return stateOf(batch, now, step.until);
    if (isLeased(batch, now)) return stateOf(batch, now, batch.leaseUntil);
    await take(deps, batch, step);
  }
  const batch = await findBatch(deps.db.manager, batchId);
  const now = deps.clock.now();
  return batch ? stateOf(batch, now, new Date(now.getTime() + minuteMs)) : gone(batchId);
}

/** Nothing is due any more: nobody is woken for it. */
async function over(db: Db, batch: PayoutBatch, now: Date): Promise<BatchState> {
  if (batch.nextAt !== null) {
    const sql = 'UPDATE payout_batches SET next_at = NULL WHERE id = $1 AND next_at = $2';
    await execute(db, sql, [batch.id, batch.nextAt]);
  }
  return stateOf(batch, now, null);
}

type DueStep = Exclude<BatchStep, { kind: 'wait' | 'over' }>;

async function take(deps: SendingDeps, batch: PayoutBatch, step: DueStep): Promise<void> {
  const { id: batchId } = batch;
  if (step.kind === 'try' || step.kind === 'ask') return talk(deps, batchId, step.kind);
  const upkeep = {
    release: releaseUntried,
    unanswered: giveUpUnanswered,
    tell_unknown: tellUnknown,
    tell_too_long: tellTooLong,
  }[step.kind];
  await onBatch(deps.db, batchId, async (tx, locked, items) => {
    // Whoever came first has done it.
    const now = deps.clock.now();
    const facts = await factsOf(tx, locked, now);
    const due = nextStep(facts, now, deps.config.payouts.giveUpMs);
    if (due.kind !== step.kind || isLeased(locked, now)) return;
    await upkeep(tx, contextOf(locked, now), { batch: locked, items });
  });
}

/** One try or question, under the lease; what it came to is written by whoever still has it. */
async function talk(deps: SendingDeps, batchId: string, kind: 'try' | 'ask'): Promise<void> {
  const taken = await takeLease(deps, batchId, async (tx, batch, now) => {
    // Looked at again: what was found before may have made a second payment of it.
    const facts = await factsOf(tx, batch, now);
    const due = nextStep(facts, now, deps.config.payouts.giveUpMs);
    return due.kind === kind ? begun(deps, { batch, now, kind }) : undefined;
  });
  if (!taken) return;
  const { lease, batch } = taken;
  try {
    await answerOf(deps, { lease, batch, kind });
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
  } finally {
    await endLease(deps.db.manager, lease).catch(() => undefined);
  }
}

async function answerOf(
  deps: SendingDeps,
  { lease, batch, kind }: { lease: Lease; batch: PayoutBatch; kind: 'try' | 'ask' },
): Promise<void> {
  if (kind === 'try') {
    const answer = await tryBatch(deps, lease, batch);
    await onBatch(deps.db, batch.id, (tx, locked, items) =>
      applyTry(deps, contextOf(locked, deps.clock.now()), {
        ...{ tx, batch: locked, items, lease, answer },
        wasInDoubt: batch.isInDoubt,
      }),
    );
    return;
  }
  const answer = await askBatch(deps, lease, batch);
  await onBatch(deps.db, batch.id, (tx, locked, items) =>
    applyAsk(deps, contextOf(locked, deps.clock.now()), {
      tx,
      batch: locked,
      items,
      lease,
      answer,
    }),
  );
}

interface Beginning {
  batch: PayoutBatch;
  now: Date;
  kind: 'try' | 'ask';
}

/** The number of a try and that it may be taken are written before its first byte. */
function begun({ config }: SendingDeps, { batch, now, kind }: Beginning): Begun {
  const { trySchedule, askSchedule } = config.payouts;
  const { tries, isInDoubt, firstTryAt, asks, askedAt } = batch;
  const known = { tries, isInDoubt, firstTryAt, asks, askedAt };
  const after = (schedule: readonly number[], done: number): Date =>
    new Date(now.getTime() + waitBefore(schedule, done));
  if (kind === 'ask') {
    return { ...known, asks: asks + 1, askedAt: now, nextAt: after(askSchedule, asks + 1) };
  }
  return {
    ...known,
    tries: tries + 1,
    isInDoubt: true,
    firstTryAt: firstTryAt ?? now,
    nextAt: after(trySchedule, tries + 1),
  };
}

/** What is known of a batch besides its row. */
export async function factsOf(db: Db, batch: PayoutBatch, now: Date): Promise<BatchFacts> {
  const found = await queryOne<{
    wasRestored: boolean;
    isHeld: boolean;
    isOvertaken: boolean;
    isTooLong: boolean;
  }>(
    db,
    `SELECT EXISTS (SELECT 1 FROM restores WHERE noted_at > $2) AS "wasRestored",
            EXISTS (SELECT 1 FROM restores WHERE payouts_released_at IS NULL) AS "isHeld",
            EXISTS (SELECT 1 FROM payout_batch_items AS b JOIN payout_items AS i ON i.id = b.item_id
                     WHERE b.batch_id = $1 AND (i.status <> 'sending' OR i.batch_id <> b.batch_id
                       OR i.attention_reason = 'twice')) AS "isOvertaken",
            EXISTS (SELECT 1 FROM payout_batch_items AS b JOIN payout_items AS i ON i.id = b.item_id
                     WHERE b.batch_id = $1 AND b.outcome = 'sending' AND i.status = 'sending'
                       AND i.batch_id = b.batch_id AND i.sent_at <= $3
                       AND i.attention_reason IS NULL
                       AND NOT 'too_long ' = ANY (i.checked)) AS "isTooLong"`,
    [batch.id, batch.createdAt, new Date(now.getTime() - tooLongMs)],
  );
  const hasId = batch.providerBatchId !== null || batch.candidateId !== null;
  const { status, createdAt, firstTryAt, takenAt, nextAt, isInDoubt, unknownToldAt } = batch;
  return {
    ...{ status, createdAt, firstTryAt, takenAt, nextAt, isInDoubt, unknownToldAt, hasId },
    wasRestored: found?.wasRestored ?? false,
    isHeld: found?.isHeld ?? false,
    isOvertaken: found?.isOvertaken ?? false,
    isTooLong: found?.isTooLong ?? false,
  };
}

function contextOf(batch: PayoutBatch, now: Date): CommandContext {
  return { ...systemCause(now), scope: scopeOf(batch) };
}

function gone(batchId: string): BatchState {
  const none = { tries: 0, asks: 0, items: 0, lastAnswer: null, nextAt: null, waitMs: 0 };
  return { batchId, status: 'gone', ...none };
}

function stateOf(batch: PayoutBatch, now: Date, until: Date | null): BatchState {
  const { id: batchId, status, tries, asks, itemCount: items, lastAnswer } = batch;
  const answer = lastAnswer && `${lastAnswer.httpStatus ?? 'none'} ${lastAnswer.name ?? ''}`.trim();
  return {
    ...{ batchId, status, tries, asks, items, lastAnswer: answer },
    nextAt: until?.toISOString() ?? null,
    waitMs: until ? Math.max(1_000, until.getTime() - now.getTime()) : 0,
  };
}
