import { newId } from '../../entities/ids';
import type { EndpointHealth } from '../../entities/rules/webhooks/health';
import { deliveryMoves } from '../../entities/rules/webhooks/delivery-status';
import { selectList } from '../../entities/database/columns';
import { movingSql } from '../../entities/database/moving';
import { boundedTransaction, execute, query, type Db, type Tx } from '../../entities/database/sql';
import { WebhookEndpoint } from '../../entities/tables/webhooks/webhook-endpoint.entity';
import type { Cause } from '../journal/cause';
import { record } from '../journal/record';
import type { Notice } from '../notifications/notice';

const health = [
  'failuresInRow',
  'failingSince',
  'lastError',
  'nextProbeAt',
  'deadLetterNoticedAt',
] as const satisfies (keyof EndpointHealth)[];
const wake = ['id', 'workspaceId', 'mode', 'retriesWakeAt'] as const;

/** What decides whether the workflow of an endpoint's retries has to be woken. */
export type EndpointWake = Pick<WebhookEndpoint, (typeof wake)[number]>;

/** An endpoint under lock, as far as its health needs. */
export type LockedEndpoint = EndpointWake & EndpointHealth & Pick<WebhookEndpoint, 'url'>;

/** Select lists of these, of the table as `e`. */
export const wakeColumns = selectList(WebhookEndpoint, 'e', wake);
export const lockedColumns = selectList(WebhookEndpoint, 'e', [...wake, ...health, 'url']);

const close = movingSql(deliveryMoves, { trigger: 'close', to: 'cancelled', of: 'd' });

/**
 * How many open deliveries one transaction cancels: whatever else concerns the endpoint waits for it.
 * `cancelRest` takes what is left, and the sweeper what that leaves.
 */
export const cancelBatch = 500;

/** One call cancels no more; a second's worth. */
const mostAtOnce = 10_000;

/** Writes the health of an endpoint that the caller has locked. */
export async function saveHealth(
  tx: Tx,
  endpointId: string,
  changed: EndpointHealth,
): Promise<void> {
  await execute(
    tx,
    `UPDATE webhook_endpoints
        SET failures_in_row = $2, failing_since = $3, last_error = $4, next_probe_at = $5,
            dead_letter_noticed_at = $6
      WHERE id = $1`,
    [
      endpointId,
      changed.failuresInRow,
      changed.failingSince,
      changed.lastError,
      changed.nextProbeAt,
      changed.deadLetterNoticedAt,
    ],
  );
}

/**
 * Has the workflow of the endpoint's retries look at `wakeAt` at the latest. It is signalled only when it
 * would look later or does not run, so that a thousand failures are one message.
 */
export async function wakeRetries(
  tx: Tx,
  cause: Cause,
  { endpoint, wakeAt }: { endpoint: EndpointWake; wakeAt: Date },
): Promise<void> {
  if (endpoint.retriesWakeAt !== null && endpoint.retriesWakeAt <= wakeAt) return;

  await execute(tx, `UPDATE webhook_endpoints SET retries_wake_at = $2 WHERE id = $1`, [
    endpoint.id,
    wakeAt,
  ]);
  const { id, workspaceId, mode } = endpoint;
  const context = { ...cause, scope: { workspaceId, mode } };
  const payload = { workspaceId, mode };
  await record(tx, context, { work: [{ topic: 'webhook_retries', ref: id, payload }] });
}

/** The service gives up on an endpoint: what waits for it is cancelled. The notice is to be written. */
export async function disableEndpoint(
  tx: Tx,
  { now }: Cause,
  { endpoint, reason }: { endpoint: LockedEndpoint; reason: string },
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
       SELECT d.id FROM webhook_deliveries AS d
        WHERE d.endpoint_id = $1 AND ${close.where}
        ORDER BY d.id LIMIT $2 FOR UPDATE
     )
     UPDATE webhook_deliveries AS d
        SET ${close.set}, next_attempt_at = NULL, lease_token = NULL, lease_until = NULL
       FROM open WHERE d.id = open.id`,
    [endpointId, cancelBatch],
  );
}

/**
 * Cancels, a transaction a batch, what an endpoint that takes nothing was still to get. Returns how
 * many there were; fewer than `atMost` when none is left.
 */
export async function cancelRest(
  db: Db,
  endpointId: string,
  { atMost = mostAtOnce } = {},
): Promise<number> {
  let cancelled = 0;
  for (let batch = cancelBatch; batch === cancelBatch && cancelled < atMost; cancelled += batch) {
    batch = await cancelSome(db, endpointId);
  }
  return cancelled;
}

function cancelSome(db: Db, endpointId: string): Promise<number> {
  return boundedTransaction(db, 'own', async (tx) => {
    const closed = await query(
      tx,
      `SELECT 1 FROM webhook_endpoints
        WHERE id = $1 AND (active_since IS NULL OR deleted_at IS NOT NULL) FOR NO KEY UPDATE`,
      [endpointId],
    );
    return closed.length === 0 ? 0 : cancelOpenDeliveries(tx, endpointId);
  });
}
