import { boundedTransaction, type Db, query, queryOne } from '../../entities/database/sql';
import type { Cause } from '../journal/cause';
import { isNotQueued } from '../journal/outbox';
import { unlessLocked } from '../../runtime/load/retry';
import { cancelRest, wakeColumns, wakeRetries, type EndpointWake } from './endpoint-health';
import { expireDeliveries } from './expire';
import { endpointsWithOpen } from './waiting-endpoints';

/** A workflow that should have looked this long ago is taken for lost. */
const overdueMs = 2 * 60_000;

/**
 * Repairs what a crash, an outage of Temporal or a terminated workflow left behind: retries, not
 * paused, without a workflow that keeps their clock, and deliveries still open at endpoints that take
 * none or of events that are no longer kept. Gives how many endpoints were woken and deliveries cancelled.
 */
export async function repairWebhookDeliveries(
  db: Db,
  cause: Cause,
): Promise<{ woken: number; cancelled: number }> {
  const lost = await query<{ id: string }>(
    db,
    `${endpointsWithOpen}
     SELECT e.id FROM waiting w JOIN webhook_endpoints e ON e.id = w.endpoint_id
      WHERE e.active_since IS NOT NULL AND e.deleted_at IS NULL
        AND e.retries_paused_at IS NULL
        AND (e.retries_wake_at IS NULL OR e.retries_wake_at < $1)
        AND EXISTS (SELECT 1 FROM webhook_deliveries d
                     WHERE d.endpoint_id = e.id AND d.status = 'retrying')
        AND ${isNotQueued('webhook_retries', 'e.id')}
      LIMIT 1000`,
    [new Date(cause.now.getTime() - overdueMs)],
  );
  for (const { id } of lost) await unlessLocked(() => wakeLost(db, cause, id));

  let cancelled = await expireDeliveries(db, cause);
  const closed = await query<{ id: string }>(
    db,
    `${endpointsWithOpen}
     SELECT e.id FROM waiting w JOIN webhook_endpoints e ON e.id = w.endpoint_id
      WHERE e.active_since IS NULL OR e.deleted_at IS NOT NULL LIMIT 1000`,
  );
  for (const { id } of closed) cancelled += (await unlessLocked(() => cancelRest(db, id))) ?? 0;
  return { woken: lost.length, cancelled };
}

/** A wake-up that is long overdue does not count as one to come. */
async function wakeLost(db: Db, cause: Cause, endpointId: string): Promise<void> {
  await boundedTransaction(db, async (tx) => {
    const endpoint = await queryOne<EndpointWake>(
      tx,
      `SELECT ${wakeColumns} FROM webhook_endpoints AS e WHERE e.id = $1 FOR NO KEY UPDATE`,
      [endpointId],
    );
    const planned = endpoint?.retriesWakeAt ?? null;
    if (!endpoint || (planned && planned.getTime() >= cause.now.getTime() - overdueMs)) return;
    const wake = { endpoint: { ...endpoint, retriesWakeAt: null }, wakeAt: cause.now };
    await wakeRetries(tx, cause, [wake]);
  });
}
