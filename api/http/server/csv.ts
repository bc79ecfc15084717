import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import type { Context } from 'koa';
import { commandContextOf } from '../../../activities/journal/cause';
import { noteExport, type ExportAction } from '../../../activities/journal/exports';
import type { Scope } from '../../../entities/rules/values/mode';
import type { Exporter, RowStreams } from '../../../runtime/connections/row-streams';
import type { RequestContext } from '../contract/request';
import { sendStream } from './readers';

/** What the documents of all exports say, of these and of JSON. */
export const exportBound =
  'One export of an account at a time (EXPORTS_PER_ACCOUNT): another one waits two seconds for its end, then it gets 429 with Retry-After.';

export interface CsvFile {
  name: string;
  columns: readonly string[];
  /** Rows as arrays. */
  rows: Readable;
}

/**
 * Answers with a CSV file (RFC 4180, UTF-8, header row) as its rows come. Cells that a spreadsheet
 * would take for a formula are neutralised. Ends with the client: then no more rows are read.
 */
export function sendCsv(ctx: Context, file: CsvFile, maxMs?: number): void {
  ctx.status = 200;
  ctx.type = 'text/csv; charset=utf-8';
  ctx.set('Content-Disposition', `attachment; filename="${file.name}"`);
  const body = Readable.from(linesOf(file), { objectMode: false });
  sendStream(ctx, { body, rows: file.rows }, maxMs);
}

interface ExportContext extends RequestContext {
  scope: Scope;
  principal: Exporter;
}

/** Rows of the workspace as a CSV file; that they were handed out is noted before the first byte leaves. */
export async function sendExport(
  ctx: ExportContext,
  { action, ...file }: Omit<CsvFile, 'rows'> & { action: ExportAction },
  prepare: Parameters<RowStreams['open']>[1],
): Promise<void> {
  const rows = await ctx.services.exports.open(ctx.principal, async () => {
    const paged = await prepare();
    const target = { type: 'workspace', id: ctx.scope.workspaceId };
    await noteExport(ctx.db, commandContextOf(ctx), { action, target });
    return paged;
  });
  sendCsv(ctx, { ...file, rows });
}

/**
 * The same as one text, for what is small; without a header where there are no columns. A telephone
 * number stays as it is, since some people are paid to it: to a spreadsheet it is a number.
 */
export function csvText(columns: readonly string[] | null, rows: unknown[][]): string {
  const header = columns === null ? {} : { header: true, columns: [...columns] };
  return stringify(rows, { ...format, ...header, cast: { string: unlessPhone } });
}

function unlessPhone(value: string): { value: string; escape_formulas: boolean } | string {
  return /^\+[1-9]\d{6,14}$/.test(value) ? { value, escape_formulas: false } : value;
}

async function* linesOf({ columns, rows }: CsvFile): AsyncGenerator<string> {
  yield stringify([], { ...format, header: true, columns: [...columns] });
  let waiting: unknown[][] = [];
  for await (const row of rows as AsyncIterable<unknown[]>) {
    waiting.push(row);
    // A write for each row would cost more than the row.
    if (waiting.length < 32) continue;
    yield stringify(waiting, format);
    waiting = [];
  }
  if (waiting.length > 0) yield stringify(waiting, format);
}

const format = {
  record_delimiter: '\r\n',
  // The library quotes its own delimiter only; a lone CR or LF has to be quoted as well.
  quoted_match: /[\r\n]/,
  escape_formulas: true,
};
