import { isUtf8 } from 'node:buffer';
import { validationError } from '../../entities/errors';
import type { ReadResult, ReadRow } from '../../entities/rules/payouts/result-row';
import { resultReader } from '../../entities/rules/payouts/results';
import { delimitedRows, type TextRow } from '../../entities/rules/values/delimited';
import { inSlices } from '../../runtime/load/in-slices';

const maxRows = 50_000;

const delimiters = [',', ';', '\t'];

/**
 * The rows of a report without its header, in slices: nothing else waits for a large one.
 * VALIDATION_ERROR on `body` for what is no such file, or has too many rows.
 */
export async function readResults(bytes: Buffer): Promise<ReadRow[]> {
  const text = textOf(bytes);
  for (const delimiter of delimiters) {
    const header = firstOf(text, delimiter);
    const read = header && resultReader(header.cells);
    if (read) return inSlices(readRows(delimitedRows(text, delimiter), read));
  }
  throw validationError(
    'body',
    'must be CSV with a header: itemReference and status, or the columns of a report of PayPal',
  );
}

/** With another delimiter the header may be no table at all. */
function firstOf(text: string, delimiter: string): TextRow | undefined {
  try {
    return delimitedRows(text, delimiter).next().value as TextRow | undefined;
  } catch {
    return undefined;
  }
}

function* readRows(rows: Iterator<TextRow>, read: ReadResult): Generator<void, ReadRow[]> {
  const results: ReadRow[] = [];
  // The header.
  nextOf(rows);
  for (let row = nextOf(rows); row; row = nextOf(rows)) {
    if (results.length === maxRows) throw validationError('body', `has more than ${maxRows} rows`);
    results.push(read(row));
    yield;
  }
  return results;
}

function nextOf(rows: Iterator<TextRow>): TextRow | undefined {
  try {
    const { value, done } = rows.next();
    return done ? undefined : (value as TextRow);
  } catch {
    throw validationError('body', 'is not valid CSV');
  }
}

/** UTF-8, or UTF-16 of either order with its mark; the mark goes. */
function textOf(bytes: Buffer): string {
  const mark = bytes.subarray(0, 2).toString('hex');
  if (mark === 'fffe') return bytes.subarray(2).toString('utf16le');
  if (mark === 'feff') return swapped(bytes.subarray(2)).toString('utf16le');
  if (!isUtf8(bytes)) throw validationError('body', 'must be UTF-8, or UTF-16 with its mark');
  return bytes.toString('utf8').replace(/^\ufeff/, '');
}

function swapped(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2))).swap16();
}
