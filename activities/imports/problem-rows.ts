import { importKinds } from '../../entities/rules/imports/kinds';
import type { PagedRows } from '../../runtime/connections/row-streams';

const places = `array_position(ARRAY[${importKinds.map((kind) => `'${kind}'`).join(', ')}], r.kind)`;

/** Rows that are left out, and those that are booked with something wrong beside; `$1` is the import. */
export const problemsSql = `(
  SELECT kind, n, file, line, shown_id, problem, message FROM import_rows
   WHERE import_id = $1 AND problem IS NOT NULL
   UNION ALL
  SELECT kind, n, file, line, shown_id, side_problem, side_message FROM import_rows
   WHERE import_id = $1 AND kind = 'partners' AND problem IS NULL AND side_problem IS NOT NULL)`;

/** All rows of an import that are left out, in the order of reading: file, line, id, code, message. */
export function importProblemRows(importId: string): PagedRows {
  return {
    page(after, limit) {
      const [place = '0', n = '0'] = (after ?? '0:0').split(':');
      return {
        text: `SELECT ${places} || ':' || r.n, r.file, r.line::text, r.shown_id, r.problem, r.message
                 FROM ${problemsSql} AS r
                WHERE (${places}, r.n) > ($2, $3)
                ORDER BY ${places}, r.n LIMIT $4`,
        params: [importId, Number(place), Number(n), limit],
      };
    },
    decode: ([, file, line, ...rest]) => [file, Number(line), ...rest],
  };
}
