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
    return [
      { name: 'db_oldest_xmin_seconds', value: row?.seconds ?? 0 },
      { name: 'db_size_bytes', value: size?.bytes ?? 0 },
    ];
  },
};
