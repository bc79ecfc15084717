import { randomUUID } from 'node:crypto';
import type { StoredEvent } from '../../../entities/rules/webhooks/envelope';
import { openDeliveries } from '../../../entities/rules/webhooks/delivery-status';
import { listed } from '../../../entities/database/moving';
import { selectList, type Selected, type Selection } from '../../../entities/database/columns';
import { prepared, type Db } from '../../../entities/database/sql';
import { Event } from '../../../entities/tables/journal/event.entity';
import { WebhookDelivery } from '../../../entities/tables/webhooks/webhook-delivery.entity';
import { WebhookEndpoint } from '../../../entities/tables/webhooks/webhook-endpoint.entity';

/** Deliveries under way at the same time to one endpoint, over all processes. */
export const maxInFlightPerEndpoint = 8;

/**
 * What a dead process held is free again after this time. Whoever lives renews what it holds, so that
 * an attempt may take longer.
 */
export const deliveryLeaseMs = 6_000;

const ofDelivery = [
  'id',
  'endpointId',
  'leaseToken',
  'attempts',
  'attemptsBefore',
  'nextAttemptAt',
  'replayOf',
] as const satisfies Selection<WebhookDelivery>;
const ofEndpoint = [
  'workspaceId',
  'url',
  'secretEncrypted',
  'previousSecretEncrypted',
  'previousSecretUntil',
] as const satisfies Selection<WebhookEndpoint>;
const ofEvent = {
  eventId: 'id',
  seq: 'seq',
  type: 'type',
  mode: 'mode',
  object: 'object',
  occurredAt: 'occurredAt',
} as const satisfies Selection<Event>;

/** A delivery that this process may send now, with all that an attempt needs. */
export interface ClaimedDelivery
  extends
    Selected<WebhookDelivery, typeof ofDelivery>,
    Selected<WebhookEndpoint, typeof ofEndpoint> {
  leaseToken: string;
  /** When it was due; a probe may be ahead of that time. */
  nextAttemptAt: Date;
  event: StoredEvent;
}

type ClaimRow = Omit<ClaimedDelivery, 'event'> &
  Omit<Selected<Event, typeof ofEvent>, 'type'> &
  Pick<StoredEvent, 'type'>;

const noId = '00000000-0000-0000-0000-000000000000';
const isOpen = `d.status IN (${listed(openDeliveries)})`;
const isFree = `(d.lease_until IS NULL OR d.lease_until < now()) AND d.id <> ALL ($6)`;

