import { cut } from '../values/cut';
import type { TextRow } from '../values/delimited';

/** Cells of these columns, by their names in lower case; null where there is none, or nothing in it. */
export function columnsOf(header: readonly string[]) {
  const names = header.map((name) => name.trim().toLowerCase());
  return (...wanted: string[]): ((row: TextRow) => string | null) | undefined => {
    const column = names.findIndex((name) => wanted.includes(name));
    if (column === -1) return undefined;
    return ({ cells }) => cut((cells[column] ?? '').trim(), 500) || null;
  };
}
