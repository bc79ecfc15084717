import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import type { WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import { createCommissionActivities } from '../../../activities/commissions/activities';
import type { CommissionRecord } from '../../../activities/commissions/records';
import { activityInterceptors } from '../../../workers/temporal/interceptors';
import type { commissionLifecycle } from '../../../workflows/commission-lifecycle';
import {
  memoOf,
  workflowIds,
  type CommissionLifecycleInput,
} from '../../../runtime/temporal/messages';
import { newId } from '../../../entities/ids';
import type { TestDeps } from '../app';
import { workflowBundle } from './workflow-bundle';

export interface LifecycleWorker {
  start(
    commission: CommissionRecord,
    more?: Pick<CommissionLifecycleInput, 'looksPerRun'> & { requestId?: string },
  ): Promise<WorkflowHandleWithFirstExecutionRunId<typeof commissionLifecycle>>;
  stop(): Promise<void>;
}

/** The runtime of a process is installed once. */
let isInstalled = false;

/** A worker for commissionLifecycle alone, on a queue of its own, against the real server. */
export async function startLifecycleWorker(
  deps: TestDeps,
  activities = createCommissionActivities(deps),
): Promise<LifecycleWorker> {
  if (!isInstalled) Runtime.install({ logger: new DefaultLogger('ERROR') });
  isInstalled = true;
  const connection = await NativeConnection.connect({ address: deps.config.temporal.address });
  const taskQueue = `lifecycle-${newId()}`;
  const worker = await Worker.create({
    connection,
    namespace: deps.config.temporal.namespace,
    taskQueue,
    workflowBundle: await workflowBundle(),
    activities,
    interceptors: { activity: [activityInterceptors(deps.log)] },
  });
  const running = worker.run();
  return {
    start: (commission, { requestId, ...more } = {}) =>
      deps.temporal.client.workflow.start<typeof commissionLifecycle>('commissionLifecycle', {
        workflowId: workflowIds.commission(commission.id),
        taskQueue,
        args: [{ ...inputOf(commission), ...more }],
        memo: memoOf(requestId),
      }),
    async stop() {
      worker.shutdown();
      await running;
      await connection.close();
    },
  };
}

function inputOf({ id, holdUntil, needsReview }: CommissionRecord): CommissionLifecycleInput {
  return { commissionId: id, holdUntil: holdUntil?.toISOString() ?? null, needsReview };
}
