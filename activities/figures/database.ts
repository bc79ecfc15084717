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
    {
      name: 'db_slots_inactive',
      help: 'Replication slots that nobody reads: standbys and receivers of the log that are away',
      zeros: zeroOf,
    },
  ],
  async read(db) {
    const [oldest, disk] = [await queryOne<Row>(db, oldestSql), await queryOne<Row>(db, diskSql)];
    return Object.entries({ ...oldest, ...disk }).map(([name, value]) => ({ name, value }));
  },
};

/** A column for each figure, by its name. */
type Row = Record<string, number>;

const oldestSql = `
  SELECT coalesce(max(extract(epoch FROM now() - began)), 0)::float8 AS db_oldest_xmin_seconds
    FROM (SELECT xact_start AS began FROM pg_stat_activity
           WHERE datname = current_database() AND xact_start IS NOT NULL
             AND (backend_xmin IS NOT NULL OR backend_xid IS NOT NULL)
          UNION ALL
          SELECT prepared FROM pg_prepared_xacts WHERE database = current_database()) AS open`;

/** The age of an archive before its first segment is that of its counting. */
const diskSql = `
  SELECT pg_database_size(current_database())::float8 AS db_size_bytes,
         CASE WHEN current_setting('archive_mode') = 'off' THEN 0
              ELSE extract(epoch FROM now() - coalesce(last_archived_time, stats_reset)) END::float8
           AS db_archive_age_seconds,
         (SELECT coalesce(max(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)), 0)::float8
            FROM pg_replication_slots) AS db_slot_retained_bytes,
         (SELECT count(*)::int FROM pg_replication_slots WHERE NOT active) AS db_slots_inactive
    FROM pg_stat_archiver`;
