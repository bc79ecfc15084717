import { transaction } from '../../entities/database/sql';
import { requeueBatch } from './deliveries';
import { systemCause } from '../journal/cause';
import { forgetRequeue, forgetRequeues } from './requeues';
import { advanceRetries, type RetriesState } from './delivery/clock';
import type { Deps } from '../../runtime/process/deps';

/** One endpoint's dead letters between two instants (ISO texts). */
export interface RequeueBatchInput {
  endpointId: string;
  since: string | null;
  until: string;
}

/** What the workflows of outbound webhooks call. */
export function createWebhookActivities(deps: Pick<Deps, 'db' | 'config' | 'clock'>) {
  const db = deps.db.manager;
  return {
    /** Makes due what is due of an endpoint's retries, and returns when to look again. */
    advanceWebhookRetries: ({ endpointId }: { endpointId: string }): Promise<RetriesState> =>
      advanceRetries(deps, endpointId),

    /** Forgets what is left of an endpoint's ranges: an operator stopped the replay. */
    stopRequeue: ({ endpointId }: { endpointId: string }): Promise<void> =>
      forgetRequeues(db, endpointId),

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
