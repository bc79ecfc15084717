import { query, type Db } from '../../entities/database/sql';

/** True while a transaction waits for an advisory lock, for `eventually`. */
export async function waitsForLock(db: Db): Promise<true | undefined> {
  const rows = await query(
    db,
    `SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()`,
  );
  return rows.length > 0 ? true : undefined;
}
