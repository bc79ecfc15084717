import type { QueryResult } from 'pg';

/** One statement with its parameters. */
export interface Statement {
  /** The name under which a connection keeps its plan. */
  name?: string;
  text: string;
  values?: unknown[];
}

export interface NamedStatement extends Statement {
  name: string;
  values: unknown[];
}

/**
 * The database, or an open transaction of it: functions that take a Db work in both. They ask it by the
 * functions below, which know the types of rows.
 */
export interface Db {
  /** Whether this is a transaction that can still be committed. */
  readonly isOpen: boolean;
  run(statement: Statement): Promise<QueryResult>;
  /** Rows of a statement by themselves, for whoever only looks at them. */
  query<Rows = unknown[]>(text: string, values?: unknown[]): Promise<Rows>;
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

declare const open: unique symbol;

/** An open transaction. Only `transaction` makes one, so that the compiler checks who needs one. */
export type Tx = Db & { readonly [open]: true };

/** Runs the work in a transaction: a new one, or a savepoint of the one that `db` is. */
export function transaction<T>(
  db: Pick<Db, 'transaction'>,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return db.transaction(work);
}

/** Whether this is an open transaction, of which each statement is only a part. */
export function isInTransaction(db: Pick<Db, 'isOpen'>): boolean {
  return db.isOpen;
}

/**
 * A transaction of its own that hardly waits for locks: one that is not free is an error by which
 * `isLocked` knows that the work may be done again. Within an open one it waits as that does.
 */
export function boundedTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
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

/** Runs one statement and gives its rows, RETURNING rows of updates and deletes included. */
export async function query<T>(db: Db, text: string, params: unknown[] = []): Promise<T[]> {
  return (await db.run({ text, values: params })).rows as T[];
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
  return (await db.run({ text, values: params })).rowCount ?? 0;
}

/**
 * Like query, but parsed and planned once per connection. For hot paths only: a name stands for
 * one text for ever.
 */
export async function prepared<T>(db: Db, statement: NamedStatement): Promise<T[]> {
  return (await db.run(statement)).rows as T[];
}

/** A LIKE pattern that finds the text anywhere: `%`, `_` and `\` stand for themselves. */
export function literalPattern(search: string): string {
  return `%${search.replace(/[\\%_]/g, '\\$&')}%`;
}
