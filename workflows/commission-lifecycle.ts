import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  defineUpdate,
  ApplicationFailure,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { CommissionTurn, OperatorDecision } from '../activities/commission-turns.activities';
import { local } from './activities';
import { changedSignalName, type CommissionLifecycleInput } from './contract';

export interface LifecycleState extends CommissionTurn {
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

/** The clocks of Temporal and of the database differ a little: never spin. */
const leastWaitMs = 100;

/**
 * One commission from its hold to its decision. It remembers nothing: on a timer or a signal it
 * asks the row what is true, and sleeps again or ends. Its first task only sets a timer.
 */
export async function commissionLifecycle(input: CommissionLifecycleInput): Promise<string> {
  const { commissionId } = input;
  let turn: CommissionTurn | null = firstTurn(input);
  let changed = false;

  const decide = async (decision: OperatorDecision['decision'], reason: string | null) => {
    const decided = await local.decideAsOperator({ commissionId, decision, reason });
    changed = true;
    return decided;
  };
  const withReason = { validator: requireReason };
  setHandler(changedSignal, () => {
    changed = true;
  });
  setHandler(stateQuery, () => stateOf(turn));
  setHandler(approveUpdate, () => decide('approve', null));
  setHandler(elapseHoldUpdate, () => decide('elapse_hold', null));
  setHandler(approveOverrideUpdate, (reason) => decide('approve_override', reason), withReason);
  setHandler(rejectUpdate, (reason) => decide('reject', reason), withReason);

  while (turn?.status === 'pending') {
    setCurrentDetails(describe(turn));
    await waitFor(turn, () => changed);
    changed = false;
    turn = await local.advance({ commissionId });
    if (turn?.status === 'pending' && workflowInfo().continueAsNewSuggested) {
      await condition(allHandlersFinished);
      await continueAsNew<typeof commissionLifecycle>({ ...turn, commissionId });
    }
  }
  setCurrentDetails(describe(turn));
  await condition(allHandlersFinished);
  return turn?.status ?? 'gone';
}

function firstTurn({ holdUntil, needsReview }: CommissionLifecycleInput): CommissionTurn {
  return { status: 'pending', holdUntil, needsReview, reviewReasons: [] };
}

/** Until the hold ends or something changes; what has no timer waits for a change only. */
async function waitFor({ holdUntil }: CommissionTurn, isChanged: () => boolean): Promise<void> {
  const left = holdUntil === null ? Number.NaN : Date.parse(holdUntil) - Date.now();
  if (left > 0) await condition(isChanged, Math.max(leastWaitMs, left));
  else await condition(isChanged);
}

function stateOf(turn: CommissionTurn | null): LifecycleState {
  const known = turn ?? { status: 'gone', holdUntil: null, needsReview: false, reviewReasons: [] };
  return { ...known, waitsFor: waitsFor(known) };
}

function waitsFor({ status, holdUntil, needsReview }: CommissionTurn): LifecycleState['waitsFor'] {
  if (status !== 'pending') return 'nothing';
  if (holdUntil !== null && Date.parse(holdUntil) > Date.now()) return 'hold';
  return needsReview ? 'review' : 'decision';
}

function describe(turn: CommissionTurn | null): string {
  if (!turn) return 'The commission is gone.';
  const reasons =
    turn.reviewReasons.length > 0 ? ` Flagged: ${turn.reviewReasons.join(', ')}.` : '';
  const texts = {
    hold: `Held until ${turn.holdUntil ?? ''}.`,
    review: 'Waits for a manual review.',
    decision: 'Waits for a decision.',
    nothing: `Decided: ${turn.status}.`,
  };
  return texts[waitsFor(turn)] + reasons;
}

function requireReason(reason: string): void {
  if (typeof reason === 'string' && reason.length >= 1 && reason.length <= 500) return;
  throw ApplicationFailure.nonRetryable(
    'Give a reason of 1 to 500 characters.',
    'VALIDATION_ERROR',
  );
}
