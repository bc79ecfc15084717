import {
  ActivityFailure,
  ApplicationFailure,
  TemporalFailure,
  allHandlersFinished,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  defineUpdate,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { CommissionState, OperatorDecision } from '../activities/commissions/activities';
import {
  noteProblem,
  optionalNoteProblem,
  type OperatorNote,
} from '../entities/rules/commissions/operator-reasons';
import { changedSignalName, type CommissionLifecycleInput } from './messages';

export interface LifecycleState extends CommissionState {
  commissionId: string;
  /** What it waits for; `nothing` once it is decided. */
  waitsFor: 'hold' | 'review' | 'decision' | 'nothing';
}

/** The row changed: look at it again. */
export const changedSignal = defineSignal(changedSignalName);
export const stateQuery = defineQuery<LifecycleState>('state');
/** Operators decide from Temporal Web; override and reject need a reason code. */
export const approveUpdate = defineUpdate<CommissionState, [OperatorNote | null]>('approve');
export const approveOverrideUpdate = defineUpdate<CommissionState, [OperatorNote]>(
  'approveOverride',
);
export const rejectUpdate = defineUpdate<CommissionState, [OperatorNote]>('reject');
export const elapseHoldUpdate = defineUpdate<CommissionState, [OperatorNote | null]>('elapseHold');

const retry = { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '30s' } as const;

/** The usual case costs one marker in the history. */
const { advance: advanceQuickly } = proxyLocalActivities<Activities>({
  startToCloseTimeout: '4s',
  scheduleToCloseTimeout: '5s',
  retry: { ...retry, maximumAttempts: 2 },
});

/** A commission that cannot be advanced waits at the server, visibly, and holds no place of a worker. */
const { advance: advancePatiently } = proxyActivities<Activities>({
  startToCloseTimeout: '20s',
  retry: { ...retry, initialInterval: '2s', maximumInterval: '5m' },
});

/** A person waits for it. */
const { decideAsOperator } = proxyLocalActivities<Activities>({
  startToCloseTimeout: '10s',
  scheduleToCloseTimeout: '20s',
  retry,
});

/** The clocks of Temporal and of the worker differ a little: ask again soon, and less soon each time. */
const minWaitMs = 100;
const longestMinWaitMs = 10_000;

/**
 * One commission from its hold to its decision. It trusts nothing that it remembers: on a timer or
 * a signal it asks the row what is true, and sleeps again or ends. Its first task only sets a timer.
 */
export async function commissionLifecycle(input: CommissionLifecycleInput): Promise<string> {
  const { commissionId } = input;
  let seen: CommissionState | null = stateAtStart(input);
  let changed = false;

  const decide = async (
    decision: OperatorDecision['decision'],
    note: OperatorNote | null | undefined,
  ): Promise<CommissionState> => {
    const { reasonCode: reason = null, operator = null } = note ?? {};
    const decided = await asRefusal(decideAsOperator({ commissionId, decision, reason, operator }));
    changed = true;
    return decided;
  };
  const needed = { validator: (note: OperatorNote) => refuse(noteProblem(note)) };
  const optional = { validator: (note: OperatorNote | null) => refuse(optionalNoteProblem(note)) };
  setHandler(changedSignal, () => {
    changed = true;
  });
  setHandler(stateQuery, () => stateOf(commissionId, seen));
  setHandler(approveUpdate, (note) => decide('approve', note), optional);
  setHandler(elapseHoldUpdate, (note) => decide('elapse_hold', note), optional);
  setHandler(approveOverrideUpdate, (note) => decide('approve_override', note), needed);
  setHandler(rejectUpdate, (note) => decide('reject', note), needed);

  let idleRounds = 0;
  let looks = 0;
  while (seen?.status === 'pending') {
    setCurrentDetails(describe(commissionId, seen));
    await waitFor(seen, { isChanged: () => changed, idleRounds });
    changed = false;
    const before = seen;
    seen = await advance(commissionId);
    idleRounds = isStillDue(before, seen) ? idleRounds + 1 : 0;
    looks += 1;
    await goOnAsNew(input, { seen, looks, isChanged: () => changed });
  }
  setCurrentDetails(describe(commissionId, seen));
  await condition(allHandlersFinished);
  return seen?.status ?? 'gone';
}

function stateAtStart({ holdUntil, needsReview }: CommissionLifecycleInput): CommissionState {
  const holdElapsed = holdUntil === null;
  return { status: 'pending', holdUntil, holdElapsed, needsReview, reviewReasons: [] };
}

/** Until the hold ends or something changes; what has no hold any more waits for a change only. */
async function waitFor(
  seen: CommissionState,
  { isChanged, idleRounds }: { isChanged: () => boolean; idleRounds: number },
): Promise<void> {
  if (seen.holdElapsed || seen.holdUntil === null) return condition(isChanged);
  const left = Date.parse(seen.holdUntil) - Date.now();
  const minMs = Math.min(minWaitMs * 10 ** idleRounds, longestMinWaitMs);
  await condition(isChanged, Math.max(minMs, left));
}

/** Here the hold is over, where the row was asked it is not: the clock there is behind. */
function isStillDue(before: CommissionState, after: CommissionState | null): boolean {
  return after?.holdElapsed === false && after.holdUntil === before.holdUntil;
}

async function advance(commissionId: string): Promise<CommissionState | null> {
  try {
    return await advanceQuickly({ commissionId });
  } catch (error) {
    if (!(error instanceof TemporalFailure) || isCancellation(error)) throw error;
    return advancePatiently({ commissionId });
  }
}

/** A commission that is flagged and unflagged for years does not grow one history without end. */
async function goOnAsNew(
  { commissionId, looksPerRun }: CommissionLifecycleInput,
  at: { seen: CommissionState | null; looks: number; isChanged: () => boolean },
): Promise<void> {
  const { seen, looks, isChanged } = at;
  const isLong = workflowInfo().continueAsNewSuggested || looks >= (looksPerRun ?? Infinity);
  if (seen?.status !== 'pending' || !isLong) return;
  await condition(allHandlersFinished);
  // Changed in the meantime: look first, the next round goes on as new.
  if (isChanged()) return;
  const { needsReview } = seen;
  const holdUntil = seen.holdElapsed ? null : seen.holdUntil;
  const next = { commissionId, holdUntil, needsReview };
  await continueAsNew<typeof commissionLifecycle>(
    looksPerRun === undefined ? next : { ...next, looksPerRun },
  );
}

/** A refusal is known by its code, not by the activity that met it. */
async function asRefusal<T>(decision: Promise<T>): Promise<T> {
  try {
    return await decision;
  } catch (error) {
    if (error instanceof ActivityFailure && error.cause instanceof ApplicationFailure) {
      throw ApplicationFailure.nonRetryable(error.cause.message, error.cause.type);
    }
    throw error;
  }
}

function stateOf(commissionId: string, seen: CommissionState | null): LifecycleState {
  const known = seen ?? {
    status: 'gone',
    holdUntil: null,
    holdElapsed: true,
    needsReview: false,
    reviewReasons: [],
  };
  return { commissionId, ...known, waitsFor: waitsFor(known) };
}

function waitsFor(seen: CommissionState): LifecycleState['waitsFor'] {
  if (seen.status !== 'pending') return 'nothing';
  if (!seen.holdElapsed) return 'hold';
  return seen.needsReview ? 'review' : 'decision';
}

/** What an operator reads in Temporal Web. */
function describe(commissionId: string, seen: CommissionState | null): string {
  const {
    holdUntil,
    reviewReasons,
    needsReview,
    status,
    waitsFor: waits,
  } = stateOf(commissionId, seen);
  const texts = {
    hold: `Held until ${holdUntil ?? ''}.`,
    review: 'The hold is over. Waits for a manual review (update `approve` or `reject`).',
    decision: 'The hold is over. Waits for a decision (update `approve` or `reject`).',
    nothing: `Decided: ${status}.`,
  };
  const reasons = reviewReasons.length > 0 ? `: ${reviewReasons.join(', ')}` : '';
  const flags = needsReview ? [`**Flagged**${reasons}`] : [];
  return [`**Commission** ${commissionId}`, texts[waits], ...flags].join('\n\n');
}

function refuse(problem: string | undefined): void {
  if (problem !== undefined) throw ApplicationFailure.nonRetryable(problem, 'VALIDATION_ERROR');
}
