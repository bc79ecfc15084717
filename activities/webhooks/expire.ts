import {
  boundedTransaction,
  type Db,
  execute,
  maxAtOnce,
  query,
  rowsAtOnce,
} from '../../entities/database/sql';
import { listed, movingSql } from '../../entities/database/moving';
import { deliveryMoves, openDeliveries } from '../../entities/rules/webhooks/delivery-status';
import type { Cause } from '../journal/cause';
import { unlessLocked } from '../../runtime/load/retry';
import { maxInFlightPerEndpoint } from './delivery/claim';
import { eventsKeptDays, eventsKeptSince, isGone } from './kept-events';
import { endpointsWithOpen } from './waiting-endpoints';

const expire = movingSql(deliveryMoves, { trigger: 'expire', to: 'cancelled', of: 'd' });

/**
 * Cancels open deliveries whose event is no longer kept, which can never be sent: a retry or replay
 * made weeks after the event that met a receiver which is down. Of an endpoint ten thousand, once one of
 * them is so near the front of its queue that others might wait behind it. A probe is chosen in another
 * order, which passes over them by itself. Returns how many there were.
 */
export async function expireDeliveries(db: Db, { now }: Pick<Cause, 'now'>): Promise<number> {
  const keptSince = eventsKeptSince(now);
  const blocked = await query<{ id: string }>(
    db,
    `${endpointsWithOpen}
     SELECT DISTINCT w.endpoint_id AS id FROM waiting w CROSS JOIN LATERAL (
       SELECT d.event_id FROM webhook_deliveries d
        WHERE d.status IN (${listed(openDeliveries)}) AND d.endpoint_id = w.endpoint_id
        ORDER BY d.next_attempt_at, d.id LIMIT ${2 * maxInFlightPerEndpoint}) AS front
      WHERE ${isGone('front.event_id', '$1')} LIMIT 1000`,
    [keptSince],
  );
  let expired = 0;
  for (const { id } of blocked) {
    expired += (await unlessLocked(() => expireOf(db, id, keptSince))) ?? 0;
  }
  return expired;
}

async function expireOf(db: Db, endpointId: string, keptSince: Date): Promise<number> {
  let expired = 0;
  for (let some = rowsAtOnce; some === rowsAtOnce && expired < maxAtOnce; expired += some) {
    some = await expireSome(db, endpointId, keptSince);
  }
  return expired;
}

/** The message is what the log of deliveries shows. What is under way is left to its attempt. */
function expireSome(db: Db, endpointId: string, keptSince: Date): Promise<number> {
  return boundedTransaction(db, async (tx) => {
    await query(tx, 'SELECT 1 FROM webhook_endpoints WHERE id = $1 FOR NO KEY UPDATE', [
      endpointId,
    ]);
    return execute(
      tx,
      `WITH gone AS (
         SELECT d.id FROM webhook_deliveries AS d
          WHERE d.endpoint_id = $1 AND ${expire.where} AND ${isGone('d.event_id', '$2')}
            AND (d.lease_until IS NULL OR d.lease_until < now())
          ORDER BY d.id LIMIT ${rowsAtOnce} FOR UPDATE
       )
       UPDATE webhook_deliveries AS d
          SET ${expire.set}, error_message = $3, next_attempt_at = NULL, lease_token = NULL,
              lease_until = NULL
         FROM gone WHERE d.id = gone.id`,
      [endpointId, keptSince, `The event is over ${eventsKeptDays} days old and no longer kept.`],
    );
  });
}
