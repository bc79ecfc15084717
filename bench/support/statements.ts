import { execute, query, type Db } from '../../entities/database/sql';

/** What a bench's Postgres needs to count the time of its statements. */
export const countedStatements = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.max': '2000',
};

/** Begins the count anew. */
export async function countStatements(db: Db): Promise<void> {
  await execute(db, 'CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  await query(db, 'SELECT pg_stat_statements_reset()');
}

/** The statements that took most of the time since then, in seconds, and what share each had. */
export function longestStatements(db: Db, limit: number): Promise<object[]> {
  return query(
    db,
    `SELECT round((total_exec_time / 1000)::numeric, 1)::float8 AS seconds,
            round((100 * total_exec_time / sum(total_exec_time) OVER ())::numeric, 1)::float8 AS "%",
            calls::int AS calls, round(mean_exec_time::numeric, 2)::float8 AS "ms each",
            left(regexp_replace(query, '\\s+', ' ', 'g'), 90) AS statement
       FROM pg_stat_statements ORDER BY total_exec_time DESC LIMIT $1`,
    [limit],
  );
}
