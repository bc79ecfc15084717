import { newId } from '../../entities/ids';
import type { EndpointHealth } from '../../entities/rules/webhooks/health';
import { deliveryMoves } from '../../entities/rules/webhooks/delivery-status';
import { layOut, parametersOf, rowsOf } from '../../entities/database/bulk-rows';
import { selectList, tableOf } from '../../entities/database/columns';
import { movingSql } from '../../entities/database/moving';
import {
  boundedTransaction,
  type Db,
  execute,
  maxAtOnce,
  query,
  rowsAtOnce,
  type Tx,
} from '../../entities/database/sql';
import { WebhookEndpoint } from '../../entities/tables/webhooks/webhook-endpoint.entity';
import type { Cause } from '../journal/cause';
import { enqueueAll } from '../journal/outbox';
import type { Notice } from '../notifications/notice';
import { update } from '../../entities/database/update';

const health = [
  'failuresInRow',
  'failingSince',
  'lastError',
  'nextProbeAt',
  'deadLetterNoticedAt',
  'retriesPausedAt',
] as const satisfies (keyof EndpointHealth)[];
const wake = ['id', 'workspaceId', 'mode', 'retriesWakeAt'] as const;

/** What decides whether the workflow of an endpoint's retries has to be woken. */
export type EndpointWake = Pick<WebhookEndpoint, (typeof wake)[number]>;

/** An endpoint under lock, as far as its health needs. */
export type LockedEndpoint = EndpointWake &
  EndpointHealth &
  Pick<WebhookEndpoint, 'url' | 'activeSince' | 'deletedAt'>;

/** Select lists of these, of the table as `e`. */
export const wakeColumns = selectList(WebhookEndpoint, 'e', wake);
export const lockedColumns = selectList(WebhookEndpoint, 'e', [
  ...wake,
  ...health,
  'url',
  'activeSince',
  'deletedAt',
]);

const close = movingSql(deliveryMoves, { trigger: 'close', to: 'cancelled', of: 'd' });

export interface HealthOfEndpoint {
  endpointId: string;
  health: EndpointHealth;
}

const sets = layOut({ changes: tableOf(WebhookEndpoint, ['id', ...health]) });
const changed = Object.values(tableOf(WebhookEndpoint, health).columns)
  .map(({ name }) => `${name} = r.${name}`)
  .join(', ');

/** Writes the health of endpoints that the caller has locked. A probe has ended by it. */
export async function saveHealth(tx: Tx, changes: readonly HealthOfEndpoint[]): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map((change) => ({ id: change.endpointId, ...change.health }));
  await execute(
    tx,
    `UPDATE webhook_endpoints AS e SET ${changed}, probe_id = NULL FROM ${rowsOf(sets.changes)} WHERE e.id = r.id`,
    parametersOf(sets, { changes: rows }),
  );
}

export interface RetriesWake {
  endpoint: EndpointWake;
  wakeAt: Date;
}

/**
 * Has the workflows of endpoints' retries look at `wakeAt` at the latest. One is signalled only when it
 * would look later or does not run, so that a thousand failures are one message.
 */
export async function wakeRetries(
  tx: Tx,
  { now }: Cause,
  wakes: readonly RetriesWake[],
): Promise<void> {
  const sooner = wakes.filter(
    ({ endpoint: { retriesWakeAt }, wakeAt }) => retriesWakeAt === null || retriesWakeAt > wakeAt,
  );
  if (sooner.length === 0) return;
  await execute(
    tx,
    `UPDATE webhook_endpoints AS e SET retries_wake_at = w.at
       FROM unnest($1::uuid[], $2::timestamptz[]) AS w (id, at) WHERE e.id = w.id`,
    [sooner.map(({ endpoint }) => endpoint.id), sooner.map(({ wakeAt }) => wakeAt)],
  );
  const work = sooner.map(({ endpoint: { id, workspaceId, mode } }) => ({
    topic: 'webhook_retries' as const,
    ref: id,
    workspaceId,
    payload: { workspaceId, mode },
    availableAt: now,
  }));
  await enqueueAll(tx, work);
}

/** The service gives up on an endpoint: what waits for it is cancelled. The notice is to be written. */
export async function disableEndpoint(
  tx: Tx,
  { now }: Cause,
  { endpoint, reason }: { endpoint: LockedEndpoint; reason: string },
): Promise<Notice> {
  await update(tx, WebhookEndpoint, {
    set: { activeSince: null, disabledReason: reason, updatedAt: now },
    where: { id: endpoint.id },
  });
  await cancelOpenDeliveries(tx, endpoint.id);
  return endpointNotice(endpoint, { type: 'webhook.disabled', reason });
}

/** The notice to the workspace's members of what became of an endpoint of theirs. */
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

/** What an UPDATE of deliveries sets that cancels them, and which rows (`d`) it may change. */
export const cancelling = {
  set: `${close.set}, next_attempt_at = NULL, lease_token = NULL, lease_until = NULL`,
  where: close.where,
};

/** Cancels a batch of what an inactive or deleted endpoint will not get. Returns how many there were. */
export async function cancelOpenDeliveries(tx: Tx, endpointId: string): Promise<number> {
  return execute(
    tx,
    `WITH open AS (
       SELECT d.id FROM webhook_deliveries AS d
        WHERE d.endpoint_id = $1 AND ${cancelling.where}
        ORDER BY d.next_attempt_at, d.id LIMIT $2 FOR UPDATE
     )
     UPDATE webhook_deliveries AS d SET ${cancelling.set} FROM open WHERE d.id = open.id`,
    [endpointId, rowsAtOnce],
  );
}

/**
 * Cancels, a transaction a batch, what an endpoint that takes nothing was still to get. Returns how
 * many there were; fewer than `max` when none is left.
 */
export async function cancelRest(
  db: Db,
  endpointId: string,
  { max = maxAtOnce } = {},
): Promise<number> {
  let cancelled = 0;
  for (let batch = rowsAtOnce; batch === rowsAtOnce && cancelled < max; cancelled += batch) {
    batch = await cancelSome(db, endpointId);
  }
  return cancelled;
}

function cancelSome(db: Db, endpointId: string): Promise<number> {
  return boundedTransaction(db, async (tx) => {
    const closed = await query(
      tx,
      `SELECT 1 FROM webhook_endpoints
        WHERE id = $1 AND (active_since IS NULL OR deleted_at IS NOT NULL) FOR NO KEY UPDATE`,
      [endpointId],
    );
    return closed.length === 0 ? 0 : cancelOpenDeliveries(tx, endpointId);
  });
}
