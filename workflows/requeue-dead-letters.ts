import {
  CancellationScope,
  continueAsNew,
  defineQuery,
  defineSignal,
  isCancellation,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { database } from './activities';
import { rangeSignalName, type RequeueDeadLettersInput, type RequeueRange } from './messages';

/** Dead letters that are asked for while the workflow runs. */
const rangeSignal = defineSignal<[RequeueRange]>(rangeSignalName);
const queuedQuery = defineQuery<number>('queued');

/** Batches after which the run continues as new, whatever its size. */
const defaultBatchesPerRun = 500;

/**
 * Bulk replay: queues an endpoint's dead letters again, a batch at a time, oldest first. The ranges
 * come by signal (signal-with-start), so that a second request joins the first. To cancel it is to stop: the
 * ranges are forgotten, and no repair takes them up.
 */
export async function requeueDeadLetters(input: RequeueDeadLettersInput): Promise<number> {
  try {
    return await requeueRanges(input);
  } catch (error) {
    if (isCancellation(error)) {
      const { endpointId } = input;
      await CancellationScope.nonCancellable(() => database.stopRequeue({ endpointId }));
    }
    throw error;
  }
}

async function requeueRanges(input: RequeueDeadLettersInput): Promise<number> {
  const { endpointId, batchesPerRun = defaultBatchesPerRun } = input;
  const ranges = [...(input.ranges ?? [])];
  let queued = input.queued ?? 0;
  setHandler(rangeSignal, (range: RequeueRange) => {
    ranges.push(range);
  });
  setHandler(queuedQuery, () => queued);

  for (let batch = 0; ranges[0]; batch += 1) {
    if (batch >= batchesPerRun || workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof requeueDeadLetters>({ ...input, ranges, queued });
    }
    const count = await database.requeueDeadLetterBatch({ endpointId, ...ranges[0] });
    queued += count;
    if (count === 0) ranges.shift();
    setCurrentDetails(`**Endpoint** ${endpointId}\n\n**Queued again** ${queued}`);
  }
  return queued;
}
