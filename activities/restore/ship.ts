import { firstIdAt } from '../../entities/ids';
import { execute, query, queryOne, type Db } from '../../entities/database/sql';

/** What a restore needs, and a backup of the database cannot have. */
export type ShipmentName = 'erasures' | 'audit';

const linesAtOnce = 5_000;

/** The database's clock: ids of audit lines carry times near it. */
export async function databaseNow(db: Db): Promise<Date> {
  const row = await queryOne<{ now: Date }>(db, 'SELECT now() AS now');
  if (!row) throw new Error('the database told no time');
  return row.now;
}

/** Lines of the audit log since a moment, as JSON objects with its columns, in the order of their ids. */
export async function* auditLinesSince(db: Db, since: Date): AsyncGenerator<string> {
  let after = firstIdAt(since);
  while (true) {
    const rows = await query<{ id: string; line: string }>(
      db,
      `SELECT id, row_to_json(a)::text AS line FROM audit_log AS a
        WHERE id > $1 ORDER BY id LIMIT ${linesAtOnce}`,
      [after],
    );
    for (const { line } of rows) yield line;
    const last = rows.at(-1);
    if (!last || rows.length < linesAtOnce) return;
    after = last.id;
  }
}

/** Notes that it is written outside, which the alarm BackupOld goes by. */
export async function noteShipped(db: Db, name: ShipmentName): Promise<void> {
  await execute(
    db,
    `INSERT INTO shipments (name, shipped_at) VALUES ($1, now())
     ON CONFLICT (name) DO UPDATE SET shipped_at = now()`,
    [name],
  );
}
