import { query, transaction, type Db } from '../../entities/database/sql';

const batchSize = 20_000;

/**
 * Adds what changes of commissions appended to the counters by day, so that lists and statistics
 * have little to sum. Readers see the same totals before, during and after.
 */
export async function foldCommissionCounts(db: Db): Promise<number> {
  let folded = 0;
  for (;;) {
    const taken = await foldBatch(db);
    folded += taken;
    if (taken < batchSize) return folded;
  }
}

function foldBatch(db: Db): Promise<number> {
  return transaction(db, async (tx) => {
    // One process folds at a time, this and the sums of analytics: the others have nothing to do.
    const [state] = await query(tx, 'SELECT 1 FROM analytics_state FOR UPDATE SKIP LOCKED');
    if (!state) return 0;
    const [row] = await query<{ taken: number; emptied: object[] }>(tx, foldStatement);
    // Counters at zero are deleted: their commissions were deleted again.
    if (row && row.emptied.length > 0) {
      await query(tx, deleteStatement, [JSON.stringify(row.emptied)]);
    }
    return row?.taken ?? 0;
  });
}

const key = 'workspace_id, mode, program_id, day, status, needs_review, currency';

const foldStatement = `
  WITH taken AS (
    DELETE FROM commission_count_deltas WHERE id IN (
      SELECT id FROM commission_count_deltas ORDER BY id LIMIT ${batchSize}) RETURNING *),
  folded AS (
    INSERT INTO commission_day_counts AS k (${key}, commissions, amount_cents)
    SELECT ${key}, sum(commissions), sum(amount_cents) FROM taken GROUP BY ${key}
    ON CONFLICT ON CONSTRAINT pk_commission_day_counts DO UPDATE
      SET commissions = k.commissions + excluded.commissions,
          amount_cents = k.amount_cents + excluded.amount_cents
    RETURNING *)
  SELECT (SELECT count(*) FROM taken) AS taken, coalesce((SELECT json_agg(f) FROM folded f
    WHERE commissions = 0 AND amount_cents = 0), '[]') AS emptied`;

/** Deletes counters by their keys: a look at all counters would be one at years of days. */
const deleteStatement = `
  DELETE FROM commission_day_counts AS k
   USING json_populate_recordset(NULL::commission_day_counts, $1) AS e
   WHERE (${keyOf('k')}) = (${keyOf('e')}) AND k.commissions = 0 AND k.amount_cents = 0`;

function keyOf(table: string): string {
  return key
    .split(', ')
    .map((column) => `${table}.${column}`)
    .join(', ');
}
