import { fieldsOf } from './validators';

/** What a DTO is made of: where it has an instant as text, a row has a date. */
type RowOf<T> = {
  [Name in keyof T]: string extends T[Name] ? T[Name] | Date : T[Name];
};

/**
 * The fields that a DTO declares, of a row that may have more; dates become instants. A column leaves
 * the service when a DTO names it, and in no other way.
 */
export function present<T extends object>(type: new () => T, row: RowOf<NoInfer<T>>): T {
  const shown: Record<string, unknown> = {};
  for (const name of fieldsOf(type).keys()) {
    const value: unknown = Reflect.get(row, name);
    shown[name] = value instanceof Date ? value.toISOString() : value;
  }
  return shown as T;
}
