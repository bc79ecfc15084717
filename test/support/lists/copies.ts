import type { Client } from 'pg';
import { newId } from '../../../entities/ids';
import type { Vault } from '../../../runtime/crypto/vault';
import type { World } from '../world';

export type Json = Record<string, unknown>;

/** Where rows are made: a workspace with one of everything. */
export interface Setting {
  /** A client as the owner of the tables: it does what no process of the service may do, too. */
  db: Client;
  vault: Vault;
  world: World;
}

/** The n-th copy: when it came, and a row of the list, as the list shows it. */
export interface Making {
  n: number;
  at: string;
  source: Json;
}

/** How rows of a list are made, changed and removed, by who has the database in hand. */
export interface ListRows {
  /** What a row is known by in an answer. */
  keyOf: (row: Json) => string;
  make: (setting: Setting, making: Making) => Promise<string>;
  /** Undefined where rows never change, or never leave. */
  change?: (setting: Setting, key: string) => Promise<unknown>;
  remove?: (setting: Setting, key: string) => Promise<unknown>;
  /** True where copies do not come into the counters that tell the total. */
  isUncounted?: true;
}

interface TableRows {
  table: string;
  /** The column of the time that the list is sorted by. */
  time?: string;
  /** What the list calls the row's id. */
  key?: string;
  /** What a copy may not share with its source. */
  fresh?: (n: number) => Json;
  /** What an UPDATE sets. */
  change: string;
}

/** Rows of one table. */
export function copies({ table, time = 'created_at', key = 'id', fresh, change }: TableRows) {
  return {
    keyOf: (row: Json) => String(row[key]),
    make: ({ db }: Setting, { n, at, source }: Making) =>
      copyRow(db, { table, id: source[key] }, { [time]: at, ...fresh?.(n) }),
    change: ({ db }: Setting, id: string) =>
      db.query(`UPDATE ${table} SET ${change} WHERE id = $1`, [id]),
    remove: ({ db }: Setting, id: string) => db.query(`DELETE FROM ${table} WHERE id = $1`, [id]),
  } satisfies ListRows;
}

/** Writes a copy of a row, of whatever table, with some values of its own. Gives its id. */
export async function copyRow(
  db: Client,
  { table, id }: { table: string; id: unknown },
  values: Json,
): Promise<string> {
  const own = { id: newId(), ...values };
  const columns = (await writableColumns(db, table)).join(', ');
  const { rowCount } = await db.query(
    `INSERT INTO ${table} (${columns})
     SELECT ${columns} FROM jsonb_populate_record(
       (SELECT t FROM ${table} AS t WHERE t.id = $1 LIMIT 1), $2::jsonb)`,
    [id, JSON.stringify(own)],
  );
  if (rowCount !== 1) throw new Error(`no row ${String(id)} of ${table}`);
  return own.id;
}

/** All but those that the database computes. */
async function writableColumns(db: Client, table: string): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute
      WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped
        AND attgenerated = '' AND attidentity = ''`,
    [table],
  );
  return rows.map(({ name }) => name);
}

/** The n-th of some times that differ by microseconds, and of which three each are one. */
export function timeOf(n: number, start: Date): string {
  const micros = Math.floor(n / 3);
  const millis = new Date(start.getTime() + Math.floor(micros / 1_000)).toISOString();
  return millis.replace('Z', `${String(micros % 1_000).padStart(3, '0')}Z`);
}

/** One of these, in turn. */
export function pick<T>(values: readonly T[], n: number): T {
  const value = values[n % values.length];
  if (value === undefined) throw new Error('nothing to pick from');
  return value;
}
