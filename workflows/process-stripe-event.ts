import {
  ActivityFailure,
  CancellationScope,
  defineQuery,
  defineSignal,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { StripeEventState } from '../activities/stripe/activities';
import { database } from './activities';
import { changedSignalName, type ProcessStripeEventInput } from './messages';

export const stripeEventStateQuery = defineQuery<StripeEventState>('state');
export const stripeEventChangedSignal = defineSignal(changedSignalName);

/** 24 attempts with these waits last for 17 hours: an outage of Stripe's API fits in. */
const usualPatience = { firstWaitMs: 1_000, attempts: 24 };

/**
 * One event of Stripe's, exactly once in effect: tried until it is processed, ignored or known to
 * wait for its payment; given up, visibly and replayable, after a day. A replay of an event that
 * still runs is a signal: the row is looked at once more.
 */
export async function processStripeEvent(
  input: ProcessStripeEventInput,
): Promise<StripeEventState> {
  const { eventId, patience = usualPatience } = input;
  let asked = true;
  let state: StripeEventState = { status: 'received', type: '', attempts: 0 };
  setHandler(stripeEventChangedSignal, () => {
    asked = true;
  });
  setHandler(stripeEventStateQuery, () => state);

  while (asked) {
    asked = false;
    setCurrentDetails(describe(eventId, state));
    state = await attemptOrGiveUp(eventId, patience);
    setCurrentDetails(describe(eventId, state));
  }
  return state;
}

async function attemptOrGiveUp(
  eventId: string,
  { firstWaitMs, attempts }: typeof usualPatience,
): Promise<StripeEventState> {
  const { attemptStripeEvent } = proxyActivities<Activities>({
    startToCloseTimeout: '2m',
    retry: {
      initialInterval: firstWaitMs,
      backoffCoefficient: 3,
      maximumInterval: '1h',
      maximumAttempts: attempts,
    },
  });
  try {
    return await attemptStripeEvent({ eventId });
  } catch (error) {
    if (!(error instanceof ActivityFailure) && !isCancellation(error)) throw error;
    return CancellationScope.nonCancellable(() => database.giveUpStripeEvent({ eventId }));
  }
}

/** What an operator reads in Temporal Web. */
function describe(eventId: string, { status, type, attempts }: StripeEventState): string {
  return [
    `**Event** ${eventId} (table stripe_events)`,
    `**Type** ${type || 'not read yet'}`,
    `**Status** ${status}`,
    `**Attempts before** ${attempts}`,
    'What went wrong is in the row, and in the answer of GET /api/v1/workspace/stripe/events.',
  ].join('\n\n');
}
