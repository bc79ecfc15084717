import type { Biller } from '../../entities/rules/billing/biller';
import type { Scope } from '../../entities/rules/values/mode';
import { query, queryOne, type Db } from '../../entities/database/sql';

/** When each kind of thing arrived last; null for never. */
export interface LastArrivals {
  lastClickAt: Date | null;
  unknownRef: string | null;
  unknownRefAt: Date | null;
  lastConversionAt: Date | null;
  lastStripeEventAt: Date | null;
}

/** One row of each table, by its index. */
export async function lastArrivals(db: Db, { workspaceId, mode }: Scope): Promise<LastArrivals> {
  const row = await queryOne<LastArrivals>(
    db,
    `SELECT s.last_click_at AS "lastClickAt", s.unknown_ref AS "unknownRef",
            s.unknown_ref_at AS "unknownRefAt",
            (SELECT c.created_at FROM conversions c WHERE c.workspace_id = $1 AND c.mode = $2
              ORDER BY c.created_at DESC LIMIT 1) AS "lastConversionAt",
            (SELECT e.received_at FROM stripe_events e WHERE e.workspace_id = $1 AND e.mode = $2
                AND e.biller = 'stripe'
              ORDER BY e.received_at DESC LIMIT 1) AS "lastStripeEventAt"
       FROM (VALUES (1)) AS one
       LEFT JOIN tracking_states s ON s.workspace_id = $1 AND s.mode = $2`,
    [workspaceId, mode],
  );
  if (!row) throw new Error('a row of nulls at least');
  return row;
}

export interface BillerArrival {
  biller: Biller;
  lastEventAt: Date | null;
}

/** When the connected billers last told something. */
export function lastBillerEvents(db: Db, { workspaceId, mode }: Scope): Promise<BillerArrival[]> {
  return query<BillerArrival>(
    db,
    `SELECT c.biller, (
              SELECT e.received_at FROM stripe_events AS e
               WHERE e.workspace_id = $1 AND e.mode = $2 AND e.biller = c.biller
               ORDER BY e.received_at DESC LIMIT 1) AS "lastEventAt"
       FROM stripe_connections AS c
      WHERE c.workspace_id = $1 AND c.mode = $2 AND c.deleted_at IS NULL
        AND c.webhook_secret IS NOT NULL
      ORDER BY c.biller`,
    [workspaceId, mode],
  );
}

export interface OriginRow {
  origin: string;
  clicks: number;
  lastSeenAt: Date;
}

/** Origins of the UTC day of `now` and the six before it, those with most clicks first. */
export function listOrigins(db: Db, { workspaceId, mode }: Scope, now: Date): Promise<OriginRow[]> {
  return query<OriginRow>(
    db,
    `SELECT origin, sum(clicks)::bigint AS clicks, max(last_seen_at) AS "lastSeenAt"
       FROM click_origins
      WHERE workspace_id = $1 AND mode = $2 AND day > ($3::timestamptz AT TIME ZONE 'UTC')::date - 7
      GROUP BY origin ORDER BY sum(clicks) DESC, max(last_seen_at) DESC, origin LIMIT 20`,
    [workspaceId, mode, now],
  );
}
