import { transaction } from '../../entities/database/sql';
import { requeueBatch } from './deliveries';
import { systemCause } from '../journal/cause';
import { whileBeating } from '../../runtime/process/heartbeat';
import { forgetRequeue } from './requeues';
import { runRetries, type RetriesDeps, type RetriesState } from './delivery/run-retries';

/** One endpoint's dead letters between two instants (ISO texts). */
export interface RequeueBatchInput {
  endpointId: string;
  since: string | null;
  until: string;
}

/** What the workflows of outbound webhooks call. */
export function createWebhookActivities(deps: RetriesDeps) {
  const db = deps.db.manager;
  return {
    /** Sends the retries of an endpoint that are due and returns when to look again. */
    runWebhookRetries: ({ endpointId }: { endpointId: string }): Promise<RetriesState> =>
      whileBeating((signal) => runRetries(deps, endpointId, { signal })),

    /** Queues a batch of dead letters again; 0 when there are no more. */
    requeueDeadLetterBatch: ({ endpointId, ...range }: RequeueBatchInput): Promise<number> =>
      transaction(db, async (tx) => {
        const since = range.since === null ? null : new Date(range.since);
        const until = new Date(range.until);
        const firstDelayMs = deps.config.webhooks.retrySchedule[0] ?? 0;
        const command = { endpointId, since, until, firstDelayMs };
        const queued = await requeueBatch(tx, systemCause(deps.clock.now()), command);
        if (queued === 0) await forgetRequeue(tx, { endpointId, since, until });
        return queued;
      }),
  };
}
