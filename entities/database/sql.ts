import type { Client, PoolClient } from 'pg';
import type { EntityManager, QueryRunner } from 'typeorm';
import { isSpoiltConnection } from './errors';

/** The pool's manager or an open transaction: functions that take a Db work in both. */
export type Db = EntityManager;

declare const open: unique symbol;

/** An open transaction. Only `transaction` makes one, so that the compiler checks who needs one. */
export type Tx = Db & { readonly [open]: true };

/** Anything that a transaction can be begun on: the pool, its manager, or an open transaction. */
type Beginnable = Pick<Db, 'transaction'> & { readonly queryRunner?: QueryRunner };

/** Runs the work in a transaction: a new one, or a savepoint of the one that `db` is. */
export function transaction<T>(db: Beginnable, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction((manager) => work(manager as Tx));
}

/** Whether this is an open transaction, of which each statement is only a part. */
export function isInTransaction(db: Beginnable): boolean {
  return db.queryRunner?.isTransactionActive === true;
}

/**
 * A transaction of its own that hardly waits for locks: one that is not free is an error by which
 * `isLocked` knows that the work may be done again. Within an open one it waits as that does.
 */
export function boundedTransaction<T>(db: Beginnable, work: (tx: Tx) => Promise<T>): Promise<T> {
  if (isInTransaction(db)) return transaction(db, work);
  return transaction(db, async (tx) => {
    // Whatever waits holds a connection.
    await query(tx, "SELECT set_config('lock_timeout', '100ms', true)");
    return work(tx);
  });
}

/**
 * Rows that one statement of work in batches takes: its locks are held for moments, and a commit beside
 * it waits for little of its log.
 */
export const rowsAtOnce = 500;

/** Rows that one command changes at most, a second's worth: as many as one payout takes. */
export const maxAtOnce = 10_000;

/** One call of an activity that works in batches ends after about this long, so that a stop waits for little. */
export const sliceMs = 5_000;

interface Result {
  rows: unknown[];
  rowCount: number | null;
}

async function run(db: Db, text: string, params: unknown[]): Promise<Result> {
  const runner = db.queryRunner ?? db.dataSource.createQueryRunner();
  try {
    const result = await runner.query(text, params, true);
    return { rows: (result.records ?? []) as unknown[], rowCount: result.affected ?? null };
  } catch (error) {
    await endIfSpoilt(runner, error);
    throw error;
  } finally {
    if (!db.queryRunner) await runner.release();
  }
}

/** Runs one statement and gives its rows, RETURNING rows of updates and deletes included. */
export async function query<T>(db: Db, text: string, params: unknown[] = []): Promise<T[]> {
  return (await run(db, text, params)).rows as T[];
}

export async function queryOne<T>(
  db: Db,
  text: string,
  params: unknown[] = [],
): Promise<T | undefined> {
  return (await query<T>(db, text, params))[0];
}

/** How many rows there are; `from` is what follows FROM, conditions included. */
export async function countFrom(db: Db, from: string, params: unknown[] = []): Promise<number> {
  const row = await queryOne<{ count: number }>(
    db,
    `SELECT count(*) AS count FROM ${from}`,
    params,
  );
  return row?.count ?? 0;
}

/** Runs one statement and gives the number of rows that it changed. */
export async function execute(db: Db, text: string, params: unknown[] = []): Promise<number> {
  return (await run(db, text, params)).rowCount ?? 0;
}

export interface Statement {
  name: string;
  text: string;
  values: unknown[];
}

/**
 * Like query, but parsed and planned once per connection. For hot paths only: a name stands for
 * one text for ever.
 */
export async function prepared<T>(db: Db, { name, text, values }: Statement): Promise<T[]> {
  const runner = db.queryRunner ?? db.dataSource.createQueryRunner();
  try {
    const client = (await runner.connect()) as PoolClient;
    const config = namesStatements(db) ? { name, text, values } : { text, values };
    return (await client.query(config)).rows as T[];
  } catch (error) {
    await endIfSpoilt(runner, error);
    throw error;
  } finally {
    if (!db.queryRunner) await runner.release();
  }
}

/** The pool forgets a connection that was ended, and opens another one for the next request. */
async function endIfSpoilt(runner: QueryRunner, error: unknown): Promise<void> {
  if (!isSpoiltConnection(error) || runner.isReleased) return;
  // Of a client that the pool has lent out its types hide that it can be ended.
  const client = (await runner.connect()) as Client;
  client.end().catch(() => undefined);
}

/** A pooler may give each statement another connection, which knows no name of the last one. */
function namesStatements(db: Db): boolean {
  const { extra } = db.dataSource.options as { extra?: { namesStatements?: boolean } };
  return extra?.namesStatements !== false;
}

/** A LIKE pattern that finds the text anywhere: `%`, `_` and `\` stand for themselves. */
export function literalPattern(search: string): string {
  return `%${search.replace(/[\\%_]/g, '\\$&')}%`;
}
