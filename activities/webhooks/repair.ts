import { boundedTransaction, type Db, query, queryOne } from '../../entities/database/sql';
import { openDeliveries } from '../../entities/rules/webhooks/delivery-status';
import type { Cause } from '../journal/cause';
import { isNotQueued } from '../journal/outbox';
import { unlessLocked } from '../../runtime/load/unless-locked';
import { cancelRest, wakeColumns, wakeRetries, type EndpointWake } from './endpoint-health';
import { expireDeliveries } from './expire';
import { endpointsWith } from './waiting-endpoints';

/**
 * Hands first attempts that wait behind an open breaker to the workflow of the endpoint's retries,
 * when it has none: it may have ended while nothing was left to try.
 */
export async function handOverProbes(
  db: Db,
  cause: Cause,
  { breakerFailures }: { breakerFailures: number },
): Promise<number> {
  const found = await query<{ id: string }>(
    db,
    `SELECT e.id FROM webhook_endpoints e
      WHERE e.failures_in_row > 0 AND e.failures_in_row >= $1 AND e.retries_wake_at IS NULL
        AND e.active_since IS NOT NULL AND e.deleted_at IS NULL
        AND EXISTS (SELECT 1 FROM webhook_deliveries d
                     WHERE d.status = 'pending' AND d.endpoint_id = e.id)
      LIMIT 100`,
    [breakerFailures],
  );
  for (const { id } of found) await unlessLocked(() => wakeRetriesOf(db, cause, id));
  return found.length;
}

/** A workflow that should have looked this long ago is taken for lost. */
const overdueMs = 2 * 60_000;

/**
 * Repairs what a crash, an outage of Temporal or a terminated workflow left behind: retries that are
 * due without a workflow that looks after them, and deliveries still open at endpoints that take none
 * or of events that are no longer kept.
 * Gives how many endpoints were woken and deliveries cancelled.
 */
export async function repairWebhookDeliveries(
  db: Db,
  cause: Cause,
): Promise<{ woken: number; cancelled: number }> {
  const lost = await query<{ id: string }>(
    db,
    `${endpointsWith('retrying')}
     SELECT e.id FROM waiting w JOIN webhook_endpoints e ON e.id = w.endpoint_id
      WHERE e.active_since IS NOT NULL AND e.deleted_at IS NULL
        AND (e.retries_wake_at IS NULL OR e.retries_wake_at < $1)
        AND ${isNotQueued('webhook_retries', 'e.id')}
      LIMIT 1000`,
    [new Date(cause.now.getTime() - overdueMs)],
  );
  for (const { id } of lost) {
    await unlessLocked(() => wake(db, cause, { endpointId: id, overdueMs }));
  }

  let cancelled = await expireDeliveries(db, cause);
  for (const status of openDeliveries) {
    const closed = await query<{ id: string }>(
      db,
      `${endpointsWith(status)}
       SELECT e.id FROM waiting w JOIN webhook_endpoints e ON e.id = w.endpoint_id
        WHERE e.active_since IS NULL OR e.deleted_at IS NOT NULL LIMIT 1000`,
    );
    for (const { id } of closed) {
      cancelled += (await unlessLocked(() => cancelRest(db, id))) ?? 0;
    }
  }
  return { woken: lost.length, cancelled };
}

/** Wakes the workflow of an endpoint's retries now, unless it wakes up anyway. */
export function wakeRetriesOf(db: Db, cause: Cause, endpointId: string): Promise<void> {
  return wake(db, cause, { endpointId, overdueMs: null });
}

interface WakeCommand {
  endpointId: string;
  /** A wake-up this long overdue does not count as one to come; null: any planned one counts. */
  overdueMs: number | null;
}

async function wake(
  db: Db,
  cause: Cause,
  { endpointId, overdueMs: limit }: WakeCommand,
): Promise<void> {
  const { now } = cause;
  await boundedTransaction(db, 'own', async (tx) => {
    const endpoint = await queryOne<EndpointWake>(
      tx,
      `SELECT ${wakeColumns} FROM webhook_endpoints AS e WHERE e.id = $1 FOR NO KEY UPDATE`,
      [endpointId],
    );
    if (!endpoint) return;
    const planned = endpoint.retriesWakeAt;
    const isLost = limit !== null && planned !== null && planned.getTime() < now.getTime() - limit;
    const known = { ...endpoint, retriesWakeAt: isLost ? null : planned };
    await wakeRetries(tx, cause, [{ endpoint: known, wakeAt: now }]);
  });
}
