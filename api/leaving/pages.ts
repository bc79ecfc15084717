import type { PagedRows } from '../../runtime/connections/row-streams';

interface Exported {
  /** What the rows are sorted by, each with its type: the last is unique. */
  order: readonly (readonly [expression: string, type: string])[];
  columns: readonly string[];
  /** What follows FROM, conditions included; `$1` is the programme. */
  from: string;
  programId: string;
  decode: NonNullable<PagedRows['decode']>;
}

/** Rows of a programme in their order, page by page: a page begins behind the last row of the one before. */
export function pagesOf({ order, columns, from, programId, decode }: Exported): PagedRows {
  const sorted = order.map(([expression]) => expression).join(', ');
  const key = `json_build_array(${order.map(([expression]) => `${expression}::text`).join(', ')})::text`;
  return {
    page(after, limit) {
      const place = after === null ? null : (JSON.parse(after) as string[]);
      const values = order.map(([, type], index) => `$${index + 3}::${type}`).join(', ');
      const follows = place === null ? 'true' : `(${sorted}) > (${values})`;
      return {
        text: `SELECT ${[key, ...columns].join(', ')} FROM ${from} AND ${follows}
                ORDER BY ${sorted} LIMIT $2`,
        params: [programId, limit, ...(place ?? [])],
      };
    },
    decode,
  };
}

/** An instant as JSON writes it: ISO 8601, UTC, milliseconds. */
export function instant(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
