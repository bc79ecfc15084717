import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Table } from '../../activities/imports/files';
import { validationError } from '../../entities/errors';
import type { TextRow } from '../../entities/rules/values/delimited';
import { rowsBehind, tableIn, type DelimitedTable } from '../http/server/delimited-body';

const maxRows = 200_000;
/** Names of columns are compared with all that are known, and shown: a system's are words. */
const longestName = 200;
/** The size of a chunk: it is read, hashed, sealed and stored in one turn, for which nothing else may wait long. */
const most = { rows: 500, cells: 4_000, characters: 64 * 1_024 };

/**
 * A table of a file; undefined where it has no header. Its rows come in chunks, each in a turn of its own.
 * VALIDATION_ERROR where the name of a column is longer than any.
 */
export function readImportFile(bytes: Buffer, linesBefore = 0): Table | undefined {
  const table =
    tableIn(bytes, (cells) => cells.length > 1) ?? tableIn(bytes, ([name = '']) => name !== '');
  if (!table) return undefined;
  if (table.header.cells.some((name) => name.length > longestName)) {
    throw validationError(
      'body',
      `has a column whose name has more than ${longestName} characters`,
    );
  }
  return { header: table.header.cells, rows: inChunks(rowsOf(table, linesBefore)) };
}

/** Rows of a part of a file, with their lines within the whole. */
function* rowsOf(table: DelimitedTable, linesBefore: number): Generator<TextRow> {
  for (const { line, cells } of rowsBehind(table, maxRows)) {
    yield { line: line + linesBefore, cells };
  }
}

async function* inChunks(rows: Iterable<TextRow>): AsyncGenerator<TextRow[]> {
  let chunk: TextRow[] = [];
  let [cells, characters] = [0, 0];
  for (const row of rows) {
    chunk.push(row);
    cells += row.cells.length;
    characters += row.cells.reduce((sum, cell) => sum + cell.length, 0);
    if (chunk.length < most.rows && cells < most.cells && characters < most.characters) continue;
    yield chunk;
    chunk = [];
    [cells, characters] = [0, 0];
    await nextTurn();
  }
  if (chunk.length > 0) yield chunk;
}
