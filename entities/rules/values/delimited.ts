/** One row of a table in text. */
export interface TextRow {
  /** The line on which it begins, from 1. */
  line: number;
  cells: string[];
}

// Whoever reads in slices lets others have their turn between two rows: no row may take long.
const maxCells = 200;
const maxCellLength = 10_000;
const maxEmptyLines = 10_000;

const quote = '"';

/**
 * The rows of a table whose cells stand between delimiters and may be quoted (RFC 4180), one by one;
 * empty lines are passed over. Throws a SyntaxError for a quote that does not end, for what follows the
 * end of a quoted cell, for rows of more than 200 cells, cells of more than 10,000 characters, and more
 * than 10,000 empty lines in a row.
 */
export function* delimitedRows(text: string, delimiter: string): Generator<TextRow> {
  const place = { at: 0, line: 1 };
  let empty = 0;
  while (place.at < text.length) {
    const { line } = place;
    const cells = readRow(text, delimiter, place);
    const isEmpty = cells.length === 1 && cells[0] === '';
    empty = isEmpty ? empty + 1 : 0;
    if (empty > maxEmptyLines) throw new SyntaxError('there are too many empty lines');
    if (!isEmpty) yield { line, cells };
  }
}

interface Place {
  at: number;
  line: number;
}

function readRow(text: string, delimiter: string, place: Place): string[] {
  const cells: string[] = [];
  for (;;) {
    cells.push(
      text[place.at] === quote ? readQuoted(text, place) : readPlain(text, delimiter, place),
    );
    if (cells.length > maxCells) throw new SyntaxError('a row has too many cells');
    const next = text[place.at];
    if (next === delimiter) place.at += 1;
    else if (next === undefined || isLineEnd(next)) return (endLine(text, place), cells);
    else throw new SyntaxError('something follows a quoted cell');
  }
}

function readPlain(text: string, delimiter: string, place: Place): string {
  const from = place.at;
  let at = from;
  for (
    let one = text[at];
    one !== undefined && one !== delimiter && !isLineEnd(one);
    one = text[at]
  ) {
    at += 1;
    if (at - from > maxCellLength) throw new SyntaxError('a cell is too long');
  }
  place.at = at;
  return text.slice(from, at);
}

function readQuoted(text: string, place: Place): string {
  let cell = '';
  for (let from = place.at + 1; ;) {
    const end = text.indexOf(quote, from);
    if (end === -1) throw new SyntaxError('a quoted cell does not end');
    const part = text.slice(from, end);
    cell += part;
    if (cell.length > maxCellLength) throw new SyntaxError('a cell is too long');
    place.line += linesIn(part);
    if (text[end + 1] !== quote) {
      place.at = end + 1;
      return cell;
    }
    cell += quote;
    from = end + 2;
  }
}

function linesIn(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0;
}

function isLineEnd(one: string): boolean {
  return one === '\n' || one === '\r';
}

function endLine(text: string, place: Place): void {
  place.at += text.startsWith('\r\n', place.at) ? 2 : 1;
  place.line += 1;
}
