import { execute, queryOne, type Db, type Tx } from '../../entities/database/sql';

/** Time by the database's clock, the one that `isInTime` compares with. ISO, with microseconds. */
export async function instantIn(db: Db, ms: number): Promise<string> {
  const row = await queryOne<{ at: string }>(
    db,
    `SELECT to_char((clock_timestamp() + $1 * interval '1 millisecond') AT TIME ZONE 'UTC',
                    'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at`,
    [ms],
  );
  if (!row) throw new Error('a clock always tells the time');
  return row.at;
}

/**
 * Whether the deadline lies ahead, by the database's clock. From then on what the transaction waits
 * for ends with the deadline, and a process that stands still between two statements for 2 s loses it.
 */
export async function isInTime(tx: Tx, until: string): Promise<boolean> {
  const left = await queryOne<{ ms: number }>(
    tx,
    `SELECT least(60000, greatest(0, ceil(
              extract(epoch FROM $1::timestamptz - clock_timestamp()) * 1000)))::int AS ms`,
    [until],
  );
  if (!left || left.ms === 0) return false;
  await execute(
    tx,
    `SELECT set_config('statement_timeout', least($1::int, setting::int)::text, true),
            set_config('idle_in_transaction_session_timeout', '2s', true)
       FROM pg_settings WHERE name = 'statement_timeout'`,
    [left.ms],
  );
  return true;
}
