import { transaction } from '../../entities/database/sql';
import { requeueBatch } from './deliveries';
import { systemCause } from '../journal/cause';
import { giveUpMore, commandRetries, pauseRetries, type RetriesCommand } from './operator-commands';
import { forgetRequeue, forgetRequeues, stopRequeues, type StoppedRequeue } from './requeues';
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

    /** What an operator commands for an endpoint's retries; how many deliveries it moved. */
    orderWebhookRetries: (command: RetriesCommand): Promise<number> =>
      commandRetries(deps, command),

    /** One more batch of retries that are given up; 0 when there are no more. */
    giveUpMoreRetries: ({ endpointId }: { endpointId: string }): Promise<number> =>
      giveUpMore(deps, endpointId),

    /** The workflow was cancelled. */
    pauseWebhookRetries: ({ endpointId }: { endpointId: string }): Promise<void> =>
      pauseRetries(deps, endpointId),

    /** Forgets what is left of an endpoint's ranges, as an operator commands. */
    stopRequeueAsOperator: (command: StoppedRequeue): Promise<void> => stopRequeues(deps, command),

    /** Forgets what is left of an endpoint's ranges: an operator stopped the replay. */
    stopRequeue: ({ endpointId }: { endpointId: string }): Promise<void> =>
      forgetRequeues(db, endpointId),

    /** Queues a batch of dead letters again; 0 when there are no more. */
    requeueDeadLetterBatch: ({ endpointId, ...range }: RequeueBatchInput): Promise<number> =>
      transaction(db, async (tx) => {
        const since = range.since === null ? null : momentOf(range.since);
        const until = momentOf(range.until);
        const firstDelayMs = deps.config.webhooks.retrySchedule[0] ?? 0;
        const command = { endpointId, since, until, firstDelayMs };
        const queued = await requeueBatch(tx, systemCause(deps.clock.now()), command);
        if (queued === 0) await forgetRequeue(tx, { endpointId, since, until });
        return queued;
      }),
  };
}

/** An operator may start a replay by hand: what is no time is said to be none, before any row is looked at. */
function momentOf(text: string): Date {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) throw new RangeError('the range is given by what is no time');
  return at;
}
