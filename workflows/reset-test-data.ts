import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  defineUpdate,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { ResetProgress } from '../activities/test-data/run-reset';
import type { OperatorNote } from '../entities/rules/values/operator-note';
import { database } from './activities';
import { changedSignalName, type ResetTestDataInput } from '../runtime/temporal/messages';
import { asRefusal, detailsOf, instant, ofOperators } from './operators';

/** There may be a reset that it has not seen yet. */
const changedSignal = defineSignal(changedSignalName);
export const resetProgressQuery = defineQuery<ResetProgress | null>('progress');

export const stopResetUpdate = defineUpdate<null, [OperatorNote]>('stop');
const stop = ofOperators('Stops the reset: what was deleted is gone, and another one may begin.');

/** A round works for some seconds and reports each batch: a dead worker is seen soon. */
const { resetTestDataTurn } = proxyActivities<Activities>({
  startToCloseTimeout: '2m',
  heartbeatTimeout: '10s',
  summary: 'Deletes for some seconds',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '30s' },
});

/**
 * A reset of a workspace's test data: rounds of bounded batches until nothing is left. What is left
 * is a fact of the database; a reset that is asked for while it ends is taken on.
 */
export async function resetTestData(input: ResetTestDataInput): Promise<ResetProgress> {
  const { workspaceId, roundsPerRun = Infinity } = input;
  let changed = false;
  let progress: ResetProgress | null = null;
  setHandler(changedSignal, () => {
    changed = true;
  });
  setHandler(resetProgressQuery, () => progress);
  const since = instant();
  let turn = new CancellationScope();
  let isStopped = false;
  setHandler(
    stopResetUpdate,
    async (note) => {
      await asRefusal(database.stopTestDataReset({ workspaceId, note }));
      isStopped = true;
      turn.cancel();
      return null;
    },
    stop,
  );

  for (let round = 0; round < roundsPerRun && !workflowInfo().continueAsNewSuggested; round += 1) {
    changed = false;
    isStopped = false;
    turn = new CancellationScope();
    const working = turn.run(() => resetTestDataTurn({ workspaceId }));
    progress = await orFail(workspaceId, { round: working, isStopped: () => isStopped });
    setCurrentDetails(describe(workspaceId, progress, since));
    if (progress.status === 'running') continue;
    await condition(allHandlersFinished);
    if (!changed) return progress;
  }
  await condition(allHandlersFinished);
  return continueAsNew<typeof resetTestData>(input);
}

interface Round {
  round: Promise<ResetProgress>;
  isStopped: () => boolean;
}

/**
 * A round that ended because an operator stopped the reset leaves none open. When the whole run is cancelled the
 * reset counts as failed, so that another one can begin.
 */
async function orFail(workspaceId: string, { round, isStopped }: Round): Promise<ResetProgress> {
  try {
    return await round;
  } catch (error) {
    if (!isCancellation(error)) throw error;
    if (isStopped()) return { resetId: null, status: 'none', step: null, deleted: {} };
    await CancellationScope.nonCancellable(() => database.failTestDataReset({ workspaceId }));
    throw error;
  }
}

/** What an operator reads in Temporal Web. */
function describe(workspaceId: string, progress: ResetProgress, since: string): string {
  const { resetId, status, step, deleted } = progress;
  const rows = Object.entries(deleted).map(([table, count]) => `- ${table}: ${count}`);
  const isRunning = status === 'running';
  return detailsOf({
    about: `Reset of the test data of workspace ${workspaceId}`,
    now: `Reset ${resetId ?? '(none is open)'}: ${status}${step === null ? '' : `, at ${step}`}.`,
    since,
    next: isRunning ? 'The next batches, at once.' : 'The run ends.',
    updates: isRunning ? ['stop'] : [],
    more: [`**Rows deleted**\n${rows.join('\n') || 'none yet'}`],
  });
}
