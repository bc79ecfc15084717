import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { createActivities } from '../../../activities';
import { activityInterceptors } from '../../../workers/temporal/interceptors';
import { taskQueues } from '../../../runtime/temporal/messages';
import type { TestDeps } from '../app';
import { workflowBundle } from './workflow-bundle';

export interface ErasureWorker {
  stop(): Promise<void>;
}

type Activities = ReturnType<typeof createActivities>;

/** A worker for eraseSubject: of the queue that the API names, or of one of its own. */
export async function startErasureWorker(
  deps: TestDeps,
  { taskQueue = taskQueues.erasure as string, activities = {} as Partial<Activities> } = {},
): Promise<ErasureWorker> {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const { address, namespace } = deps.config.temporal;
  const connection = await NativeConnection.connect({ address });
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue,
    workflowBundle: await workflowBundle(),
    activities: { ...createActivities(deps), ...activities },
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
