import { queryOne } from '../../entities/database/sql';
import { zeroOf, type FigureReader } from './reader';

/** How large it is, and what keeps Postgres from cleaning up: the oldest snapshot of a session or a prepared transaction. */
export const databaseFigures: FigureReader = {
  reader: 'database',
  figures: [
    {
      name: 'db_oldest_xmin_seconds',
      help: 'How long ago the oldest transaction began whose snapshot keeps dead rows',
      zeros: zeroOf,
    },
    { name: 'db_size_bytes', help: 'What the database takes of its disk' },
    {
      name: 'db_archive_age_seconds',
      help: 'How long ago a segment of the write-ahead log was last archived; 0 where it is not',
      zeros: zeroOf,
    },
    {
      name: 'db_slot_retained_bytes',
      help: 'Write-ahead log that the slowest replication slot keeps on the disk',
      zeros: zeroOf,
    },
  ],
  async read(db) {
    const row = await queryOne<{ seconds: number }>(
      db,
      `SELECT coalesce(max(extract(epoch FROM now() - began)), 0)::float8 AS seconds
         FROM (SELECT xact_start AS began FROM pg_stat_activity
                WHERE datname = current_database() AND xact_start IS NOT NULL
                  AND (backend_xmin IS NOT NULL OR backend_xid IS NOT NULL)
               UNION ALL
               SELECT prepared FROM pg_prepared_xacts WHERE database = current_database()) AS open`,
    );
    const size = await queryOne<{ bytes: number }>(
      db,
      'SELECT pg_database_size(current_database()) AS bytes',
    );
    const log = await queryOne<{ archiveAge: number; retained: number }>(db, logSql);
    return [
      { name: 'db_oldest_xmin_seconds', value: row?.seconds ?? 0 },
      { name: 'db_size_bytes', value: size?.bytes ?? 0 },
      { name: 'db_archive_age_seconds', value: log?.archiveAge ?? 0 },
      { name: 'db_slot_retained_bytes', value: log?.retained ?? 0 },
    ];
  },
};

/** Before its first segment an archive is as old as its counting. */
const logSql = `
  SELECT CASE WHEN current_setting('archive_mode') = 'off' THEN 0
              ELSE extract(epoch FROM now() - coalesce(last_archived_time, stats_reset)) END::float8
           AS "archiveAge",
         (SELECT coalesce(max(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)), 0)::float8
            FROM pg_replication_slots) AS retained
    FROM pg_stat_archiver`;
