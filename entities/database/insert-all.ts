import { insertOf, layOut, parametersOf } from './bulk-rows';
import { tableOf } from './columns';
import { execute, type Db } from './sql';

export interface Insertion<T extends object> {
  into: new () => T;
  /** All with the same properties: those are written, the database's defaults fill in the rest. */
  rows: readonly Partial<T>[];
  /** An ON CONFLICT clause. */
  onConflict?: string;
}

/** Inserts rows of an entity in their order, with one statement; returns how many it wrote. */
export async function insertAll<T extends object>(
  db: Db,
  { into, rows, onConflict = '' }: Insertion<T>,
): Promise<number> {
  const [first] = rows;
  if (!first) return 0;
  const sets = layOut({ rows: tableOf(into, Object.keys(first)) });
  return execute(db, `${insertOf(sets.rows)} ${onConflict}`, parametersOf(sets, { rows }));
}
