import { insertAll } from '../../entities/database/insert-all';
import { execute, query, transaction, type Db } from '../../entities/database/sql';
import { AppError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import { importKinds, type ImportKind } from '../../entities/rules/imports/kinds';
import { suggestionFor, type Suggestion } from '../../entities/rules/imports/suggest';
import { cut } from '../../entities/rules/values/cut';
import { emailOf } from '../../entities/rules/values/email';
import type { Scope } from '../../entities/rules/values/mode';
import type { TextRow } from '../../entities/rules/values/delimited';
import { ImportChunk } from '../../entities/tables/imports/import-chunk.entity';
import { ImportFile } from '../../entities/tables/imports/import-file.entity';
import type { Vault } from '../../runtime/crypto/vault';
import type { CommandContext } from '../journal/cause';
import { auditImport, getImport, lockImport, redraft, type ImportKey } from './imports';
import { holdProgramOpen } from '../programs/programs';

/** A table of a file, whose rows are read one by one. */
export interface Table {
  header: string[];
  rows: AsyncIterable<readonly TextRow[]>;
}

export interface FilePart extends ImportKey {
  kind: ImportKind;
  part: number;
}

type Stores = { db: Db; vault: Pick<Vault, 'encrypt' | 'contactHash'> };

/**
 * Keeps a part of a kind, encrypted, in the place of what was there; the import is a draft again.
 * IMPORT_NOT_FOUND, PROGRAM_ARCHIVED, IMPORT_INVALID_STATE.
 */
export async function keepFile(
  { db, vault }: Stores,
  context: CommandContext,
  { kind, part, table, ...key }: FilePart & { table: Table },
): Promise<void> {
  const { scope, now } = context;
  await transaction(db, async (tx) => {
    await holdProgramOpen(tx, key.programId, scope);
    const held = await lockImport(tx, scope, key);
    if (held.source !== 'csv') throw new AppError('IMPORT_INVALID_STATE');
    await redraft(tx, context, held);
    await execute(tx, 'DELETE FROM import_files WHERE import_id = $1 AND kind = $2 AND part = $3', [
      held.id,
      kind,
      part,
    ]);
    const id = newId();
    const { workspaceId, mode } = scope;
    const file = { id, workspaceId, mode, importId: held.id, kind, part, header: table.header };
    await insertAll(tx, { into: ImportFile, rows: [{ ...file, rows: 0, createdAt: now }] });
    let chunk = 0;
    let count = 0;
    for await (const rows of table.rows) {
      await insertAll(tx, { into: ImportChunk, rows: [sealedChunk(vault, { id, chunk, rows })] });
      chunk += 1;
      count += rows.length;
    }
    await execute(tx, 'UPDATE import_files SET rows = $2 WHERE id = $1', [id, count]);
    await auditImport(tx, context, { importId: held.id, action: 'import.file_put' });
  });
}

function sealedChunk(
  vault: Stores['vault'],
  { id, chunk, rows }: { id: string; chunk: number; rows: readonly TextRow[] },
): ImportChunk {
  const sealed = vault.encrypt(JSON.stringify(rows), ['import_chunks.sealed', id, String(chunk)]);
  return { fileId: id, chunk, sealed, addressHashes: hashesIn(vault, rows) };
}

/** Keyed hashes of all addresses in the rows, so that an erasure finds them without reading all. */
export function hashesIn(
  vault: Pick<Vault, 'contactHash'>,
  rows: readonly Pick<TextRow, 'cells'>[],
): string[] {
  const addresses = rows.flatMap(({ cells }) => cells.flatMap(addressIn));
  return [...new Set(addresses)].map((address) => vault.contactHash(address));
}

function addressIn(cell: string): string[] {
  const address = cell.includes('@') ? emailOf(cell) : undefined;
  return address === undefined ? [] : [address];
}

/** The rows of a chunk. */
export function openChunk(
  vault: Pick<Vault, 'decrypt'>,
  { fileId, chunk, sealed }: Pick<ImportChunk, 'fileId' | 'chunk' | 'sealed'>,
): TextRow[] {
  return JSON.parse(
    vault.decrypt(sealed, ['import_chunks.sealed', fileId, String(chunk)]),
  ) as TextRow[];
}

export type FoundChunk = Pick<ImportChunk, 'fileId' | 'chunk' | 'sealed'> &
  Pick<ImportFile, 'part' | 'header'>;

/** The next chunks of a kind, from this one on. */
export function findChunks(
  db: Db,
  at: { importId: string; kind: ImportKind; part: number; chunk: number; limit: number },
): Promise<FoundChunk[]> {
  return query(
    db,
    `SELECT c.file_id AS "fileId", c.chunk, c.sealed, f.part, f.header
       FROM import_files AS f JOIN import_chunks AS c ON c.file_id = f.id
      WHERE f.import_id = $1 AND f.kind = $2 AND (f.part, c.chunk) >= ($3, $4)
      ORDER BY f.part, c.chunk LIMIT ${at.limit}`,
    [at.importId, at.kind, at.part, at.chunk],
  );
}

/** A part of a kind, with some cells of each of its columns. */
export interface ShownFile extends Pick<ImportFile, 'kind' | 'part' | 'rows'> {
  columns: { name: string; sample: string[] }[];
}

const shownRows = 3;
const shownCharacters = 100;

export interface ShownFiles {
  files: ShownFile[];
  /** Where files look like those of a system that is known. */
  suggestion: Suggestion | null;
}

/** What was given of an import so far; the first part of each kind has cells of its first rows. IMPORT_NOT_FOUND. */
export async function showFiles(
  { db, vault }: { db: Db; vault: Pick<Vault, 'decrypt'> },
  scope: Scope,
  key: ImportKey,
): Promise<ShownFiles> {
  const { id, mapping } = await getImport(db, scope, key);
  const files = await filesOf(db, id);
  const firsts = new Map<string, readonly TextRow[]>();
  for (const kind of importKinds) {
    const [chunk] = await findChunks(db, { importId: id, kind, part: 1, chunk: 0, limit: 1 });
    if (chunk) firsts.set(`${kind} ${chunk.part}`, openChunk(vault, chunk).slice(0, shownRows));
  }
  const shownFiles = files.map(({ kind, part, rows, header }) => {
    const shown = firsts.get(`${kind} ${part}`) ?? [];
    const sampleOf = (place: number): string[] =>
      shown.map(({ cells }) => cut(cells[place] ?? '', shownCharacters));
    const columns = header.map((name, place) => ({ name, sample: sampleOf(place) }));
    return { kind, part, rows, columns };
  });
  return { files: shownFiles, suggestion: suggestionFor(files, mapping) };
}

/** Takes a part away; the import is a draft again. IMPORT_NOT_FOUND, IMPORT_INVALID_STATE, NOT_FOUND. */
export async function removeFile(
  db: Db,
  context: CommandContext,
  { kind, part, ...key }: FilePart,
): Promise<void> {
  await transaction(db, async (tx) => {
    await holdProgramOpen(tx, key.programId, context.scope);
    const held = await lockImport(tx, context.scope, key);
    await redraft(tx, context, held);
    const gone = await execute(
      tx,
      'DELETE FROM import_files WHERE import_id = $1 AND kind = $2 AND part = $3',
      [held.id, kind, part],
    );
    if (gone === 0) throw new AppError('NOT_FOUND');
    await auditImport(tx, context, { importId: held.id, action: 'import.file_removed' });
  });
}

/** The files of an import, without their rows. */
export function filesOf(
  db: Db,
  importId: string,
): Promise<Pick<ImportFile, 'kind' | 'part' | 'header' | 'rows'>[]> {
  return query(
    db,
    'SELECT kind, part, header, rows FROM import_files WHERE import_id = $1 ORDER BY kind, part',
    [importId],
  );
}
