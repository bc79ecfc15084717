import { firstIdAt } from '../../entities/ids';
import { execute, query, queryOne, rowsAtOnce, type Db } from '../../entities/database/sql';

export interface Drift {
  programId: string;
  measure: string;
  /** The sum of the raw rows, and what readers are shown. */
  raw: number;
  shown: number;
}

/** Compares an hour of raw rows with what readers are shown; nothing when all is well. */
export function findDrift(db: Db, hour: Date): Promise<Drift[]> {
  const before = new Date(hour.getTime() + 3_600_000);
  return query<Drift>(db, driftStatement, [hour, before, firstIdAt(hour), firstIdAt(before)]);
}

// One statement, so one moment: what is recorded meanwhile is on neither side.
const driftStatement = `
  WITH counted AS (
    SELECT program_id, 'clicks' AS measure, count(*) AS raw, 0::bigint AS shown FROM clicks
     WHERE created_at >= $1 AND created_at < $2 AND id >= $3 AND id < $4 GROUP BY program_id
    UNION ALL
    SELECT program_id, 'clicks', 0, count(*) FROM clicks
     WHERE recorded_in >= (SELECT folded_before FROM analytics_state)
       AND created_at >= $1 AND created_at < $2 GROUP BY program_id
    UNION ALL
    SELECT v.program_id, counted.measure, sum(counted.value), 0
      FROM conversions AS v
     CROSS JOIN LATERAL (VALUES ('conversions', 1::bigint),
       ('new_customers', v.new_customer::int::bigint),
       ('renewals', (v.event_type = 'renewal'
          OR v.matched_by = 'customer' AND NOT v.new_customer AND v.amount_cents > 0)::int::bigint),
       ('leads', (v.amount_cents = 0)::int::bigint),
       ('revenue:' || v.currency, v.amount_cents - v.refunded_amount_cents)) AS counted (measure, value)
     WHERE v.occurred_at >= $1 AND v.occurred_at < $2 AND v.attributed AND counted.value <> 0
     GROUP BY 1, 2
    UNION ALL
    SELECT program_id, 'fraud_flags', count(*), 0 FROM fraud_flags
     WHERE occurred_at >= $1 AND occurred_at < $2 GROUP BY program_id
    UNION ALL
    SELECT program_id, measure, 0, sum(value) FROM analytics_facts
     WHERE start >= $1 AND start < $2 GROUP BY 1, 2
    UNION ALL
    SELECT t.program_id, t.measure, 0, sum(t.value) FROM programs AS g
      JOIN analytics_totals AS t ON t.program_id = g.id
     WHERE t.minutes = 15 AND t.start >= $1 AND t.start < $2 GROUP BY 1, 2
  )
  SELECT c.program_id AS "programId", c.measure, sum(c.raw)::bigint AS raw,
         sum(c.shown)::bigint AS shown
    FROM counted AS c JOIN programs AS g ON g.id = c.program_id
   GROUP BY c.program_id, c.measure HAVING sum(c.raw) <> sum(c.shown)`;

/**
 * A batch of the sums of programmes that a reset has deleted: no reader can reach them. Returns the
 * number of rows, 0 when nothing is left.
 */
export async function dropOrphans(db: Db, most = rowsAtOnce): Promise<number> {
  const row = await queryOne<{ programIds: string[] | null }>(db, orphanStatement);
  const programIds = row?.programIds ?? [];
  if (programIds.length === 0) return 0;
  let dropped = 0;
  // Totals are the last: by them such programmes are found.
  for (const table of ['analytics_rollups', 'analytics_facts', 'analytics_totals']) {
    dropped += await execute(
      db,
      `DELETE FROM ${table} WHERE ctid = ANY (ARRAY (
         SELECT ctid FROM ${table} WHERE program_id = ANY($1) LIMIT $2))`,
      [programIds, most - dropped],
    );
    if (dropped >= most) break;
  }
  return dropped;
}

const orphanStatement = `
  WITH RECURSIVE known (program_id) AS (
    (SELECT program_id FROM analytics_totals ORDER BY program_id LIMIT 1)
    UNION ALL
    SELECT (SELECT program_id FROM analytics_totals WHERE program_id > known.program_id
             ORDER BY program_id LIMIT 1)
      FROM known WHERE known.program_id IS NOT NULL)
  SELECT array_agg(program_id) AS "programIds" FROM (
    SELECT program_id FROM known
     WHERE program_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM programs WHERE id = program_id)
     LIMIT 100) AS orphans`;
