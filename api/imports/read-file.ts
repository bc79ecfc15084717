import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Table } from '../../activities/imports/files';
import type { TextRow } from '../../entities/rules/values/delimited';
import { rowsBehind, tableIn } from '../http/server/delimited-body';

const maxRows = 200_000;
const rowsOfAChunk = 500;

/** A table of a file; undefined where it has no header. Its rows come in chunks, each in a turn of its own. */
export function readImportFile(bytes: Buffer): Table | undefined {
  const table =
    tableIn(bytes, (cells) => cells.length > 1) ?? tableIn(bytes, ([name = '']) => name !== '');
  if (!table) return undefined;
  return { header: table.header.cells, rows: inChunks(rowsBehind(table, maxRows)) };
}

async function* inChunks(rows: Iterable<TextRow>): AsyncGenerator<TextRow[]> {
  let chunk: TextRow[] = [];
  for (const row of rows) {
    chunk.push(row);
    if (chunk.length < rowsOfAChunk) continue;
    yield chunk;
    chunk = [];
    await nextTurn();
  }
  if (chunk.length > 0) yield chunk;
}
