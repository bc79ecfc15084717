import { query, type Db } from '../../../entities/database/sql';

/** True while a transaction waits for another one's lock, for `eventually`. */
export async function waitsForLock(db: Db): Promise<true | undefined> {
  const rows = await query(
    db,
    `SELECT 1 FROM pg_stat_activity
      WHERE wait_event_type = 'Lock' AND datname = current_database()`,
  );
  return rows.length > 0 ? true : undefined;
}
