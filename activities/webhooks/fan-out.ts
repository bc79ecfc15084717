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

/**
 * Makes a delivery for every endpoint that was active and subscribed when an event happened and
 * still is. Repeating it changes nothing. Returns the number of new deliveries.
 */
export async function fanOutEvents(
  tx: Tx,
  { now }: Cause,
  { eventIds, firstDelayMs }: FanOut,
): Promise<number> {
  const recipients = await lockRecipients(tx, eventIds);
  const nextAttemptAt = new Date(now.getTime() + firstDelayMs);
  const created = await insertAll(tx, {
    into: WebhookDelivery,
    rows: recipients.map((recipient) => ({
      ...recipient,
      id: newId(),
      status: 'pending' as const,
      nextAttemptAt,
      createdAt: now,
    })),
    onConflict: 'ON CONFLICT (event_id, endpoint_id) WHERE replay_of IS NULL DO NOTHING',
  });
  if (created > 0) await wakeDispatchers(tx);
  return created;
}

/**
 * The endpoints stay locked (shared) until the deliveries are committed: a deactivation waits, and
 * then finds and cancels them.
 */
function lockRecipients(tx: Tx, eventIds: readonly string[]): Promise<Recipient[]> {
  return query<Recipient>(
    tx,
    `SELECT v.id AS "eventId", v.type AS "eventType", v.workspace_id AS "workspaceId", v.mode, e.id AS "endpointId"
       FROM events v
       JOIN webhook_endpoints e ON e.workspace_id = v.workspace_id AND e.mode = v.mode
      WHERE v.id = ANY($1) AND e.deleted_at IS NULL AND e.active_since <= v.occurred_at
        AND least((e.subscribed_since->>v.type)::timestamptz,
                  (e.subscribed_since->>'*')::timestamptz) <= v.occurred_at
      ORDER BY e.id, v.seq
        FOR SHARE OF e`,
    [eventIds],
  );
}

/** Wakes all dispatchers when the transaction commits. */
export async function wakeDispatchers(tx: Tx): Promise<void> {
  await query(tx, `SELECT pg_notify('${deliveriesChannel}', '')`);
}
