import { newId } from '../../entities/ids';
import { insertAll } from '../../entities/database/insert-all';
import { query, type Tx } from '../../entities/database/sql';
import { WebhookDelivery } from '../../entities/tables/webhooks/webhook-delivery.entity';
import type { Cause } from '../journal/cause';

/** Channel on which the dispatchers hear that there is something to send. */
export const deliveriesChannel = 'webhook_deliveries';

type Recipient = Pick<
  WebhookDelivery,
  'eventId' | 'eventType' | 'endpointId' | 'workspaceId' | 'mode'
>;

export interface FanOut {
  /** Ids of rows of `events`, of any workspace. */
  eventIds: readonly string[];
  /** The first wait of the retry schedule, in milliseconds. */
  firstDelayMs: number;
}

export interface FannedOut {
  /** New deliveries. */
  created: number;
  /** Events of which an endpoint was locked and has no delivery yet: fan them out again. */
  lockedEventIds: string[];
}

/**
 * Makes a delivery for every endpoint that was active and subscribed when an event happened and
 * still is. Waits for no lock: what was locked is answered. Repeating it changes nothing.
 */
export async function fanOutEvents(
  tx: Tx,
  { now }: Cause,
  { eventIds, firstDelayMs }: FanOut,
): Promise<FannedOut> {
  const recipients = await lockRecipients(tx, eventIds);
  const nextAttemptAt = new Date(now.getTime() + firstDelayMs);
  const free = recipients.filter(({ isLocked }) => !isLocked);
  const created = await insertAll(tx, {
    into: WebhookDelivery,
    rows: free.map(({ isLocked: _, ...recipient }) => ({
      ...recipient,
      id: newId(),
      status: 'pending' as const,
      nextAttemptAt,
      createdAt: now,
    })),
    onConflict: 'ON CONFLICT (event_id, endpoint_id) WHERE replay_of IS NULL DO NOTHING',
  });
  if (created > 0) await wakeDispatchers(tx);
  const locked = recipients.filter(({ isLocked }) => isLocked);
  return { created, lockedEventIds: [...new Set(locked.map(({ eventId }) => eventId))] };
}

const takes = (endpoint: string): string => `${endpoint}.active_since <= v.occurred_at
  AND least((${endpoint}.subscribed_since->>v.type)::timestamptz,
            (${endpoint}.subscribed_since->>'*')::timestamptz) <= v.occurred_at`;

/**
 * The endpoints stay locked (shared) until the deliveries are committed: a deactivation waits, and
 * then finds and cancels them. One that is locked may have been deactivated meanwhile, so that the row
 * that was locked decides, and not the one that was seen. An endpoint never comes to take an earlier event.
 */
function lockRecipients(
  tx: Tx,
  eventIds: readonly string[],
): Promise<(Recipient & { isLocked: boolean })[]> {
  return query(
    tx,
    `WITH happened AS MATERIALIZED (
       SELECT v.id, v.type, v.workspace_id, v.mode, v.occurred_at, v.seq
         FROM events v WHERE v.id = ANY($1)
     ), wanted AS MATERIALIZED (
       SELECT v.*, e.id AS endpoint_id FROM happened v
         JOIN webhook_endpoints e ON e.workspace_id = v.workspace_id AND e.mode = v.mode
        WHERE e.deleted_at IS NULL AND ${takes('e')}
     ), held AS MATERIALIZED (
       SELECT e.id, e.active_since, e.subscribed_since FROM webhook_endpoints e
        WHERE e.id IN (SELECT endpoint_id FROM wanted) AND e.deleted_at IS NULL
        ORDER BY e.id FOR SHARE SKIP LOCKED)
     SELECT v.id AS "eventId", v.type AS "eventType", v.workspace_id AS "workspaceId", v.mode,
            v.endpoint_id AS "endpointId", h.id IS NULL AS "isLocked"
       FROM wanted v LEFT JOIN held h ON h.id = v.endpoint_id
      WHERE h.id IS NULL OR (${takes('h')})
      ORDER BY v.endpoint_id, v.seq`,
    [eventIds],
  );
}

/** Wakes all dispatchers when the transaction commits. */
export async function wakeDispatchers(tx: Tx): Promise<void> {
  await query(tx, `SELECT pg_notify('${deliveriesChannel}', '')`);
}
