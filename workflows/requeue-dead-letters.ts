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
import type { OperatorNote } from '../entities/rules/values/operator-note';
import { database } from './activities';
import { wasCancelled } from './operator-nudge';
import { asRefusal, detailsOf, instant, ofOperators } from './operators';
import {
  rangeSignalName,
  type RequeueDeadLettersInput,
  type RequeueRange,
} from '../runtime/temporal/messages';

/** Dead letters that are asked for while the workflow runs. */
const rangeSignal = defineSignal<[RequeueRange]>(rangeSignalName);
const queuedQuery = defineQuery<number>('queued');
/** Answers how many dead letters were queued again. */
export const stopRequeueUpdate = defineUpdate<number, [OperatorNote]>('stop');
const stop = ofOperators('Stops the replay: what is left stays a dead letter.');

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
  const { endpointId, batchesPerRun = Infinity } = input;
  const ranges = [...(input.ranges ?? [])];
  let queued = input.queued ?? 0;
  setHandler(rangeSignal, (range: RequeueRange) => {
    ranges.push(range);
  });
  setHandler(queuedQuery, () => queued);
  let underWay: CancellationScope | undefined;
  let isStopped = false;
  let batch = Promise.resolve(0);
  setHandler(
    stopRequeueUpdate,
    async (note) => {
      await asRefusal(database.stopRequeueAsOperator({ endpointId, note }));
      isStopped = true;
      ranges.length = 0;
      underWay?.cancel();
      // A batch that runs is committed, and counted before this goes on.
      await batch;
      return queued;
    },
    stop,
  );

  const since = instant();
  for (let batches = 0; ranges[0]; batches += 1) {
    if (batches >= batchesPerRun || workflowInfo().continueAsNewSuggested) {
      await condition(allHandlersFinished);
      if (!ranges[0]) break;
      await continueAsNew<typeof requeueDeadLetters>({ ...input, ranges, queued });
    }
    const [range] = ranges;
    underWay = new CancellationScope();
    const batchOf = (): Promise<number> =>
      database.requeueDeadLetterBatch({ endpointId, ...range });
    batch = orNone(underWay.run(batchOf), () => ranges.length === 0);
    const count = await batch;
    queued += count;
    if (count === 0 && ranges[0] === range) ranges.shift();
    setCurrentDetails(describe(endpointId, { queued, ranges, since, isStopped }));
  }
  await condition(allHandlersFinished);
  return queued;
}

/** None of a batch that was cancelled because an operator stopped the replay. */
async function orNone(batch: Promise<number>, isStopped: () => boolean): Promise<number> {
  try {
    return await batch;
  } catch (error) {
    if (wasCancelled(error) && isStopped()) return 0;
    throw error;
  }
}

interface Progress {
  queued: number;
  ranges: readonly RequeueRange[];
  since: string;
  isStopped: boolean;
}

/** What an operator reads in Temporal Web. */
function describe(endpointId: string, { queued, ranges, since, isStopped }: Progress): string {
  const [range] = ranges;
  const end = isStopped ? 'Stopped by an operator: what is left stays dead letters.' : 'Done.';
  const from = range?.since ?? 'the beginning';
  return detailsOf({
    about: `Dead letters of endpoint ${endpointId}`,
    now: range ? `Queues those again that died between ${from} and ${range.until}.` : end,
    since,
    next: range
      ? `The next batch of 1,000; ${ranges.length - 1} ranges after this one.`
      : 'The run ends.',
    updates: range ? ['stop'] : [],
    more: [`**Queued again** ${queued}`],
  });
}
