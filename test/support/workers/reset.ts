import { NativeConnection, Worker } from '@temporalio/worker';
import type { Activities } from '../../../activities';
import { createTestDataActivities } from '../../../activities/test-data/activities';
import { activityInterceptors } from '../../../workers/temporal/interceptors';
import { taskQueues } from '../../../runtime/temporal/messages';
import type { TestDeps } from '../app';
import { workflowBundle } from './workflow-bundle';

/** A worker for resetTestData, against the real server; on the queue of the service unless told. */
export async function startResetWorker(
  deps: TestDeps,
  taskQueue: string = taskQueues.bulk,
  activities: Partial<Activities> = {},
): Promise<{ stop(): Promise<void> }> {
  const connection = await NativeConnection.connect({ address: deps.config.temporal.address });
  const worker = await Worker.create({
    connection,
    namespace: deps.config.temporal.namespace,
    taskQueue,
    workflowBundle: await workflowBundle(),
    activities: { ...createTestDataActivities(deps), ...activities },
    interceptors: { activity: [activityInterceptors(deps.log)] },
  });
  const running = worker.run();
  return {
    async stop() {
      worker.shutdown();
      await running;
      await connection.close();
    },
  };
}
