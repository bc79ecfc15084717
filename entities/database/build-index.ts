import type { QueryRunner } from 'typeorm';

/**
 * Builds an index while its table is used; in a migration with `transaction = false`. What an attempt
 * that was cut short left behind is dropped first, and what it finished is left alone. The build
 * waits for others' transactions as long as it takes: no request waits for it.
 */
export async function buildIndex(
  runner: QueryRunner,
  name: string,
  definition: string,
): Promise<void> {
  await build(runner, name, `INDEX CONCURRENTLY ${name} ${definition}`);
}

/** The same for one that keeps rows apart. */
export async function buildUniqueIndex(
  runner: QueryRunner,
  name: string,
  definition: string,
): Promise<void> {
  await build(runner, name, `UNIQUE INDEX CONCURRENTLY ${name} ${definition}`);
}

async function build(runner: QueryRunner, name: string, index: string): Promise<void> {
  if (await isBuilt(runner, name)) return;
  await withoutLockTimeout(runner, async () => {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    await runner.query(`CREATE ${index}`);
  });
}

/** Drops one in the same way. */
export async function dropIndex(runner: QueryRunner, name: string): Promise<void> {
  await withoutLockTimeout(runner, () => runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`));
}

async function isBuilt(runner: QueryRunner, name: string): Promise<boolean> {
  const found = (await runner.query(
    'SELECT 1 FROM pg_index WHERE indexrelid = to_regclass($1) AND indisvalid',
    [name],
  )) as unknown[];
  return found.length > 0;
}

async function withoutLockTimeout(
  runner: QueryRunner,
  work: () => Promise<unknown>,
): Promise<void> {
  await runner.query('SET lock_timeout = 0');
  try {
    await work();
  } finally {
    await runner.query('RESET lock_timeout');
  }
}
