import { isUtf8 } from 'node:buffer';
import { validationError } from '../../../entities/errors';
import { delimitedRows, type TextRow } from '../../../entities/rules/values/delimited';

const delimiters = [',', ';', '\t'];

export interface DelimitedTable {
  header: TextRow;
  text: string;
  delimiter: string;
}

/**
 * A file of rows with a header, between commas, semicolons or tabs: the first of them by which the header
 * is one that is wanted. VALIDATION_ERROR on `body` for what is neither UTF-8 nor marked UTF-16; undefined
 * where no header fits.
 */
export function tableIn(
  bytes: Buffer,
  isWanted: (cells: readonly string[]) => boolean,
): DelimitedTable | undefined {
  const text = textOf(bytes);
  for (const delimiter of delimiters) {
    const header = firstOf(text, delimiter);
    if (header && isWanted(header.cells)) return { header, text, delimiter };
  }
  return undefined;
}

/** The rows behind the header. VALIDATION_ERROR on `body` where they are no table, or too many. */
export function* rowsBehind(
  { text, delimiter }: DelimitedTable,
  maxRows: number,
): Generator<TextRow> {
  const rows = delimitedRows(text, delimiter);
  nextOf(rows);
  let count = 0;
  for (let row = nextOf(rows); row; row = nextOf(rows)) {
    if (count === maxRows) throw validationError('body', `has more than ${maxRows} rows`);
    count += 1;
    yield row;
  }
}

/** The first row; undefined where the text is no table at all with this delimiter. */
function firstOf(text: string, delimiter: string): TextRow | undefined {
  try {
    return delimitedRows(text, delimiter).next().value as TextRow | undefined;
  } catch {
    return undefined;
  }
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
  if (mark === 'fffe') return storable(bytes.subarray(2).toString('utf16le'));
  if (mark === 'feff') return storable(swapped(bytes.subarray(2)).toString('utf16le'));
  if (!isUtf8(bytes)) throw validationError('body', 'must be UTF-8, or UTF-16 with its mark');
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  return bytes.includes(0) ? storable(text) : text;
}

/** VALIDATION_ERROR on `body`, by its line, where a text holds what none of ours can. */
function storable(text: string): string {
  if (!text.includes('\0') && text.isWellFormed()) return text;
  const odd = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.exec(
    text,
  );
  const line = text.slice(0, odd?.index).split('\n').length;
  throw validationError('body', `must not contain NUL or lone surrogates, as line ${line} does`);
}

function swapped(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2))).swap16();
}
