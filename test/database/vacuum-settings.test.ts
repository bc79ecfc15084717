import { query } from '../../entities/database/sql';
import { hotTables } from '../../entities/migrations/baseline/vacuum-settings';
import { useDatabase } from '../support/data-source';

const database = useDatabase(1);

// A table that a migration builds again, or cuts into partitions, has none unless it sets them too.
it.each(Object.entries(hotTables))(
  '%s has its settings of vacuum, in each of its parts',
  async (table, { share, rows }) => {
    const parts = await query<{ options: string[] | null }>(
      database.source.manager,
      `SELECT reloptions AS options FROM pg_class
        WHERE relkind = 'r' AND (oid = $1::regclass
          OR oid IN (SELECT relid FROM pg_partition_tree($1) WHERE isleaf))`,
      [table],
    );
    expect(parts.length).toBeGreaterThan(0);
    for (const { options } of parts) {
      expect(options).toEqual(
        expect.arrayContaining([
          `autovacuum_vacuum_scale_factor=${share}`,
          `autovacuum_vacuum_threshold=${rows}`,
          'autovacuum_vacuum_insert_scale_factor=0.05',
        ]),
      );
    }
  },
);
