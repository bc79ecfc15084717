import {
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { RetriesState } from '../activities/webhooks/delivery/clock';
import { database } from './activities';
import { changedSignalName, type WebhookRetriesInput } from './messages';

/** Something may be due sooner than the workflow would look. */
const changedSignal = defineSignal(changedSignalName);
const stateQuery = defineQuery<RetriesState | null>('state');

/** Rounds after which the run continues as new, whatever its size. */
const defaultRoundsPerRun = 100;

/**
 * The clock of one endpoint's failed deliveries, on their way to success or dead letter: has the dispatchers
 * send what is due, names the probes of an open breaker, sleeps until the next attempt, and ends when
 * nothing is left. It knows nothing by itself: what is due, the breaker and the 5-day limit are facts
 * of the database, asked for in each round.
 */
export async function webhookRetries(input: WebhookRetriesInput): Promise<void> {
  const { endpointId, roundsPerRun = defaultRoundsPerRun } = input;
  let changed = false;
  let state: RetriesState | null = null;
  setHandler(changedSignal, () => {
    changed = true;
  });
  setHandler(stateQuery, () => state);

  for (let round = 0; round < roundsPerRun && !workflowInfo().continueAsNewSuggested; round += 1) {
    changed = false;
    state = await database.advanceWebhookRetries({ endpointId });
    setCurrentDetails(describe(state));

    // A signal that came meanwhile may be about something that this round did not see.
    if (state.nextAttemptAt === null && !changed) return;
    if (!changed) await condition(() => changed, state.waitMs);
  }
  await continueAsNew<typeof webhookRetries>(input);
}

/** What an operator reads in Temporal Web. */
function describe(state: RetriesState): string {
  const breaker = state.breakerOpen ? 'open, one probe a minute' : 'closed';
  return [
    `**Endpoint** ${state.endpointId}`,
    `**Open deliveries** ${state.backlog > 10_000 ? 'more than 10,000' : state.backlog}`,
    `**Next attempt** ${state.nextAttemptAt ?? 'none'}`,
    `**Breaker** ${breaker}, ${state.failuresInRow} failures in a row`,
    `**Last error** ${state.lastError ?? 'none'}`,
  ].join('\n\n');
}
