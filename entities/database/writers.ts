import { setTimeout as pause } from 'node:timers/promises';
import { query, type Db } from './sql';

/**
 * Resolves when every transaction that is writing to one of the tables right now has ended. A
 * statement takes its snapshot after its locks: whatever begins to write later sees what was
 * committed before this call.
 */
export async function waitForWriters(
  db: Db,
  tables: readonly string[],
  onWait: () => void = () => undefined,
): Promise<void> {
  let left = await writersOf(db, tables);
  while (left.size > 0) {
    onWait();
    await pause(10);
    const now = await writersOf(db, tables);
    left = new Set([...left].filter((writer) => now.has(writer)));
  }
}

async function writersOf(db: Db, tables: readonly string[]): Promise<Set<string>> {
  const rows = await query<{ writer: string }>(
    db,
    `SELECT DISTINCT virtualtransaction AS writer FROM pg_locks
      WHERE locktype = 'relation' AND mode = 'RowExclusiveLock' AND pid <> pg_backend_pid()
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND relation = ANY ($1::regclass[]::oid[])`,
    [tables],
  );
  return new Set(rows.map(({ writer }) => writer));
}
