import {
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
import type { OperatorNote } from '../entities/rules/values/operator-note';
import { changedSignalName, type CommissionLifecycleInput } from '../runtime/temporal/messages';
import { asRefusal, detailsOf, instant, ofOperators } from './operators';

export interface LifecycleState extends CommissionState {
  commissionId: string;
  /** What it waits for; `nothing` once it is decided. */
  waitsFor: 'hold' | 'review' | 'decision' | 'nothing';
}

/** The row changed: read it again. */
export const changedSignal = defineSignal(changedSignalName);
export const stateQuery = defineQuery<LifecycleState>('state');
/** Operators decide from Temporal Web. */
type Decide = [OperatorNote];
export const approveUpdate = defineUpdate<CommissionState, Decide>('approve');
export const approveOverrideUpdate = defineUpdate<CommissionState, Decide>('approveOverride');
export const rejectUpdate = defineUpdate<CommissionState, Decide>('reject');
export const elapseHoldUpdate = defineUpdate<CommissionState, Decide>('elapseHold');

const retry = { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '30s' } as const;

/** The usual case costs one marker in the history. */
const { advance: advanceQuickly } = proxyLocalActivities<Activities>({
  startToCloseTimeout: '4s',
  scheduleToCloseTimeout: '5s',
  retry: { ...retry, maximumAttempts: 2 },
  summary: 'Does what is due of the commission',
});

/** A commission that cannot be advanced waits at the server, visibly, and holds no place of a worker. */
const { advance: advancePatiently } = proxyActivities<Activities>({
  startToCloseTimeout: '20s',
  retry: { ...retry, initialInterval: '2s', maximumInterval: '5m' },
  summary: 'Does what is due, patiently: it failed twice',
});

/**
 * An operator waits for the answer. Not a local activity: the relay signals the committed decision within
 * milliseconds, and Temporal fails a workflow task that completes the run while a signal is buffered. An
 * update that only that task had accepted would fail with it.
 */
const { decideAsOperator } = proxyActivities<Activities>({
  startToCloseTimeout: '10s',
  scheduleToCloseTimeout: '20s',
  retry,
  summary: 'Decides as an operator commands',
});

const updates = {
  approve: ofOperators('Approves a commission whose hold is over.'),
  approveOverride: ofOperators('Approves before the hold is over.'),
  reject: ofOperators('Rejects; the reason code becomes the reason.'),
  elapseHold: ofOperators('Ends the hold now; in test mode only.'),
};

const updatesFor: Record<LifecycleState['waitsFor'], (keyof typeof updates)[]> = {
  hold: ['approveOverride', 'reject', 'elapseHold'],
  review: ['approve', 'reject'],
  decision: ['approve', 'reject'],
  nothing: [],
};

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
    note: OperatorNote,
  ): Promise<CommissionState> => {
    const decided = await asRefusal(decideAsOperator({ commissionId, decision, note }));
    changed = true;
    return decided;
  };
  setHandler(changedSignal, () => {
    changed = true;
  });
  setHandler(stateQuery, () => stateOf(commissionId, seen));
  setHandler(approveUpdate, (note) => decide('approve', note), updates.approve);
  setHandler(elapseHoldUpdate, (note) => decide('elapse_hold', note), updates.elapseHold);
  setHandler(
    approveOverrideUpdate,
    (note) => decide('approve_override', note),
    updates.approveOverride,
  );
  setHandler(rejectUpdate, (note) => decide('reject', note), updates.reject);

  let idleRounds = 0;
  let looks = 0;
  let since = instant();
  while (seen?.status === 'pending') {
    setCurrentDetails(describe(commissionId, seen, since));
    await waitFor(seen, { isChanged: () => changed, idleRounds });
    changed = false;
    const before = seen;
    seen = await advance(commissionId);
    if (waitsFor(before) !== (seen && waitsFor(seen))) since = instant();
    idleRounds = isStillDue(before, seen) ? idleRounds + 1 : 0;
    looks += 1;
    await goOnAsNew(input, { seen, looks, isChanged: () => changed });
  }
  setCurrentDetails(describe(commissionId, seen, since));
  await condition(allHandlersFinished);
  return seen?.status ?? 'gone';
}

function stateAtStart({ holdUntil, needsReview }: CommissionLifecycleInput): CommissionState {
  const holdElapsed = holdUntil === null;
  return { status: 'pending', holdUntil, holdElapsed, needsReview, reviewReasons: [] };
}

/** Waits until the hold ends or something changes; what has no hold any more waits for a change only. */
async function waitFor(
  seen: CommissionState,
  { isChanged, idleRounds }: { isChanged: () => boolean; idleRounds: number },
): Promise<void> {
  if (seen.holdElapsed || seen.holdUntil === null) return condition(isChanged);
  const left = Date.parse(seen.holdUntil) - Date.now();
  const minMs = Math.min(minWaitMs * 10 ** idleRounds, longestMinWaitMs);
  await condition(isChanged, Math.max(minMs, left), { summary: `Hold until ${seen.holdUntil}` });
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
function describe(commissionId: string, seen: CommissionState | null, since: string): string {
  const {
    holdUntil,
    reviewReasons,
    needsReview,
    status,
    waitsFor: waits,
  } = stateOf(commissionId, seen);
  const end = holdUntil ?? '';
  const texts = {
    hold: [
      `Held until ${end}.`,
      `At ${end} it is approved, unless it is flagged or the terms want a person.`,
    ],
    review: [
      'The hold is over. Waits for a manual review.',
      'Nothing until the last flag goes, or somebody decides.',
    ],
    decision: ['The hold is over. Waits for a decision.', 'Nothing until somebody decides.'],
    nothing: [`Decided: ${status}.`, 'The run ends.'],
  } as const;
  const [now, next] = texts[waits];
  return detailsOf({
    about: `Commission ${commissionId}`,
    now,
    since,
    next,
    updates: updatesFor[waits],
    more: needsReview ? [`**Flagged** ${reviewReasons.join(', ') || 'see its row'}`] : [],
  });
}
