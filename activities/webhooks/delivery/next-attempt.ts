import { selectList } from '../../../entities/database/columns';
import { listed } from '../../../entities/database/moving';
import { countFrom, queryOne, type Tx } from '../../../entities/database/sql';
import { openDeliveries } from '../../../entities/rules/webhooks/delivery-status';
import { WebhookEndpoint } from '../../../entities/tables/webhooks/webhook-endpoint.entity';

const used = ['failuresInRow', 'lastError', 'nextProbeAt'] as const;

export interface LockedHealth extends Pick<WebhookEndpoint, (typeof used)[number]> {
  /** Active and not deleted. */
  isServed: boolean;
}

const deleted: LockedHealth = {
  isServed: false,
  failuresInRow: 0,
  lastError: null,
  nextProbeAt: null,
};

/** How an endpoint has been answering, locked until the transaction ends. */
export async function lockHealth(tx: Tx, endpointId: string): Promise<LockedHealth> {
  const health = await queryOne<LockedHealth>(
    tx,
    `SELECT e.active_since IS NOT NULL AND e.deleted_at IS NULL AS "isServed",
       ${selectList(WebhookEndpoint, 'e', used)}
       FROM webhook_endpoints AS e WHERE e.id = $1 FOR NO KEY UPDATE`,
    [endpointId],
  );
  return health ?? deleted;
}

/**
 * The earliest time at which something can be sent. What is leased, by a process that may be dead,
 * counts from the end of its lease. With the breaker open that is the next probe, as long as there is
 * anything left to probe with, first attempts included.
 */
export async function nextAttempt(
  tx: Tx,
  endpointId: string,
  { isServed, breakerOpen, nextProbeAt }: LockedHealth & { breakerOpen: boolean },
): Promise<Date | null> {
  if (!isServed) return null;
  const row = await queryOne<{ at: Date | null }>(
    tx,
    `SELECT min(at) AS at FROM unnest(ARRAY[${listed(openDeliveries)}]) AS s(status)
      CROSS JOIN LATERAL (
        SELECT greatest(d.next_attempt_at, d.lease_until) AS at FROM webhook_deliveries d
         WHERE d.endpoint_id = $1 AND d.status = s.status AND (s.status = 'retrying' OR $2)
           AND d.status IN (${listed(openDeliveries)})
         ORDER BY d.next_attempt_at LIMIT 50
      ) AS earliest`,
    [endpointId, breakerOpen],
  );
  const at = row?.at ?? null;
  return at !== null && breakerOpen && nextProbeAt !== null ? nextProbeAt : at;
}

export function countOpen(tx: Tx, endpointId: string): Promise<number> {
  return countFrom(
    tx,
    `(SELECT 1 FROM webhook_deliveries
       WHERE endpoint_id = $1 AND status IN (${listed(openDeliveries)}) LIMIT 10001) AS open`,
    [endpointId],
  );
}
