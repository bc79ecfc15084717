import {
  boundedTransaction,
  type Db,
  queryOne,
  rowsAtOnce,
  type Tx,
} from '../../entities/database/sql';
import { unsubscribedKinds, type WebhookEventKind } from '../../entities/rules/webhooks/events';
import type { WebhookEndpoint } from '../../entities/tables/webhooks/webhook-endpoint.entity';
import type { CommandContext } from '../journal/cause';
import { record } from '../journal/record';
import { cancelling } from './endpoint-health';

/** An open delivery's place in the order in which they are due: its time as the database writes it, and its id. */
interface Place {
  at: string;
  id: string;
}

const start: Place = { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

export interface Unsubscribed {
  endpointId: string;
  kinds: readonly WebhookEventKind[];
  /** How far the open deliveries were looked at already. */
  after?: Place | undefined;
}

/**
 * Cancels what an endpoint was still to get of kinds that it unsubscribes from: of its first open
 * deliveries now, of the others by the relay, a page each. A sweep that looked for them would have to read
 * every backlog, and could not tell them from what a merchant queues by hand later, which is sent.
 * Expects the endpoint to be locked.
 */
export async function cancelUnsubscribed(
  tx: Tx,
  context: CommandContext,
  { endpointId, kinds, after = start }: Unsubscribed,
): Promise<void> {
  if (kinds.length === 0) return;
  const last = await queryOne<Place>(tx, cancelPageSql, [endpointId, kinds, after.at, after.id]);
  if (!last) return;
  const payload = { mode: context.scope.mode, kinds, after: last };
  await record(tx, context, { work: [{ topic: 'unsubscribed_kinds', ref: endpointId, payload }] });
}

/** Whether the endpoint of a delivery, known as `d`, subscribes to its kind now. */
export const isSubscribedSql = `EXISTS (
  SELECT 1 FROM webhook_endpoints AS e
   WHERE e.id = d.endpoint_id AND ('*' = ANY (e.events) OR d.event_type = ANY (e.events)))`;

/** The next page, of those kinds that are still not subscribed to. */
export async function cancelNextPage(
  db: Db,
  context: CommandContext,
  { endpointId, kinds, after }: Unsubscribed,
): Promise<void> {
  await boundedTransaction(db, async (tx) => {
    const endpoint = await queryOne<Pick<WebhookEndpoint, 'events'>>(
      tx,
      'SELECT events FROM webhook_endpoints WHERE id = $1 FOR NO KEY UPDATE',
      [endpointId],
    );
    const gone = endpoint ? unsubscribedKinds(kinds, endpoint.events) : [];
    await cancelUnsubscribed(tx, context, { endpointId, kinds: gone, after });
  });
}

/** Gives the page's last place, when the page is full: more may follow. */
const cancelPageSql = `
  WITH page AS MATERIALIZED (
    SELECT d.id, d.event_type, d.next_attempt_at FROM webhook_deliveries AS d
     WHERE d.endpoint_id = $1 AND ${cancelling.where}
       AND (d.next_attempt_at, d.id) > ($3::timestamptz, $4::uuid)
     ORDER BY d.next_attempt_at, d.id LIMIT ${rowsAtOnce}
  ), gone AS (
    SELECT d.id FROM webhook_deliveries AS d
     WHERE d.id IN (SELECT id FROM page WHERE event_type = ANY ($2)) AND ${cancelling.where}
     ORDER BY d.id FOR UPDATE
  ), cancelled AS (
    UPDATE webhook_deliveries AS d SET ${cancelling.set} FROM gone WHERE d.id = gone.id
  )
  SELECT next_attempt_at::text AS at, id FROM page
   ORDER BY next_attempt_at, id OFFSET ${rowsAtOnce} - 1`;
