import {
  CancellationScope,
  continueAsNew,
  defineQuery,
  defineSignal,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { ResetProgress } from '../activities/test-data/run-reset';
import { database } from './activities';
import { changedSignalName, type ResetTestDataInput } from './messages';

/** There may be a reset that it has not seen yet. */
const changedSignal = defineSignal(changedSignalName);
export const resetProgressQuery = defineQuery<ResetProgress | null>('progress');

/** Rounds after which the history begins again, whatever its size. */
const defaultRoundsPerRun = 200;

/** A round works for some seconds and reports each batch: a dead worker is seen soon. */
const { resetTestDataTurn } = proxyActivities<Activities>({
  startToCloseTimeout: '2m',
  heartbeatTimeout: '10s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '30s' },
});

/**
 * A reset of a workspace's test data: rounds of bounded batches until nothing is left. What is left
 * is a fact of the database; a reset that is asked for while it ends is taken on.
 */
export async function resetTestData(input: ResetTestDataInput): Promise<ResetProgress | null> {
  const { workspaceId, roundsPerRun = defaultRoundsPerRun } = input;
  let changed = false;
  let progress: ResetProgress | null = null;
  setHandler(changedSignal, () => {
    changed = true;
  });
  setHandler(resetProgressQuery, () => progress);

  for (let round = 0; round < roundsPerRun && !workflowInfo().continueAsNewSuggested; round += 1) {
    changed = false;
    progress = await roundOrFail(workspaceId);
    setCurrentDetails(describe(workspaceId, progress));
    if (progress.status !== 'running' && !changed) return progress;
  }
  return continueAsNew<typeof resetTestData>(input);
}

/** Cancelled by an operator: the reset counts as failed, so that another one can begin. */
async function roundOrFail(workspaceId: string): Promise<ResetProgress> {
  try {
    return await resetTestDataTurn({ workspaceId });
  } catch (error) {
    if (isCancellation(error)) {
      await CancellationScope.nonCancellable(() => database.failTestDataReset({ workspaceId }));
    }
    throw error;
  }
}

/** What an operator reads in Temporal Web. */
function describe(workspaceId: string, { resetId, status, step, deleted }: ResetProgress): string {
  const rows = Object.entries(deleted).map(([table, count]) => `- ${table}: ${count}`);
  return [
    `**Workspace** ${workspaceId}`,
    `**Reset** ${resetId ?? 'none is open'}`,
    `**Status** ${status}${step === null ? '' : `, at ${step}`}`,
    `**Rows deleted**\n${rows.join('\n') || 'none yet'}`,
  ].join('\n\n');
}
