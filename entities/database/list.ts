import { countFrom, query, type Db } from './sql';

/** What a list is sorted by, and in which direction; the last of it is unique, so that there are no ties. */
export interface Order {
  /** Columns of an index, as a rule. They hold null only where the list descends, and come first there. */
  by: readonly string[];
  direction: 'ASC' | 'DESC';
}

/** Newest first, by the time and the id of a table's rows. */
export function newestFirst(alias: string, time = 'created_at'): Order {
  return { by: [`${alias}.${time}`, `${alias}.id`], direction: 'DESC' };
}

/** Where a row stands in a list: its value of each column of the order, as the database's own text. */
export type Place = readonly (string | null)[];

/** A part of a list: the rows behind a place, or a page, from 1. */
export interface Window {
  page?: number;
  limit: number;
  after?: Place | undefined;
}

/** A part of a list, how many rows the whole has, and the place of the last one when more follow. */
export interface Found<T> {
  rows: T[];
  total: number;
  next: Place | null;
}

export interface List {
  columns: string;
  /** What follows FROM; `where` are conditions on it, and `params` what both name. */
  from: string;
  where: string;
  params: readonly unknown[];
  /** What the columns need besides; it takes no row away and adds none. */
  joins?: string;
  order: Order;
}

/** A row with its place. */
export type Placed<T> = T & { place: Place };

/**
 * The rows of a window, each with its place, and one row more when there are more. What came or went
 * meanwhile moves no row that stays: a place is compared, not counted, and its row may be gone.
 */
export function windowStatement(
  { columns, from, where, params, joins = '', order }: List,
  window: Window,
): { text: string; params: unknown[] } {
  const follows = followsPlace(order, window.after ?? [], params.length);
  return {
    text: `SELECT ${columns}, ${placeOf(order)} AS place FROM ${from} ${joins}
            WHERE ${where} AND ${follows.text} ${orderedBy(order)}
            LIMIT ${window.limit + 1} OFFSET ${offsetOf(window)}`,
    params: [...params, ...follows.params],
  };
}

export function placeOf({ by }: Order): string {
  return `ARRAY[${by.map((column) => `${column}::text`).join(', ')}]`;
}

export function orderedBy({ by, direction }: Order): string {
  return `ORDER BY ${by.map((column) => `${column} ${direction}`).join(', ')}`;
}

/** How many rows a page skips; behind a place none. */
export function offsetOf({ page = 1, limit, after }: Window): number {
  return after ? 0 : (page - 1) * limit;
}

/**
 * The condition that a row comes after a place, with its parameters from number `taken + 1` on; true
 * without a place. An index on the columns finds the first such row at once. Null is the greatest value.
 */
export function followsPlace(
  { by, direction }: Order,
  after: Place,
  taken: number,
): { text: string; params: string[] } {
  if (after.length === 0) return { text: 'true', params: [] };
  const nulls = after.findLastIndex((value) => value === null) + 1;
  const params = after.slice(nulls) as string[];
  const columns = by.slice(nulls).join(', ');
  const values = params.map((_, index) => `$${taken + index + 1}`).join(', ');
  const comparison = direction === 'ASC' ? '>' : '<';
  const behindNulls = by.slice(0, nulls).map((column) => `${column} IS NOT NULL OR `);
  return { text: `(${behindNulls.join('')}(${columns}) ${comparison} (${values}))`, params };
}

/** What a window holds, of the rows that `windowStatement` gave. */
export function foundIn<T>(
  placed: readonly Placed<T>[],
  { limit }: Window,
  total: number,
): Found<T> {
  const shown = placed.slice(0, limit);
  const next = placed.length > limit ? (shown.at(-1)?.place ?? null) : null;
  return { rows: shown.map(({ place: _, ...row }) => row as unknown as T), total, next };
}

/** A window of a list, and how many rows the whole has now. */
export async function readList<T extends object>(
  db: Db,
  list: List,
  window: Window,
): Promise<Found<T>> {
  const { text, params } = windowStatement(list, window);
  const rows = await query<Placed<T>>(db, text, params);
  const total = await countFrom(db, `${list.from} WHERE ${list.where}`, [...list.params]);
  return foundIn(rows, window, total);
}
