import { migrations } from '../migrations';
import { execute, query, type Db } from './sql';

/** The number at the end of a migration's class name. */
export function numberOf(name: string): number {
  return Number(/1700000000(\d{3})$/.exec(name)?.[1]);
}

const names = migrations.map(({ name }) => name);

/** This code's own version: the number of its last migration. */
export const codeVersion = Math.max(...names.map(numberOf));

/**
 * The oldest code that works with this schema. Raise it in the release that takes away what older
 * code still uses: processes of older code then refuse to start.
 */
const oldestServed = 1;

/** Writes which code this schema serves, once the migrations have run. */
export async function recordVersion(db: Db): Promise<void> {
  // Older code that migrates a newer schema changes nothing.
  await execute(
    db,
    `INSERT INTO schema_versions (id, version, oldest_served, changed_at) VALUES (1, $1, $2, now())
     ON CONFLICT (id) DO UPDATE
       SET version = EXCLUDED.version, oldest_served = EXCLUDED.oldest_served, changed_at = now()
     WHERE schema_versions.version <= EXCLUDED.version`,
    [codeVersion, oldestServed],
  );
}

/** Why this code does not work with the schema, as a sentence; undefined when it does. */
export async function schemaProblem(db: Db): Promise<string | undefined> {
  const run = await migrationsRun(db);
  const missing = names.filter((name) => !run.has(name));
  if (missing.length > 0) {
    return `The database's schema lacks ${missing.length} migrations, ${missing[0]} first: run aps migrate.`;
  }
  const [row] = await query<{ oldest: number }>(
    db,
    'SELECT oldest_served AS oldest FROM schema_versions WHERE id = 1',
  );
  if (row === undefined || row.oldest <= codeVersion) return undefined;
  return `The database's schema serves versions from ${row.oldest} on, and this is ${codeVersion}: start a newer release.`;
}

/** The first that is missing. Reads only, so that any number of processes can ask before one migrates. */
export async function nextMigration(db: Db): Promise<string | undefined> {
  const run = await migrationsRun(db);
  return names.find((name) => !run.has(name));
}

async function migrationsRun(db: Db): Promise<Set<string>> {
  const [table] = await query<{ there: boolean }>(
    db,
    `SELECT to_regclass('migrations') IS NOT NULL AS there`,
  );
  const found = table?.there
    ? await query<{ name: string }>(db, 'SELECT name FROM migrations')
    : [];
  return new Set(found.map(({ name }) => name));
}
