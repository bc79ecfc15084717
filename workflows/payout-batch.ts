import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  defineUpdate,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { BatchState } from '../activities/sending/advance';
import type { OperatorNote } from '../entities/rules/values/operator-note';
import { database } from './activities';
import { changedSignalName, type PayoutBatchInput } from '../runtime/temporal/messages';
import { asRefusal, detailsOf, instant, ofOperators } from './operators';

const changedSignal = defineSignal(changedSignalName);
export const payoutBatchStateQuery = defineQuery<BatchState | null>('state');
export const askNowUpdate = defineUpdate<null, [OperatorNote]>('askNow');

const askNow = ofOperators(
  'Asks the provider now what became of the batch, or tells it now what it was not told yet.',
);

/**
 * It talks to the provider for as long as that takes, and shows that it lives: a worker that died is followed by
 * another one within seconds, which waits for the end of the lease.
 */
const { advancePayoutBatch } = proxyActivities<Activities>({
  startToCloseTimeout: '1h',
  heartbeatTimeout: '20s',
  retry: { initialInterval: '1s', maximumInterval: '1m' },
  summary: 'What is due of the batch',
});

/**
 * The clock of one batch that a provider pays: its tries, then the questions what became of it, for half a year.
 * It knows nothing by itself: what is due are facts of the database, asked for in each round; a run whose row is
 * gone sends nothing and ends.
 */
export async function payoutBatch(input: PayoutBatchInput): Promise<void> {
  const { batchId, roundsPerRun = Infinity } = input;
  const since = instant();
  let changed = false;
  let state: BatchState | null = null;
  setHandler(changedSignal, () => {
    changed = true;
  });
  setHandler(payoutBatchStateQuery, () => state);
  setHandler(
    askNowUpdate,
    async (note) => {
      await asRefusal(database.orderPayoutBatch({ batchId, note }));
      changed = true;
      return null;
    },
    askNow,
  );

  for (let round = 0; round < roundsPerRun && !workflowInfo().continueAsNewSuggested; round += 1) {
    changed = false;
    state = await advancePayoutBatch({ batchId });
    setCurrentDetails(describe(state, since));

    // A signal that came meanwhile may be about something that this round did not see.
    if (!changed && state.nextAt === null) await condition(allHandlersFinished);
    if (!changed && state.nextAt === null) return;
    const summary = `Look again at ${state.nextAt ?? 'once'}`;
    if (!changed) await condition(() => changed, state.waitMs, { summary });
  }
  await condition(allHandlersFinished);
  await continueAsNew<typeof payoutBatch>(input);
}

const words: Readonly<Record<BatchState['status'], string>> = {
  trying: 'The provider has not taken it yet, as far as is known',
  taken: 'Taken: the provider is asked what became of each payment',
  ended: 'Each payment has come to an end; the provider is asked whether one comes back',
  refused: 'The provider took nothing of it',
  attention: 'A person has to look at it, in the dashboard',
  gone: 'Its row is gone: nothing is sent',
};

/** What an operator reads in Temporal Web. */
function describe(state: BatchState, since: string): string {
  const { batchId, status, tries, asks, items, lastAnswer, nextAt } = state;
  return detailsOf({
    about: `Payout batch ${batchId} (table payout_batches)`,
    now: `${words[status]}. Payments: ${items}.`,
    since,
    next: nextAt === null ? 'Nothing by itself: the run ends.' : `Looks again at ${nextAt}.`,
    updates: nextAt === null ? [] : ['askNow'],
    more: [
      `**Tries** ${tries}; questions ${asks}`,
      `**Last answer** ${lastAnswer ?? 'none'}`,
      'What only a person may say goes through the dashboard or the API, with a code.',
    ],
  });
}
