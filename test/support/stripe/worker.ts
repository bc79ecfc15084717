import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import type { WorkflowHandle } from '@temporalio/client';
import { createCommissionActivities } from '../../../activities/commissions/activities';
import { createStripeActivities } from '../../../activities/billing/activities';
import { query } from '../../../entities/database/sql';
import { activityInterceptors } from '../../../workers/temporal/interceptors';
import {
  changedSignalName,
  workflowIds,
  type ProcessStripeEventInput,
} from '../../../runtime/temporal/messages';
import type { processStripeEvent } from '../../../workflows/process-stripe-event';
import type { TestDeps } from '../app';
import { workflowBundle } from '../workers/workflow-bundle';

type StripeHandle = WorkflowHandle<typeof processStripeEvent>;

export interface StripeWorker {
  /** Carries the outbox's work for Stripe's events to Temporal, as the relay does. */
  relay(patience?: ProcessStripeEventInput['patience']): Promise<StripeHandle[]>;
  handle(eventId: string): StripeHandle;
  stop(): Promise<void>;
}

/** A worker for processStripeEvent, on a queue of its own, against the real server. */
export async function startStripeWorker(deps: TestDeps): Promise<StripeWorker> {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const connection = await NativeConnection.connect({ address: deps.config.temporal.address });
  const taskQueue = `stripe-${process.pid}-${Date.now()}`;
  const worker = await Worker.create({
    connection,
    namespace: deps.config.temporal.namespace,
    taskQueue,
    workflowBundle: await workflowBundle(),
    activities: { ...createCommissionActivities(deps), ...createStripeActivities(deps) },
    interceptors: { activity: [activityInterceptors(deps.log)] },
  });
  const running = worker.run();
  const { workflow } = deps.temporal.client;

  return {
    async relay(patience) {
      const work = await query<{ ref: string }>(
        deps.db.manager,
        `DELETE FROM outbox WHERE topic = 'stripe_event' RETURNING ref::text AS ref`,
      );
      return Promise.all(
        work.map(({ ref }) =>
          workflow.signalWithStart<typeof processStripeEvent>('processStripeEvent', {
            workflowId: workflowIds.stripeEvent(ref),
            taskQueue,
            signal: changedSignalName,
            args: [{ eventId: ref, ...(patience ? { patience } : {}) }],
          }),
        ),
      );
    },
    handle: (eventId) => workflow.getHandle(workflowIds.stripeEvent(eventId)),
    async stop() {
      worker.shutdown();
      await running;
      await connection.close();
    },
  };
}
