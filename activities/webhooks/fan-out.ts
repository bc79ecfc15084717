import { newId } from '../../entities/ids';
import type { Mode } from '../../entities/rules/values/mode';
import { execute, query, type Tx } from '../../entities/database/sql';

/** Channel on which the dispatchers hear that there is something to send. */
export const deliveriesChannel = 'webhook_deliveries';

interface Recipient {
  eventId: string;
  endpointId: string;
  type: string;
  workspaceId: string;
  mode: Mode;
}

/**
 * Makes a delivery for every endpoint that was active and subscribed when an event happened and
 * still is. Repeating it changes nothing. `eventIds` are ids of rows of `events`; `firstDelayMs` is
 * the first wait of the retry schedule. Returns the number of new deliveries.
 */
export async function fanOutEvents(
  tx: Tx,
  eventIds: readonly string[],
  { now, firstDelayMs }: { now: Date; firstDelayMs: number },
): Promise<number> {
  const recipients = await lockRecipients(tx, eventIds);
  if (recipients.length === 0) return 0;

  const created = await execute(
    tx,
    `INSERT INTO webhook_deliveries (id, workspace_id, mode, endpoint_id, event_id, event_type,
       status, next_attempt_at, created_at)
     SELECT r.id, r."workspaceId", r.mode, r."endpointId", r."eventId", r.type, 'pending', $2, $3
       FROM json_to_recordset($1) AS r(id uuid, "workspaceId" uuid, mode text, "endpointId" uuid,
         "eventId" uuid, type text)
     ON CONFLICT (event_id, endpoint_id) WHERE replay_of IS NULL DO NOTHING`,
    [
      JSON.stringify(recipients.map((recipient) => ({ ...recipient, id: newId() }))),
      new Date(now.getTime() + firstDelayMs),
      now,
    ],
  );
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
    `SELECT v.id AS "eventId", v.type, v.workspace_id AS "workspaceId", v.mode, e.id AS "endpointId"
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
