import {
  ActivityCancellationType,
  ActivityFailure,
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  condition,
  defineQuery,
  defineSignal,
  defineUpdate,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { StripeEventState } from '../activities/billing/activities';
import type { OperatorNote } from '../entities/rules/values/operator-note';
import { database } from './activities';
import { OperatorNudge } from './operator-nudge';
import {
  changedSignalName,
  stripeAttemptFailures,
  type ProcessStripeEventInput,
} from '../runtime/temporal/messages';
import { asRefusal, detailsOf, instant, ofOperators } from './operators';

export const stripeEventStateQuery = defineQuery<StripeEventState>('state');
export const stripeEventChangedSignal = defineSignal(changedSignalName);

export const retryEventUpdate = defineUpdate<null, [OperatorNote]>('retryNow');
export const giveUpEventUpdate = defineUpdate<null, [OperatorNote]>('giveUp');

const updates = {
  retryNow: ofOperators('Tries the event now instead of at its next time.'),
  giveUp: ofOperators('Gives the event up: it counts as failed, and can be replayed.'),
};

type Patience = Required<ProcessStripeEventInput>['patience'];

/** 24 attempts with these waits last for 17 hours: an outage of Stripe's API fits in. */
const usualPatience: Patience = { firstWaitMs: 1_000, attempts: 24 };

/**
 * One event of a biller's, exactly once in effect: tried until it is processed, ignored or known to
 * wait for its payment; given up, visibly and replayable, after a day. A replay of an event that
 * still runs is a signal: the row is read once more.
 */
export async function processStripeEvent(
  input: ProcessStripeEventInput,
): Promise<StripeEventState> {
  const { eventId, patience = usualPatience } = input;
  let asked = true;
  let state: StripeEventState = { status: 'received', type: '', attempts: 0 };
  const since = instant();
  const attempts = new OperatorNudge();
  let round = new CancellationScope();
  setHandler(
    retryEventUpdate,
    async (note) => {
      await asRefusal(database.orderStripeEvent({ eventId, order: 'retry_now', note }));
      attempts.now();
      return null;
    },
    updates.retryNow,
  );
  setHandler(
    giveUpEventUpdate,
    async (note) => {
      await asRefusal(database.orderStripeEvent({ eventId, order: 'give_up', note }));
      round.cancel();
      return null;
    },
    updates.giveUp,
  );
  setHandler(stripeEventChangedSignal, () => {
    asked = true;
  });
  setHandler(stripeEventStateQuery, () => state);

  while (asked) {
    asked = false;
    round = new CancellationScope();
    const tried = (): Promise<StripeEventState> =>
      attemptUntilItEnds(eventId, { patience, attempts, since });
    state = await orGiveUp(eventId, round.run(tried));
    setCurrentDetails(describe(eventId, { state, since, next: 'The run ends.' }));
    // A run that was cancelled answers, too.
    await CancellationScope.nonCancellable(() => condition(allHandlersFinished));
  }
  return state;
}

async function orGiveUp(
  eventId: string,
  tried: Promise<StripeEventState>,
): Promise<StripeEventState> {
  try {
    return await tried;
  } catch (error) {
    if (!(error instanceof ActivityFailure) && !isCancellation(error)) throw error;
    return CancellationScope.nonCancellable(() => database.giveUpStripeEvent({ eventId }));
  }
}

interface Trying {
  patience: Patience;
  attempts: OperatorNudge;
  since: string;
}

/**
 * The server tries again what was put off or whose worker died, for a day and each minute at least; what
 * failed is counted here, so that an event that waited behind others has all of its attempts left.
 */
async function attemptUntilItEnds(
  eventId: string,
  { patience, attempts: nudge, since }: Trying,
): Promise<StripeEventState> {
  const { firstWaitMs, attempts } = patience;
  const { attemptStripeEvent } = proxyActivities<Activities>({
    startToCloseTimeout: '2m',
    scheduleToCloseTimeout: '24h',
    retry: { maximumInterval: '1m' },
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    summary: 'One attempt; put off while rows are locked',
  });
  const show = (failed: number, next: string): void => {
    const state = {
      status: failed > 0 ? 'retrying' : 'received',
      type: '',
      attempts: failed,
    } as const;
    setCurrentDetails(describe(eventId, { state, since, next }));
  };
  for (let failures = 0; ;) {
    show(failures, `Attempt ${failures + 1} of ${attempts} is under way.`);
    try {
      return await nudge.call(() => attemptStripeEvent({ eventId }));
    } catch (error) {
      if (endedWith(error, stripeAttemptFailures.putOff)) continue;
      failures += 1;
      const isOver = failures >= attempts || !endedWith(error, stripeAttemptFailures.failed);
      if (isOver) throw error;
    }
    // Three times as long each time, an hour at most.
    const waitMs = Math.min(3_600_000, firstWaitMs * 3 ** (failures - 1));
    const at = new Date(Date.now() + waitMs).toISOString();
    show(failures, `Attempt ${failures + 1} of ${attempts} at ${at}.`);
    await nudge.wait(waitMs, `Attempt ${failures + 1} of ${attempts}`);
  }
}

/** The failure of an attempt, or of the last one before the server gave up. */
function endedWith(error: unknown, type: string): boolean {
  if (error instanceof ApplicationFailure && error.type === type) return true;
  return error instanceof Error && error.cause !== undefined && endedWith(error.cause, type);
}

interface Shown {
  state: StripeEventState;
  since: string;
  next: string;
}

/** What an operator reads in Temporal Web. */
function describe(eventId: string, { state, since, next }: Shown): string {
  const { status, type, attempts } = state;
  const isOpen = status === 'received' || status === 'retrying';
  return detailsOf({
    about: `Event ${eventId} of a biller (table stripe_events)`,
    now: `${type || 'An event'}: ${status}, attempts so far: ${attempts}.`,
    since,
    next,
    updates: isOpen ? ['retryNow', 'giveUp'] : [],
    more: ['What went wrong is in the row, and in the list of events of its biller.'],
  });
}
