import { newId } from '../../entities/ids';
import type { EndpointHealth } from '../../entities/rules/webhooks/health';
import type { Scope } from '../../entities/rules/values/mode';
import { execute, type Tx } from '../../entities/database/sql';
import { enqueue } from '../journal/outbox';
import type { Notice } from '../notifications/notice';

/** An endpoint under lock, as far as its health needs. */
export interface LockedEndpoint extends Scope, EndpointHealth {
  id: string;
  url: string;
  /** When the workflow of its retries looks next; null when there is none. */
  retriesWakeAt: Date | null;
}

/** How many open deliveries one transaction cancels; the sweeper takes what is left. */
const cancelBatch = 10_000;

/** Writes the health of an endpoint that the caller has locked. */
export async function saveHealth(
  tx: Tx,
  endpointId: string,
  health: EndpointHealth,
): Promise<void> {
  await execute(
    tx,
    `UPDATE webhook_endpoints
        SET failures_in_row = $2, failing_since = $3, last_error = $4, next_probe_at = $5,
            dead_letter_noticed_at = $6
      WHERE id = $1`,
    [
      endpointId,
      health.failuresInRow,
      health.failingSince,
      health.lastError,
      health.nextProbeAt,
      health.deadLetterNoticedAt,
    ],
  );
}

/**
 * Has the workflow of the endpoint's retries look at `wakeAt` at the latest. It is signalled only when it
 * would look later or does not run, so that a thousand failures are one message.
 */
export async function wakeRetries(
  tx: Tx,
  endpoint: Pick<LockedEndpoint, 'id' | 'workspaceId' | 'mode' | 'retriesWakeAt'>,
  { wakeAt, now }: { wakeAt: Date; now: Date },
): Promise<void> {
  if (endpoint.retriesWakeAt !== null && endpoint.retriesWakeAt <= wakeAt) return;

  await execute(tx, `UPDATE webhook_endpoints SET retries_wake_at = $2 WHERE id = $1`, [
    endpoint.id,
    wakeAt,
  ]);
  const { workspaceId, mode } = endpoint;
  await enqueue(tx, {
    topic: 'webhook_retries',
    ref: endpoint.id,
    payload: { workspaceId, mode },
    availableAt: now,
  });
}

/** The service gives up on an endpoint: what waits for it is cancelled. The notice is to be written. */
export async function disableEndpoint(
  tx: Tx,
  endpoint: LockedEndpoint,
  { reason, now }: { reason: string; now: Date },
): Promise<Notice> {
  await execute(
    tx,
    `UPDATE webhook_endpoints SET active_since = NULL, disabled_reason = $2, updated_at = $3
      WHERE id = $1`,
    [endpoint.id, reason, now],
  );
  await cancelOpenDeliveries(tx, endpoint.id);
  return endpointNotice(endpoint, { type: 'webhook.disabled', reason });
}

/** For the members of the workspace: what became of an endpoint of theirs. */
export function endpointNotice(
  { id, url, workspaceId, mode }: LockedEndpoint,
  { type, reason }: { type: 'webhook.disabled' | 'webhook.dead_letter'; reason: string | null },
): Notice {
  return {
    side: 'merchant',
    feedId: workspaceId,
    type,
    causeId: newId(),
    mode,
    workspaceId,
    participantId: null,
    data: { endpointId: id },
    facts: { url, reason },
  };
}

/** Cancels what an inactive or deleted endpoint will not get. Returns how many there were. */
export async function cancelOpenDeliveries(tx: Tx, endpointId: string): Promise<number> {
  return execute(
    tx,
    `WITH open AS (
       SELECT id FROM webhook_deliveries
        WHERE endpoint_id = $1 AND status IN ('pending', 'retrying')
        ORDER BY id LIMIT $2 FOR UPDATE
     )
     UPDATE webhook_deliveries d
        SET status = 'cancelled', next_attempt_at = NULL, lease_token = NULL, lease_until = NULL
       FROM open WHERE d.id = open.id`,
    [endpointId, cancelBatch],
  );
}
