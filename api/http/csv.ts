import { pipeline } from 'node:stream';
import type { Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import type { Context } from 'koa';

/** A reader that takes nothing for so long is gone; its connection to the database is wanted. */
const stalledAfterMs = 60_000;

/**
 * Answers with a CSV file (RFC 4180, UTF-8, header row) as its rows come. Cells that a spreadsheet
 * would take for a formula are neutralised. Ends with the client: then no more rows are read.
 */
export function sendCsv(
  ctx: Context,
  file: { name: string; columns: readonly string[]; rows: Readable },
): void {
  const csv = stringify({
    header: true,
    columns: [...file.columns],
    record_delimiter: '\r\n',
    // The library quotes its own delimiter only; a lone CR or LF has to be quoted as well.
    quoted_match: /[\r\n]/,
    escape_formulas: true,
  });
  ctx.status = 200;
  ctx.type = 'text/csv; charset=utf-8';
  ctx.set('Content-Disposition', `attachment; filename="${file.name}"`);
  // A failure in the middle ends the connection: a cut file must not look like a whole one.
  pipeline(file.rows, csv, (error) => {
    if (error) csv.destroy(error);
  });
  ctx.res.once('close', () => file.rows.destroy());
  const { socket } = ctx.req;
  socket.setTimeout(stalledAfterMs, () => socket.destroy());
  ctx.body = csv;
}
