import { randomUUID } from 'node:crypto';
import type { StoredEvent } from '../../../entities/rules/webhooks/envelope';
import { openDeliveries } from '../../../entities/rules/webhooks/delivery-status';
import { listed } from '../../../entities/database/moving';
import { selectList, type Selected, type Selection } from '../../../entities/database/columns';
import { prepared, type Db } from '../../../entities/database/sql';
import { Event } from '../../../entities/tables/journal/event.entity';
import { WebhookDelivery } from '../../../entities/tables/webhooks/webhook-delivery.entity';
import { WebhookEndpoint } from '../../../entities/tables/webhooks/webhook-endpoint.entity';
import { eventsKeptSince, isGone } from '../kept-events';
import { maxInFlightPerEndpoint } from '../../../runtime/outbound/webhook-capacity';

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

type OwnColumns = Selected<WebhookDelivery, typeof ofDelivery> &
  Selected<WebhookEndpoint, typeof ofEndpoint>;

/** A delivery that this process may send now, with all that an attempt needs. */
export interface ClaimedDelivery extends OwnColumns {
  leaseToken: string;
  /** When it was due; with the breaker open a probe may be ahead of that time. */
  nextAttemptAt: Date;
  event: StoredEvent;
}

type ClaimRow = Omit<ClaimedDelivery, 'event'> &
  Omit<Selected<Event, typeof ofEvent>, 'type'> &
  Pick<StoredEvent, 'type'>;

export interface LeaseOptions {
  now: Date;
  /** Under way in this process, whatever has become of their leases. */
  held: readonly string[];
  breakerFailures: number;
}

const noId = '00000000-0000-0000-0000-000000000000';

const isFree = `(d.lease_until IS NULL OR d.lease_until < now())`;

type OpenStatus = 'pending' | 'retrying';

/** The due deliveries of endpoint `e`, in their line. */
const line = (status: OpenStatus): string => `webhook_deliveries d
   WHERE d.status = '${status}' AND d.endpoint_id = e.id AND d.next_attempt_at <= $1
   ORDER BY d.next_attempt_at, d.id`;

/** Those under way, in whatever process, are all near the front. */
const front = 2 * maxInFlightPerEndpoint;

/** How many of them are under way. */
const underWay = (status: OpenStatus): string => `
  (SELECT count(*) FROM (SELECT d.lease_until FROM ${line(status)} LIMIT ${front}) AS front
    WHERE front.lease_until >= now())`;

/** Places of endpoint `e` that no process of the fleet uses. */
const places = `greatest(0, ${maxInFlightPerEndpoint} - ${underWay('pending')} - ${underWay('retrying')})`;

/** One place is left to a retry that is due: behind a full line of first attempts it would starve. */
const placesOfFirst = `greatest(0, ${places} - (EXISTS (
  SELECT 1 FROM webhook_deliveries d
   WHERE d.status = 'retrying' AND d.endpoint_id = e.id AND d.next_attempt_at <= $1
     AND ${isFree}))::int)`;

/**
 * Those of endpoint `e` that may be taken, out of the first in line. Only these may be under way: two
 * processes that look at the same moment, or at one that has passed, cannot take more together.
 */
const firstInLine = (
  status: OpenStatus,
  { held, limit }: { held: string; limit: string },
): string => `
  (SELECT d.id FROM (
     SELECT d.id, d.lease_until, d.next_attempt_at FROM ${line(status)} LIMIT ${maxInFlightPerEndpoint}) AS d
    WHERE ${isFree} AND d.id <> ALL (${held})
    ORDER BY d.next_attempt_at, d.id LIMIT ${limit})`;

/**
 * Locks the rows of `chosen` that no other claim has leased since they were read. It finds them by id
 * alone: by status, the planner would walk an index over all deliveries that wait.
 */
const lockChosen = (status: string): string => `
  SELECT d.id, d.event_id, d.endpoint_id
    FROM chosen c JOIN webhook_deliveries d ON d.id = c.id
   WHERE (d.status IN (${status})) IS TRUE AND ${isFree}
     FOR UPDATE OF d SKIP LOCKED`;

