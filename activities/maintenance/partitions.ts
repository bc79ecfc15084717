import { partitionRules } from '../../entities/rules/retention/retention';
import { execute, queryOne, transaction, type Db } from '../../entities/database/sql';
import { ensureClickPartitions } from '../clicks/clicks';

/** Longest wait for the lock on a parent: traffic queues up behind whoever waits for it. */
const lockTimeout = '2s';
const dayMs = 86_400_000;

/**
 * Makes the partitions that are due soon, of each table by itself. Repeating it does nothing; returns
 * how many it made. What came before its partition is moved there.
 */
export async function ensurePartitions(db: Db, now: Date): Promise<number> {
  let made = await ensureClickPartitions(db, now);
  for (const { table, key, step, ahead } of partitionRules) {
    // Clicks are cut by their time, and have their own function.
    if (table === 'clicks') continue;
    made += await inShortLock(db, 'SELECT ensure_partitions($1, $2, $3, $4, $5) AS count', [
      table,
      key,
      step,
      now,
      ahead,
    ]);
  }
  return made;
}

/**
 * Drops the partitions whose every row is past its time; clicks after `clickMonths` (0: never).
 * Returns how many went.
 */
export async function dropPartitions(
  db: Db,
  { now, clickMonths }: { now: Date; clickMonths: number },
): Promise<number> {
  let dropped = 0;
  for (const { table, keptDays } of partitionRules) {
    if (typeof keptDays !== 'number') continue;
    dropped += await drop(db, table, new Date(now.getTime() - keptDays * dayMs));
  }
  if (clickMonths > 0) dropped += await drop(db, 'clicks', monthsBefore(now, clickMonths));
  return dropped;
}

/** With what lies in the default partition, such as by a moved clock. */
function drop(db: Db, table: string, before: Date): Promise<number> {
  return inShortLock(db, 'SELECT drop_partitions($1, $2) AS count', [table, before]);
}

async function inShortLock(db: Db, statement: string, params: unknown[]): Promise<number> {
  return transaction(db, async (tx) => {
    await execute(tx, `SET LOCAL lock_timeout = '${lockTimeout}'`);
    const row = await queryOne<{ count: number }>(tx, statement, params);
    return row?.count ?? 0;
  });
}

function monthsBefore(now: Date, months: number): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1));
}
