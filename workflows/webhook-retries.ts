import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  defineUpdate,
  isCancellation,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { RetriesState } from '../activities/webhooks/delivery/clock';
import type { RetriesCommandName } from '../activities/webhooks/operator-commands';
import type { OperatorNote } from '../entities/rules/values/operator-note';
import { database } from './activities';
import { changedSignalName, type WebhookRetriesInput } from '../runtime/temporal/messages';
import { asRefusal, detailsOf, instant, ofOperators } from './operators';

/** Something may be due sooner than the workflow would look. */
const changedSignal = defineSignal(changedSignalName);
const stateQuery = defineQuery<RetriesState | null>('state');

/** Operators; each answers how many deliveries it moved. */
export const retryNowUpdate = defineUpdate<number, [OperatorNote]>('retryNow');
export const closeBreakerUpdate = defineUpdate<number, [OperatorNote]>('closeBreaker');
export const pauseUpdate = defineUpdate<number, [OperatorNote]>('pause');
export const giveUpUpdate = defineUpdate<number, [OperatorNote]>('giveUp');

const updates = {
  retryNow: ofOperators(
    'Tries the 500 retries that are due first now, or the next probe of an open breaker; ends a pause.',
  ),
  closeBreaker: ofOperators('Forgets the failures in a row: everything that is due is sent.'),
  pause: ofOperators('Has the retries wait until the next success of the endpoint or retryNow.'),
  giveUp: ofOperators('Makes every retry a dead letter now, which the merchant can replay.'),
};

/**
 * The clock of one endpoint's failed deliveries, on their way to success or dead letter: has the dispatchers
 * send what is due, names the probes of an open breaker, sleeps until the next attempt, and ends when
 * nothing is left. It knows nothing by itself: what is due, the breaker and the 5-day limit are facts
 * of the database, asked for in each round. To cancel it is to pause the retries.
 */
export async function webhookRetries(input: WebhookRetriesInput): Promise<void> {
  const { endpointId } = input;
  try {
    await keepTime(input);
  } catch (error) {
    if (isCancellation(error)) {
      await CancellationScope.nonCancellable(() => database.pauseWebhookRetries({ endpointId }));
    }
    throw error;
  }
}

async function keepTime(input: WebhookRetriesInput): Promise<void> {
  const { endpointId, roundsPerRun = Infinity } = input;
  const since = instant();
  let changed = false;
  let state: RetriesState | null = null;
  const order = async (name: RetriesCommandName, note: OperatorNote): Promise<number> => {
    const ordered = { endpointId, order: name, note };
    let moved = await asRefusal(database.orderWebhookRetries(ordered));
    if (name === 'give_up') moved += await giveUpTheRest(endpointId);
    changed = true;
    return moved;
  };
  setHandler(changedSignal, () => {
    changed = true;
  });
  setHandler(stateQuery, () => state);
  setHandler(retryNowUpdate, (note) => order('retry_now', note), updates.retryNow);
  setHandler(closeBreakerUpdate, (note) => order('close_breaker', note), updates.closeBreaker);
  setHandler(pauseUpdate, (note) => order('pause', note), updates.pause);
  setHandler(giveUpUpdate, (note) => order('give_up', note), updates.giveUp);

  for (let round = 0; round < roundsPerRun && !workflowInfo().continueAsNewSuggested; round += 1) {
    changed = false;
    state = await database.advanceWebhookRetries({ endpointId });
    setCurrentDetails(describe(state, since));

    // A signal that came meanwhile may be about something that this round did not see.
    if (!changed && state.nextAttemptAt === null) await condition(allHandlersFinished);
    if (!changed && state.nextAttemptAt === null) return;
    const summary = `Look again at ${state.nextAttemptAt ?? 'once'}`;
    if (!changed) await condition(() => changed, state.waitMs, { summary });
  }
  await condition(allHandlersFinished);
  await continueAsNew<typeof webhookRetries>(input);
}

/** Gives up batches until none is left, whatever the first answered: its repeat does not know what it did. */
async function giveUpTheRest(endpointId: string): Promise<number> {
  let moved = 0;
  for (;;) {
    const batch = await database.giveUpMoreRetries({ endpointId });
    if (batch === 0) return moved;
    moved += batch;
  }
}

/** What an operator reads in Temporal Web. */
function describe(state: RetriesState, since: string): string {
  const { endpointId, backlog, nextAttemptAt, pausedSince, breakerOpen, failuresInRow } = state;
  const waiting = `Open deliveries: ${backlog > 10_000 ? 'more than 10,000' : backlog}.`;
  const next =
    nextAttemptAt === null ? 'Nothing: the run ends.' : `Looks again at ${nextAttemptAt}.`;
  const breaker = breakerOpen ? 'open, one probe a minute' : 'closed';
  return detailsOf({
    about: `Retries of endpoint ${endpointId}`,
    now: pausedSince === null ? waiting : `Paused by an operator. ${waiting}`,
    since: pausedSince ?? since,
    next: pausedSince === null ? next : 'Nothing until the next success, or `retryNow`.',
    updates: ['retryNow', 'closeBreaker', 'pause', 'giveUp'],
    more: [
      `**Breaker** ${breaker}; ${failuresInRow} failures in a row`,
      `**Road to dead letter** ${roadOf(state)}`,
      `**Last error** ${state.lastError ?? 'none'}`,
    ],
  });
}

function roadOf({ road }: RetriesState): string {
  if (road === null) return 'no retry waits';
  const { deliveryId, attempts, of, nextAt, lastStatus } = road;
  const answer = lastStatus === null ? 'no answer' : `answered ${lastStatus}`;
  const next = Math.min(attempts + 1, of);
  return `delivery ${deliveryId}: attempt ${next} of ${of} at ${nextAt ?? 'no time'}; last time ${answer}`;
}
