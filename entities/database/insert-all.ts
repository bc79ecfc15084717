import { insertOf, layOut, parametersOf, type RowSet } from './bulk-rows';
import { tableOf } from './columns';
import type { Db } from './sql';

export interface Insertion<T extends object> {
  into: new () => T;
  /** All with the same properties: those are written, the database's defaults fill in the rest. */
  rows: readonly Partial<T>[];
  /** An ON CONFLICT clause. */
  onConflict?: string;
}

interface Known {
  sets: { rows: RowSet };
  name: string;
  text: string;
}

const known = new Map<string, Known>();

/**
 * Inserts rows of an entity in their order, with one statement; returns how many it wrote. It is the same
 * for any number of rows, so a connection parses and plans it once.
 */
export async function insertAll<T extends object>(
  db: Db,
  insertion: Insertion<T>,
): Promise<number> {
  const { rows } = insertion;
  const [first] = rows;
  if (!first) return 0;
  const { sets, name, text } = statementOf(insertion, Object.keys(first));
  const { rowCount } = await db.run({ name, text, values: parametersOf(sets, { rows }) });
  return rowCount ?? 0;
}

function statementOf<T extends object>(
  { into, onConflict = '' }: Insertion<T>,
  properties: readonly string[],
): Known {
  const key = [into.name, onConflict, ...properties].join();
  const made = known.get(key) ?? makeStatement(into, { properties, onConflict });
  known.set(key, made);
  return made;
}

function makeStatement(
  into: new () => object,
  { properties, onConflict }: { properties: readonly string[]; onConflict: string },
): Known {
  const sets = layOut({ rows: tableOf(into, properties) });
  return { sets, name: `insert_${known.size}`, text: `${insertOf(sets.rows)} ${onConflict}` };
}
