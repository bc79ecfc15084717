import {
  ActivityFailure,
  ApplicationFailure,
  allHandlersFinished,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  defineUpdate,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { CommissionTurn, OperatorDecision } from '../activities/commissions/activities';
import { changedSignalName, type CommissionLifecycleInput } from './messages';

export interface LifecycleState extends CommissionTurn {
  commissionId: string;
  /** What it waits for; `nothing` once it is decided. */
  waitsFor: 'hold' | 'review' | 'decision' | 'nothing';
}

/** The row changed: look at it again. */
export const changedSignal = defineSignal(changedSignalName);
export const stateQuery = defineQuery<LifecycleState>('state');
/** Operators decide from Temporal Web; override and reject take a reason of 1 to 500 characters. */
export const approveUpdate = defineUpdate<CommissionTurn>('approve');
export const approveOverrideUpdate = defineUpdate<CommissionTurn, [string]>('approveOverride');
export const rejectUpdate = defineUpdate<CommissionTurn, [string]>('reject');
export const elapseHoldUpdate = defineUpdate<CommissionTurn>('elapseHold');

const retry = { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '30s' } as const;

/** Nobody waits for it: a database that is away for hours must not end the workflow. */
const { advance } = proxyLocalActivities<Activities>({ startToCloseTimeout: '10s', retry });

/** A person waits for it. */
const { decideAsOperator } = proxyLocalActivities<Activities>({
  startToCloseTimeout: '10s',
  scheduleToCloseTimeout: '20s',
  retry,
});

/** The clocks of Temporal and of the worker differ a little: ask again soon, but never spin. */
const leastWaitMs = 100;

/**
 * One commission from its hold to its decision. It trusts nothing that it remembers: on a timer or
 * a signal it asks the row what is true, and sleeps again or ends. Its first task only sets a timer.
 */
export async function commissionLifecycle(input: CommissionLifecycleInput): Promise<string> {
  const { commissionId } = input;
  let turn: CommissionTurn | null = firstTurn(input);
  let changed = false;

  const decide = async (
    decision: OperatorDecision['decision'],
    reason: string | null,
  ): Promise<CommissionTurn> => {
    const decided = await asRefusal(decideAsOperator({ commissionId, decision, reason }));
    changed = true;
    return decided;
  };
  const withReason = { validator: requireReason };
  setHandler(changedSignal, () => {
    changed = true;
  });
  setHandler(stateQuery, () => stateOf(commissionId, turn));
  setHandler(approveUpdate, () => decide('approve', null));
  setHandler(elapseHoldUpdate, () => decide('elapse_hold', null));
  setHandler(approveOverrideUpdate, (reason) => decide('approve_override', reason), withReason);
  setHandler(rejectUpdate, (reason) => decide('reject', reason), withReason);

  while (turn?.status === 'pending') {
    setCurrentDetails(describe(commissionId, turn));
    await waitFor(turn, () => changed);
    changed = false;
    turn = await advance({ commissionId });
    await goOnAsNew(commissionId, { turn, isChanged: () => changed });
  }
  setCurrentDetails(describe(commissionId, turn));
  await condition(allHandlersFinished);
  return turn?.status ?? 'gone';
}

function firstTurn({ holdUntil, needsReview }: CommissionLifecycleInput): CommissionTurn {
  const holdElapsed = holdUntil === null;
  return { status: 'pending', holdUntil, holdElapsed, needsReview, reviewReasons: [] };
}

/** Until the hold ends or something changes; what has no hold any more waits for a change only. */
async function waitFor(turn: CommissionTurn, isChanged: () => boolean): Promise<void> {
  if (turn.holdElapsed || turn.holdUntil === null) return condition(isChanged);
  const left = Date.parse(turn.holdUntil) - Date.now();
  await condition(isChanged, Math.max(leastWaitMs, left));
}

/** A commission that is flagged and unflagged for years does not grow one history without end. */
async function goOnAsNew(
  commissionId: string,
  { turn, isChanged }: { turn: CommissionTurn | null; isChanged: () => boolean },
): Promise<void> {
  if (turn?.status !== 'pending' || !workflowInfo().continueAsNewSuggested) return;
  await condition(allHandlersFinished);
  // Told in the meantime: look first, the next turn goes on as new.
  if (isChanged()) return;
  const { needsReview } = turn;
  const holdUntil = turn.holdElapsed ? null : turn.holdUntil;
  await continueAsNew<typeof commissionLifecycle>({ commissionId, holdUntil, needsReview });
}

/** A refusal is told by its code, not by the activity that met it. */
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

function stateOf(commissionId: string, turn: CommissionTurn | null): LifecycleState {
  const known = turn ?? {
    status: 'gone',
    holdUntil: null,
    holdElapsed: true,
    needsReview: false,
    reviewReasons: [],
  };
  return { commissionId, ...known, waitsFor: waitsFor(known) };
}

function waitsFor(turn: CommissionTurn): LifecycleState['waitsFor'] {
  if (turn.status !== 'pending') return 'nothing';
  if (!turn.holdElapsed) return 'hold';
  return turn.needsReview ? 'review' : 'decision';
}

/** What an operator reads in Temporal Web. */
function describe(commissionId: string, turn: CommissionTurn | null): string {
  const {
    holdUntil,
    reviewReasons,
    needsReview,
    status,
    waitsFor: waits,
  } = stateOf(commissionId, turn);
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

function requireReason(reason: string): void {
  if (typeof reason === 'string' && reason.length >= 1 && reason.length <= 500) return;
  throw ApplicationFailure.nonRetryable(
    'Give a reason of 1 to 500 characters.',
    'VALIDATION_ERROR',
  );
}
