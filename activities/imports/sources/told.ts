import { isJson, storable, valueAt, type Json } from '../../../entities/rules/billing/json';
import type { StatusWords } from '../../../entities/rules/imports/statuses';
import { ownOf } from '../../../entities/rules/values/look-up';

/** A field as a cell: texts and numbers as they are, all else is no field. */
export function cellAt(value: unknown, ...path: string[]): string {
  const found = valueAt(value, ...path);
  if (typeof found === 'string') return storable(found);
  return typeof found === 'number' && Number.isFinite(found) ? String(found) : '';
}

/** Objects of a list; undefined for what is none. */
export function objectsAt(value: unknown, ...path: string[]): Json[] | undefined {
  const found = path.length === 0 ? value : valueAt(value, ...path);
  return Array.isArray(found) && found.every(isJson) ? found : undefined;
}

export function countAt(value: unknown, ...path: string[]): number | null {
  const found = valueAt(value, ...path);
  return typeof found === 'number' && Number.isSafeInteger(found) && found >= 0 ? found : null;
}

/** The first that says something. */
export function firstOf(...cells: string[]): string {
  return cells.find((cell) => cell !== '') ?? '';
}

export function listCell(ids: readonly string[]): string {
  return [...new Set(ids.filter((id) => id !== ''))].join('|');
}

export function fullName(...parts: string[]): string {
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(' ');
}

/** A word of theirs: as the merchant maps it, else as we do, else as it is. */
export function wordOf(
  word: string,
  { statuses, ours }: { statuses: StatusWords; ours: StatusWords },
): string {
  const own = word.trim().toLowerCase();
  const isMapped = Object.keys(statuses).some((theirs) => theirs.trim().toLowerCase() === own);
  return isMapped ? word : (ownOf(ours, own) ?? word);
}

/** A query as the vendors read it: lists by `name[]`. */
export function queryOf(
  fields: Record<string, string | number | readonly string[] | null>,
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value === null) continue;
    if (typeof value === 'object') for (const one of value) query.append(`${name}[]`, one);
    else query.set(name, String(value));
  }
  return `?${query.toString()}`;
}
