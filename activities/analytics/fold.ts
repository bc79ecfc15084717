import { query, queryOne, transaction, type Db, type Tx } from '../../entities/database/sql';

/** Clicks and facts of one batch, which is one short transaction. */
const batchSize = 50_000;

/**
 * Adds what was recorded since the last fold to the sums. One process folds at a time, the others
 * find nothing to do; a batch that dies has changed nothing. Readers see the same figures before,
 * during and after. Returns the number of rows that were added.
 */
export async function foldAnalytics(db: Db, limit = batchSize): Promise<number> {
  let folded = 0;
  for (;;) {
    const { rows, isLast } = await transaction(db, (tx) => foldBatch(tx, limit));
    folded += rows;
    if (isLast) return folded;
  }
}

/**
 * How long to wait after a fold that took this long: a second, and more when there is much to do, so
 * that folding takes a twentieth of the time at most. Readers add up what waits.
 */
export function restAfterFold(tookMs: number): number {
  return Math.min(10_000, Math.max(1_000, 19 * tookMs));
}

interface Batch {
  rows: number;
  /** Nothing is left, or another process folds. */
  isLast: boolean;
}

async function foldBatch(tx: Tx, limit: number): Promise<Batch> {
  const state = await lockState(tx);
  if (!state) return { rows: 0, isLast: true };
  // A copy of the data in a new server: its transactions begin to count again, ours do not fit.
  if (state.from > state.next) throw new Error('analytics must be rebuilt after a restore');

  const clicks = await nextClicks(tx, state, limit);
  const row = await queryOne<{ rows: number; facts: number }>(tx, foldStatement, [
    state.from,
    clicks.before,
    limit,
  ]);
  const { rows = 0, facts = 0 } = row ?? {};
  if (clicks.found > 0) {
    await query(tx, 'UPDATE analytics_state SET folded_before = $1', [clicks.before]);
  }
  return { rows, isLast: clicks.found < limit && facts < limit };
}

export interface FoldState {
  /** Clicks recorded by earlier transactions are in the sums. */
  from: number;
  /** Every earlier transaction is over: no click of theirs can still appear. */
  settled: number;
  /** No transaction has this number yet. */
  next: number;
}

/** Undefined when another process holds it. */
function lockState(tx: Tx): Promise<FoldState | undefined> {
  return queryOne<FoldState>(tx, `${stateSql} FOR UPDATE SKIP LOCKED`);
}

export const stateSql = `
  SELECT folded_before AS "from",
         pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS settled,
         pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS next
    FROM analytics_state`;

/** The transactions whose clicks this batch takes: all that are over, or as many as it may. */
async function nextClicks(
  tx: Tx,
  { from, settled }: FoldState,
  limit: number,
): Promise<{ found: number; before: number }> {
  const row = await queryOne<{ found: number; last: number | null }>(
    tx,
    `SELECT count(*) AS found, max(recorded_in) AS last FROM (
       SELECT recorded_in FROM clicks WHERE recorded_in >= $1 AND recorded_in < $2
        ORDER BY recorded_in LIMIT $3) AS few`,
    [from, settled, limit],
  );
  const { found = 0, last = null } = row ?? {};
  return { found, before: found < limit || last === null ? settled : last + 1 };
}

const owner = 'workspace_id, mode, program_id';
const cell = `${owner}, participant_id, link_id, promo_code, measure`;
const day = `date_bin('1 day', start, '1973-01-01T00:00:00Z')`;
const month = `date_trunc('month', start, 'UTC')`;

/** The rows are sorted by key: what lies together in the index is written together. */
const foldStatement = `
  WITH taken AS (
    DELETE FROM analytics_facts WHERE id IN (
      SELECT id FROM analytics_facts ORDER BY id LIMIT $3) RETURNING *
  ), quarter AS MATERIALIZED (
    SELECT ${cell}, start, sum(value)::bigint AS value, sum(rows)::bigint AS rows FROM (
      SELECT ${owner}, participant_id, link_id, '' AS promo_code, 'clicks' AS measure,
             analytics_start(created_at) AS start, count(*) AS value, count(*) AS rows
        FROM clicks WHERE recorded_in >= $1 AND recorded_in < $2
       GROUP BY ${owner}, participant_id, link_id, analytics_start(created_at)
      UNION ALL
      SELECT ${cell}, start, value, 1 FROM taken) AS news
     GROUP BY ${cell}, start
  ), rollups AS (
    INSERT INTO analytics_rollups AS r (${cell}, minutes, start, value)
    SELECT ${cell}, minutes, start, sum(value) FROM (
      SELECT ${cell}, 15 AS minutes, start, value FROM quarter
      UNION ALL SELECT ${cell}, 1440, ${day}, value FROM quarter
      UNION ALL SELECT ${cell}, 43200, ${month}, value FROM quarter) AS grains
     GROUP BY ${cell}, minutes, start
     ORDER BY program_id, measure, minutes, start, participant_id
    ON CONFLICT ON CONSTRAINT pk_analytics_rollups DO UPDATE SET value = r.value + excluded.value
  ), totals AS (
    INSERT INTO analytics_totals AS t (${owner}, measure, minutes, start, value)
    SELECT ${owner}, measure, minutes, start, sum(value) FROM (
      SELECT ${owner}, measure, 15 AS minutes, start, value FROM quarter
      UNION ALL SELECT ${owner}, measure, 1440, ${day}, value FROM quarter
      UNION ALL SELECT ${owner}, measure, 43200, ${month}, value FROM quarter) AS grains
     GROUP BY ${owner}, measure, minutes, start
     ORDER BY program_id, measure, minutes, start
    ON CONFLICT ON CONSTRAINT pk_analytics_totals DO UPDATE SET value = t.value + excluded.value
  )
  SELECT (SELECT coalesce(sum(rows), 0)::bigint FROM quarter) AS rows,
         (SELECT count(*) FROM taken) AS facts`;
