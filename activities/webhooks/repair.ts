import { type Db, query, transaction } from '../../entities/database/sql';
import { cancelOpenDeliveries, wakeRetries, type LockedEndpoint } from './endpoint-health';

/** Endpoints that have rows of a status, one index probe each. */
const endpointsWith = (status: 'pending' | 'retrying'): string => `
  WITH RECURSIVE waiting AS (
    (SELECT d.endpoint_id FROM webhook_deliveries d
      WHERE d.status = '${status}' ORDER BY d.endpoint_id LIMIT 1)
    UNION ALL
    SELECT (SELECT d.endpoint_id FROM webhook_deliveries d
             WHERE d.status = '${status}' AND d.endpoint_id > w.endpoint_id
             ORDER BY d.endpoint_id LIMIT 1)
      FROM waiting w WHERE w.endpoint_id IS NOT NULL
  )`;

/**
 * Hands first attempts that wait behind an open breaker to the workflow of the endpoint's retries,
 * when it has none: it may have ended while nothing was left to try.
 */
export async function handOverProbes(
  db: Db,
  { now, breakerFailures }: { now: Date; breakerFailures: number },
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
  for (const { id } of found) await wake(db, { endpointId: id, now, overdueMs: null });
  return found.length;
}

/** A workflow that should have looked this long ago is taken for lost. */
const overdueMs = 2 * 60_000;

/**
 * Repairs what a crash, an outage of Temporal or a terminated workflow left behind: retries that are
 * due without a workflow that looks after them, and deliveries still open at endpoints that take none.
 * Tells how many endpoints were woken and deliveries cancelled.
 */
export async function repairWebhookDeliveries(
  db: Db,
  now: Date,
): Promise<{ woken: number; cancelled: number }> {
  const lost = await query<{ id: string }>(
    db,
    `${endpointsWith('retrying')}
     SELECT e.id FROM waiting w JOIN webhook_endpoints e ON e.id = w.endpoint_id
      WHERE e.active_since IS NOT NULL AND e.deleted_at IS NULL
        AND (e.retries_wake_at IS NULL OR e.retries_wake_at < $1)
      LIMIT 1000`,
    [new Date(now.getTime() - overdueMs)],
  );
  for (const { id } of lost) await wake(db, { endpointId: id, now, overdueMs });

  let cancelled = 0;
  for (const status of ['pending', 'retrying'] as const) {
    const closed = await query<{ id: string }>(
      db,
      `${endpointsWith(status)}
       SELECT e.id FROM waiting w JOIN webhook_endpoints e ON e.id = w.endpoint_id
        WHERE e.active_since IS NULL OR e.deleted_at IS NOT NULL LIMIT 1000`,
    );
    for (const { id } of closed) cancelled += await cancelOf(db, id);
  }
  return { woken: lost.length, cancelled };
}

/** Has the workflow of an endpoint's retries look now, unless it does so anyway. */
export function wakeRetriesOf(db: Db, endpointId: string, now: Date): Promise<void> {
  return wake(db, { endpointId, now, overdueMs: null });
}

interface WakeCommand {
  endpointId: string;
  now: Date;
  /** A look this long overdue does not count as one to come; null: any planned look counts. */
  overdueMs: number | null;
}

async function wake(db: Db, { endpointId, now, overdueMs: limit }: WakeCommand): Promise<void> {
  await transaction(db, async (tx) => {
    const [endpoint] = await query<
      Pick<LockedEndpoint, 'id' | 'workspaceId' | 'mode' | 'retriesWakeAt'>
    >(
      tx,
      `SELECT id, workspace_id AS "workspaceId", mode, retries_wake_at AS "retriesWakeAt"
         FROM webhook_endpoints WHERE id = $1 FOR NO KEY UPDATE`,
      [endpointId],
    );
    if (!endpoint) return;
    const planned = endpoint.retriesWakeAt;
    const isLost = limit !== null && planned !== null && planned.getTime() < now.getTime() - limit;
    await wakeRetries(
      tx,
      { ...endpoint, retriesWakeAt: isLost ? null : planned },
      {
        wakeAt: now,
        now,
      },
    );
  });
}

async function cancelOf(db: Db, endpointId: string): Promise<number> {
  return transaction(db, async (tx) => {
    await query(tx, `SELECT 1 FROM webhook_endpoints WHERE id = $1 FOR NO KEY UPDATE`, [
      endpointId,
    ]);
    return cancelOpenDeliveries(tx, endpointId);
  });
}