/** An event is looked up once, however many endpoints it goes to: each look is one at every partition. */
const happened = `
  SELECT v.id, v.seq, v.type, v.mode, v.object, v.occurred_at
    FROM (SELECT DISTINCT event_id FROM picked) AS named JOIN events v ON v.id = named.event_id`;

/** Takes the rows of `picked` (id, event_id) and gives what an attempt needs. */
const lease = `
  UPDATE webhook_deliveries d
     SET lease_token = $2, lease_until = now() + $3 * interval '1 millisecond'
    FROM picked p
    JOIN happened v ON v.id = p.event_id
    JOIN webhook_endpoints e ON e.id = p.endpoint_id
   WHERE d.id = p.id
  RETURNING ${selectList(WebhookDelivery, 'd', ofDelivery)},
    ${selectList(WebhookEndpoint, 'e', ofEndpoint)}, ${selectList(Event, 'v', ofEvent)}`;

// The recursion jumps from endpoint to endpoint in the index, so that a million rows of one cost no
// more than one row, and the lateral part takes a few of each: no endpoint waits behind another. What
// is found beyond the room of its workspace is left, its endpoints served in rotation.
const claimPendingSql = `
  WITH RECURSIVE waiting AS (
    (SELECT d.endpoint_id FROM webhook_deliveries d
      WHERE d.status = 'pending' AND d.endpoint_id > $4 ORDER BY d.endpoint_id LIMIT 1)
    UNION ALL
    SELECT (SELECT d.endpoint_id FROM webhook_deliveries d
             WHERE d.status = 'pending' AND d.endpoint_id > w.endpoint_id
             ORDER BY d.endpoint_id LIMIT 1)
      FROM waiting w WHERE w.endpoint_id IS NOT NULL
  ), looked AS MATERIALIZED (
    SELECT free.id, e.id AS endpoint_id, e.workspace_id, coalesce(held.room, $12) AS room
      FROM waiting w
      JOIN webhook_endpoints e ON e.id = w.endpoint_id AND e.active_since IS NOT NULL
       AND e.deleted_at IS NULL AND e.failures_in_row < $5
      LEFT JOIN unnest($6::uuid[], $7::int[]) AS busy(endpoint_id, room) ON busy.endpoint_id = e.id
      LEFT JOIN unnest($10::uuid[], $11::int[]) AS held(workspace_id, room)
        ON held.workspace_id = e.workspace_id
     CROSS JOIN LATERAL ${firstInLine('pending', {
       held: '$13',
       limit: `least(coalesce(busy.room, $8), coalesce(held.room, $12), ${placesOfFirst})`,
     })} AS free
     LIMIT $9
  ), numbered AS (
    SELECT l.*, row_number() OVER (PARTITION BY endpoint_id ORDER BY id) AS round FROM looked l
  ), shared AS (
    SELECT t.*, row_number() OVER (PARTITION BY workspace_id ORDER BY round, endpoint_id) AS place
      FROM numbered t
  ), chosen AS MATERIALIZED (
    SELECT id FROM shared WHERE place <= room
  ), picked AS MATERIALIZED (${lockChosen(`'pending'`)}
  ), happened AS MATERIALIZED (${happened}
  ), leased AS (${lease}
  )
  SELECT (SELECT count(*)::int FROM looked) AS "looked",
    (SELECT endpoint_id FROM looked ORDER BY endpoint_id DESC LIMIT 1) AS "lastLooked",
    (SELECT count(*)::int FROM chosen) - (SELECT count(*)::int FROM picked) AS "lost", leased.*
    FROM (SELECT 1) AS always LEFT JOIN leased ON true`;

export interface PendingClaim extends LeaseOptions {
  /** Endpoints after this id only, so that a bound on the number is fair over time. */
  afterEndpointId: string | null;
  /**
   * Room in this process of what has something under way in it; the others have `perEndpoint` and
   * `perWorkspace`.
   */
  busy: Record<'endpoints' | 'workspaces', ReadonlyMap<string, number>>;
  perEndpoint: number;
  perWorkspace: number;
  limit: number;
}

export interface PendingClaims {
  claims: ClaimedDelivery[];
  /**
   * The bound on the number was met: there may be more behind this endpoint, the last of those that
   * something was leased of, or else looked at. Null when it went over all endpoints.
   */
  behindEndpointId: string | null;
  /** Chosen, and taken by another process in the same moment. */
  lost: number;
}

