import type * as BulkRows from '../../entities/database/bulk-rows';
import { substitute } from './substitute';

type Row = Readonly<Record<string, unknown>>;

const separator = '\x1e';

// Arrays are left to the driver, save JSON, which it would take for an object.
substitute<typeof BulkRows>('../../entities/database/bulk-rows', () => ({
  parametersOf: (sets, rows) =>
    Object.entries<BulkRows.RowSet>(sets).flatMap(([kind, { columns }]) => {
      const ofKind = (rows as Record<string, readonly Row[]>)[kind] ?? [];
      const arrays = Object.entries(columns).map(([property, { type }]) => {
        const values = ofKind.map((row) => row[property] ?? null);
        if (type === 'json' || type === 'jsonb') return values.map(jsonOf).join(separator);
        return values.map((value) => plainOf(value)) as never;
      });
      return [ofKind.map((_, index) => index + 1) as never, ...arrays];
    }),
}));

function jsonOf(value: unknown): string {
  return value === null ? '' : JSON.stringify(value);
}

function plainOf(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (!Array.isArray(value)) return value;
  return `{${value.map((item) => JSON.stringify(item)).join(',')}}`;
}
