import { heartbeat } from '@temporalio/activity';
import type { Deps } from '../../runtime/process/deps';
import { stopReset, type StoppedReset } from './operator-commands';
import { failReset, runResetSlice, type ResetProgress } from './run-reset';

/** What resetTestData calls. */
export function createTestDataActivities(deps: Pick<Deps, 'db' | 'clock'>) {
  return {
    /** Some seconds of work on the workspace's open reset. Histories that still run hold the name. */
    resetTestDataTurn: ({ workspaceId }: { workspaceId: string }): Promise<ResetProgress> =>
      runResetSlice(deps, workspaceId, () => heartbeat()),

    /** Stops a reset, on an operator's command. */
    stopTestDataReset: (stopped: StoppedReset): Promise<void> => stopReset(deps, stopped),

    failTestDataReset: ({ workspaceId }: { workspaceId: string }): Promise<void> =>
      failReset(deps.db.manager, { now: deps.clock.now() }, { workspaceId }),
  };
}
