/** What one upload takes, with room to spare: 20 MiB, of which a letter may be 3 bytes, and 200,000 rows. */
const most = { characters: 6_000_000, rows: 150_000 };

export interface Piece {
  text: string;
  /** Lines of the table that are left out between its header and the piece's first row. */
  linesBefore: number;
}

/**
 * A table in pieces that can be uploaded, each under the table's header. Rows stay whole, whatever lines
 * they have between quotes.
 */
export function splitCsv(text: string, { characters, rows } = most): Piece[] {
  if (text.length <= characters && linesIn(text) <= rows) return [{ text, linesBefore: 0 }];
  const [headerEnd = text.length, ...ends] = rowEnds(text);
  const header = text.slice(0, headerEnd);
  const pieces: Piece[] = [];
  let [from, last, count, linesBefore] = [headerEnd, headerEnd, 0, 0];
  const cut = (end?: number): void => {
    const own = text.slice(from, end);
    pieces.push({ text: header + own, linesBefore });
    linesBefore += own.match(/\r\n|\r|\n/g)?.length ?? 0;
  };
  for (const end of ends) {
    if (count === rows || (count > 0 && end - from + header.length > characters)) {
      cut(last);
      [from, count] = [last, 0];
    }
    last = end;
    count += 1;
  }
  cut();
  return pieces;
}

/** Rows at most: some of the lines may be within one. */
function linesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** Where each row ends, behind its line break. */
function* rowEnds(text: string): Generator<number> {
  let isQuoted = false;
  let from = 0;
  for (const { index, 0: sign } of text.matchAll(/["\n]/g)) {
    if (sign === '"') {
      isQuoted = !isQuoted;
    } else if (!isQuoted) {
      from = index + 1;
      yield from;
    }
  }
  if (from < text.length) yield text.length;
}
