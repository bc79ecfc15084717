import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  defineQuery,
  defineSignal,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
} from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { StripeEventState } from '../activities/stripe/activities';
import { database } from './activities';
import { changedSignalName, stripeAttemptFailures, type ProcessStripeEventInput } from './messages';

export const stripeEventStateQuery = defineQuery<StripeEventState>('state');
export const stripeEventChangedSignal = defineSignal(changedSignalName);

type Patience = Required<ProcessStripeEventInput>['patience'];

const backoffCoefficient = 3;
const longestWaitMs = 3_600_000;

/** 24 attempts with these waits last for 17 hours: an outage of Stripe's API fits in. */
const usualPatience: Patience = { firstWaitMs: 1_000, attempts: 24 };

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

async function attemptOrGiveUp(eventId: string, patience: Patience): Promise<StripeEventState> {
  try {
    return await attemptUntilItEnds(eventId, patience);
  } catch (error) {
    if (!(error instanceof ActivityFailure) && !isCancellation(error)) throw error;
    return CancellationScope.nonCancellable(() => database.giveUpStripeEvent({ eventId }));
  }
}

/**
 * The server tries again what was put off or whose worker died, within a day; what failed is counted
 * here, so that an event that waited behind others has all of its attempts left.
 */
async function attemptUntilItEnds(
  eventId: string,
  { firstWaitMs, attempts }: Patience,
): Promise<StripeEventState> {
  const { attemptStripeEvent } = proxyActivities<Activities>({
    startToCloseTimeout: '2m',
    scheduleToCloseTimeout: '24h',
    retry: { initialInterval: firstWaitMs, backoffCoefficient, maximumInterval: longestWaitMs },
  });
  for (let failures = 0; ;) {
    try {
      return await attemptStripeEvent({ eventId });
    } catch (error) {
      if (endedWith(error, stripeAttemptFailures.putOff)) continue;
      failures += 1;
      const isOver = failures >= attempts || !endedWith(error, stripeAttemptFailures.failed);
      if (isOver) throw error;
    }
    await sleep(Math.min(longestWaitMs, firstWaitMs * backoffCoefficient ** (failures - 1)));
  }
}

/** The failure of an attempt, or of the last one before the server gave up. */
function endedWith(error: unknown, type: string): boolean {
  if (error instanceof ApplicationFailure && error.type === type) return true;
  return error instanceof Error && error.cause !== undefined && endedWith(error.cause, type);
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