interface Look {
  looked: number;
  lastLooked: string | null;
  lost: number;
}

/** Leases first attempts that are due, a few of each endpoint whose breaker is closed. */
export async function claimPending(db: Db, claim: PendingClaim): Promise<PendingClaims> {
  const { endpoints, workspaces } = claim.busy;
  const rows = await prepared<Look & (ClaimRow | { id: null })>(db, {
    name: 'webhooks.claimPending',
    text: claimPendingSql,
    values: [
      claim.now,
      randomUUID(),
      deliveryLeaseMs,
      claim.afterEndpointId ?? noId,
      claim.breakerFailures,
      [...endpoints.keys()],
      [...endpoints.values()],
      claim.perEndpoint,
      claim.limit,
      [...workspaces.keys()],
      [...workspaces.values()],
      claim.perWorkspace,
      claim.held,
    ],
  });
  const claims = rows.flatMap(({ looked, lastLooked, lost, ...row }) =>
    row.id === null ? [] : [toClaim(row)],
  );
  const { looked = 0, lastLooked = null, lost = 0 } = rows[0] ?? {};
  const behindEndpointId = looked < claim.limit ? null : (lastOf(claims) ?? lastLooked);
  return { claims, behindEndpointId, lost };
}

function lastOf(claims: readonly ClaimedDelivery[]): string | null {
  return claims.reduce<string | null>(
    (last, { endpointId }) => (last && last > endpointId ? last : endpointId),
    null,
  );
}

// With the breaker open one delivery of all, first attempts included, is taken for a probe. Of those
// that are due the oldest: a receiver that refuses whatever it sees for the first time would refuse
// each new one and keep its breaker open for ever. Of the rest what was tried longest ago. What can
// no longer be sent is passed over: no attempt would ever move it from the front.
const claimRetriesSql = `
  WITH endpoint AS (
    SELECT e.id, e.failures_in_row >= $5 AS is_open, e.next_probe_at
      FROM webhook_endpoints e
     WHERE e.id = $4 AND e.active_since IS NOT NULL AND e.deleted_at IS NULL
  ), due AS (
    SELECT free.id FROM endpoint e
     CROSS JOIN LATERAL ${firstInLine('retrying', { held: '$7', limit: `least($6, ${places})` })} AS free
     WHERE NOT e.is_open
  ), probe AS (
    SELECT free.id FROM endpoint e
     CROSS JOIN LATERAL (
        SELECT d.id FROM webhook_deliveries d
         WHERE e.is_open AND (e.next_probe_at IS NULL OR e.next_probe_at <= $1)
           AND d.status IN (${listed(openDeliveries)}) AND d.endpoint_id = e.id AND ${isFree}
           AND d.id <> ALL ($7) AND NOT ${isGone('d.event_id', '$8::timestamptz')}
         ORDER BY d.next_attempt_at > $1, CASE WHEN d.next_attempt_at <= $1 THEN d.id END,
                  d.last_attempt_at NULLS FIRST
         LIMIT 1
     ) AS free
  ), chosen AS MATERIALIZED (
    SELECT id FROM due UNION ALL SELECT id FROM probe
  ), picked AS MATERIALIZED (${lockChosen(listed(openDeliveries))}
  ), happened AS MATERIALIZED (${happened})
  ${lease}`;

/** Leases retries of one endpoint that are due, at most `limit`; while it is only probed, at most one. */
export async function claimRetries(
  db: Db,
  claim: LeaseOptions & { endpointId: string; limit: number },
): Promise<ClaimedDelivery[]> {
  const rows = await prepared<ClaimRow>(db, {
    name: 'webhooks.claimRetries',
    text: claimRetriesSql,
    values: [
      claim.now,
      randomUUID(),
      deliveryLeaseMs,
      claim.endpointId,
      claim.breakerFailures,
      claim.limit,
      claim.held,
      eventsKeptSince(claim.now),
    ],
  });
  return rows.map(toClaim);
}

function toClaim(row: ClaimRow): ClaimedDelivery {
  const { eventId, seq, type, mode, object, occurredAt, ...claim } = row;
  return { ...claim, event: { id: eventId, seq, type, mode, object, occurredAt } };
}
