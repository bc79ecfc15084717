import { validationError } from '../../entities/errors';
import type { ReadResult, ReadRow } from '../../entities/rules/payouts/result-row';
import { resultReader } from '../../entities/rules/payouts/results';
import type { TextRow } from '../../entities/rules/values/delimited';
import { inSlices } from '../../runtime/load/in-slices';
import { rowsBehind, tableIn } from '../http/server/delimited-body';

const maxRows = 50_000;

/**
 * The rows of a report without its header, in slices: nothing else waits for a large one.
 * VALIDATION_ERROR on `body` for what is no such file, or has too many rows.
 */
export async function readResults(bytes: Buffer): Promise<ReadRow[]> {
  const table = tableIn(bytes, (cells) => resultReader(cells) !== undefined);
  const read = table && resultReader(table.header.cells);
  if (!table || !read) {
    throw validationError(
      'body',
      'must be CSV with a header: itemReference and status, or the columns of a report of PayPal',
    );
  }
  return inSlices(readRows(rowsBehind(table, maxRows), read));
}

function* readRows(rows: Iterable<TextRow>, read: ReadResult): Generator<void, ReadRow[]> {
  const results: ReadRow[] = [];
  for (const row of rows) {
    results.push(read(row));
    yield;
  }
  return results;
}