// `waiting` jumps from endpoint to endpoint in the index, so that a million rows of one cost no more
// than one row. Of each the first eight that are due may be leased and no others, so that processes
// which look at the same moment cannot take more together. Behind an open breaker, or where an
// operator has the retries wait, only the probe may. What is found beyond the room of its workspace is
// left, its endpoints served in rotation. Rows are locked by id alone: by status, the planner would
// walk an index over all that waits. An event is looked up once, however many endpoints it goes to:
// each look is one at every partition.
const claimSql = `
  WITH RECURSIVE waiting AS (
    (SELECT d.endpoint_id, d.next_attempt_at FROM webhook_deliveries d
      WHERE ${isOpen} AND d.endpoint_id > $4 ORDER BY d.endpoint_id, d.next_attempt_at LIMIT 1)
    UNION ALL
    SELECT next.* FROM waiting w CROSS JOIN LATERAL (
      SELECT d.endpoint_id, d.next_attempt_at FROM webhook_deliveries d
       WHERE ${isOpen} AND d.endpoint_id > w.endpoint_id
       ORDER BY d.endpoint_id, d.next_attempt_at LIMIT 1) AS next
  ), held AS (
    SELECT * FROM unnest($7::uuid[], $8::int[]) AS held (workspace_id, room)
  ), due AS MATERIALIZED (
    SELECT free.id, e.id AS endpoint_id, e.workspace_id, coalesce(held.room, $9) AS room
      FROM waiting w
      JOIN webhook_endpoints e ON e.id = w.endpoint_id AND e.active_since IS NOT NULL
       AND e.deleted_at IS NULL AND e.failures_in_row < $5 AND e.retries_paused_at IS NULL
      LEFT JOIN held ON held.workspace_id = e.workspace_id
     CROSS JOIN LATERAL (
       SELECT d.id FROM (
         SELECT d.id, d.lease_until FROM webhook_deliveries d
          WHERE ${isOpen} AND d.endpoint_id = e.id AND d.next_attempt_at <= $1
          ORDER BY d.next_attempt_at, d.id LIMIT ${maxInFlightPerEndpoint}) AS d
        WHERE ${isFree}) AS free
     WHERE w.next_attempt_at <= $1 AND coalesce(held.room, $9) > 0
     LIMIT $10
  ), probes AS (
    SELECT d.id, e.id AS endpoint_id, e.workspace_id, coalesce(held.room, $9) AS room
      FROM webhook_endpoints e
      JOIN webhook_deliveries d ON d.id = e.probe_id
      LEFT JOIN held ON held.workspace_id = e.workspace_id
     WHERE e.probe_id IS NOT NULL AND e.active_since IS NOT NULL AND e.deleted_at IS NULL
       AND (e.failures_in_row >= $5 OR e.retries_paused_at IS NOT NULL) AND ${isOpen} AND ${isFree}
     LIMIT $10
  ), numbered AS (
    SELECT l.*, row_number() OVER (PARTITION BY endpoint_id ORDER BY id) AS round
      FROM (SELECT * FROM due UNION ALL SELECT * FROM probes) AS l
  ), shared AS (
    SELECT n.*, row_number() OVER (PARTITION BY workspace_id ORDER BY round, endpoint_id) AS place
      FROM numbered n
  ), chosen AS MATERIALIZED (
    SELECT id FROM shared WHERE place <= room
  ), picked AS MATERIALIZED (
    SELECT d.id, d.event_id, d.endpoint_id
      FROM chosen c JOIN webhook_deliveries d ON d.id = c.id
     WHERE (${isOpen}) IS TRUE AND ${isFree}
       FOR UPDATE OF d SKIP LOCKED
  ), happened AS MATERIALIZED (
    SELECT v.id, v.seq, v.type, v.mode, v.object, v.occurred_at
      FROM (SELECT DISTINCT event_id FROM picked) AS named JOIN events v ON v.id = named.event_id
  ), leased AS (
    UPDATE webhook_deliveries d
       SET lease_token = $2, lease_until = now() + $3 * interval '1 millisecond'
      FROM picked p
      JOIN happened v ON v.id = p.event_id
      JOIN webhook_endpoints e ON e.id = p.endpoint_id
     WHERE d.id = p.id
    RETURNING ${selectList(WebhookDelivery, 'd', ofDelivery)},
      ${selectList(WebhookEndpoint, 'e', ofEndpoint)}, ${selectList(Event, 'v', ofEvent)}
  )
  SELECT (SELECT endpoint_id FROM due ORDER BY endpoint_id DESC LIMIT 1) AS "lastLooked",
    (SELECT count(*)::int FROM due) AS "looked",
    (SELECT count(*)::int FROM chosen) - (SELECT count(*)::int FROM picked) AS "lost", leased.*
    FROM (SELECT 1) AS always LEFT JOIN leased ON true`;

export interface ClaimCommand {
  now: Date;
  /** The deliveries that are under way in this process, though their leases may have run out. */
  held: readonly string[];
  breakerFailures: number;
  /** Endpoints after this id only, so that a bound on the number is fair over time. */
  afterEndpointId: string | null;
  /** How many more each workspace with something under way may have; the others have `room`. */
  roomOf: ReadonlyMap<string, number>;
  room: number;
  limit: number;
}

export interface Claims {
  claims: ClaimedDelivery[];
  /** The bound on the number was met: go on behind this endpoint. Null when it went over all. */
  behindEndpointId: string | null;
  /** Chosen, and taken by another process in the same moment. */
  lost: number;
}

interface Look {
  looked: number;
  lastLooked: string | null;
  lost: number;
}

/**
 * Leases deliveries that are due, first attempts and retries alike, a few of each endpoint whose
 * breaker is closed, and of the others the probe that their clock has named.
 */
export async function claimDue(db: Db, claim: ClaimCommand): Promise<Claims> {
  const rows = await prepared<Look & (ClaimRow | { id: null })>(db, {
    name: 'webhooks.claimDue',
    text: claimSql,
    values: [
      claim.now,
      randomUUID(),
      deliveryLeaseMs,
      claim.afterEndpointId ?? noId,
      claim.breakerFailures,
      claim.held,
      [...claim.roomOf.keys()],
      [...claim.roomOf.values()],
      claim.room,
      claim.limit,
    ],
  });
  const claims = rows.flatMap(({ looked, lastLooked, lost, ...row }) =>
    row.id === null ? [] : [toClaim(row)],
  );
  const { looked = 0, lastLooked = null, lost = 0 } = rows[0] ?? {};
  return { claims, behindEndpointId: looked < claim.limit ? null : lastLooked, lost };
}

function toClaim(row: ClaimRow): ClaimedDelivery {
  const { eventId, seq, type, mode, object, occurredAt, ...claim } = row;
  return { ...claim, event: { id: eventId, seq, type, mode, object, occurredAt } };
}
