import { foldAnalytics } from '../../../activities/analytics/fold';
import { queryOne, type Db } from '../../../entities/database/sql';

/**
 * Folds all that was recorded by now. A transaction of another test, in whatever database of the
 * server, puts off the fold of what came after it: its end comes first.
 */
export async function foldAll(db: Db, batch?: number): Promise<number> {
  const last = await queryOne<{ xid: string }>(db, 'SELECT pg_current_xact_id()::text AS xid');
  const isOver = async (): Promise<boolean> => {
    const row = await queryOne<{ over: boolean }>(
      db,
      'SELECT pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8 AS over',
      [last?.xid],
    );
    return row?.over === true;
  };
  while (!(await isOver()));
  return batch === undefined ? foldAnalytics(db) : foldAnalytics(db, batch);
}
