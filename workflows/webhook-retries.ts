import {
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { RetriesState } from '../activities/webhooks/delivery/run-retries';
import { changedSignalName, type WebhookRetriesInput } from './messages';

/** Something may be due sooner than the workflow would look. */
const changedSignal = defineSignal(changedSignalName);
const stateQuery = defineQuery<RetriesState | null>('state');

/** Rounds after which the run continues as new, whatever its size. */
const defaultRoundsPerRun = 100;

/** A round sends for some 15 s and then waits for its last attempts; a dead worker is seen sooner. */
const { runWebhookRetries } = proxyActivities<Activities>({
  startToCloseTimeout: '5m',
  heartbeatTimeout: '15s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
});

/**
 * The road of one endpoint's failed deliveries to success or dead letter: sends what is due, sleeps
 * until the next attempt, and ends when nothing is left. It knows nothing by itself: what is due,
 * the breaker and the 5-day limit are facts of the database, asked for in each round.
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
    state = await runWebhookRetries({ endpointId });
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
