import { query, type Db } from '../../../entities/database/sql';
import { partitionRules } from '../../../entities/rules/retention/retention';

/** A year back, and what is usual ahead. */
const months = 17;
const yearBack = `$1::timestamptz - interval '366 days'`;

/**
 * Partitions for up to a year of history, in each table that is kept by month: rows in a default partition are an
 * alarm. To make one locks the whole table, so this is no part of a long transaction.
 */
export async function ensurePartitions(db: Db, end: Date): Promise<void> {
  await query(db, `SELECT ensure_click_partitions(${yearBack}, ${months})`, [end]);
  const others = partitionRules.filter(({ step, table }) => step === 'month' && table !== 'clicks');
  for (const { table, key } of others) {
    const make = `SELECT ensure_partitions($2, $3, 'month', ${yearBack}, ${months})`;
    await query(db, make, [end, table, key]);
  }
}
