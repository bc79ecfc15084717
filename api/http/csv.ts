import { pipeline } from 'node:stream';
import type { Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import type { Context } from 'koa';
import type { PoolClient } from 'pg';
import QueryStream from 'pg-query-stream';
import type { DataSource } from 'typeorm';

/** Rows are read and written so many at a time. */
const batchSize = 1_000;

/**
 * Rows of a statement as arrays, by a cursor of the server: memory stays the same whatever their
 * number, and nothing is read that the reader does not take. Ending the stream frees the connection.
 */
export async function streamRows(
  db: DataSource,
  statement: { text: string; params: unknown[] },
): Promise<Readable> {
  const runner = db.createQueryRunner();
  const client = (await runner.connect()) as PoolClient;
  const release = (): void => {
    void client
      .query('ROLLBACK')
      .catch(() => undefined)
      .finally(() => runner.release());
  };
  try {
    await client.query('BEGIN READ ONLY');
    // A slow reader is no reason to give up in the middle of a file.
    await client.query('SET LOCAL statement_timeout = 0');
    await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    const stream = untimed(client, () =>
      client.query(
        new QueryStream(statement.text, statement.params, { batchSize, rowMode: 'array' }),
      ),
    );
    return stream.once('close', release);
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * The driver would give a query up after its own time-out, and never clears that timer for a cursor:
 * a long export would be cut, a short one kept in memory.
 */
function untimed<T>(client: PoolClient, start: () => T): T {
  const { connectionParameters } = client as unknown as {
    connectionParameters: { query_timeout: number | false };
  };
  const usual = connectionParameters.query_timeout;
  connectionParameters.query_timeout = false;
  try {
    return start();
  } finally {
    connectionParameters.query_timeout = usual;
  }
}

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
  ctx.body = csv;
}
