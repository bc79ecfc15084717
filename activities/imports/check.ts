import { transaction, type Db, type Tx } from '../../entities/database/sql';
import { AppError } from '../../entities/errors';
import {
  importKinds,
  missingColumns,
  placesOf,
  repeatedColumns,
  type ColumnPlaces,
  type ImportKind,
} from '../../entities/rules/imports/kinds';
import { firstPlace, type ImportPlace } from '../../entities/rules/imports/place';
import type { SourceRow } from '../../entities/rules/imports/rows';
import type { ImportRow } from '../../entities/tables/imports/import-row.entity';
import type { Import } from '../../entities/tables/imports/import.entity';
import type { Vault } from '../../runtime/crypto/vault';
import type { CommandContext } from '../journal/cause';
import { holdProgramOpen } from '../programs/programs';
import { lanes, placeIn, workOnBlocks } from './blocks';
import { filesOf, findChunks, openChunk, type FoundChunk } from './files';
import { forgetRows } from './forget';
import {
  auditImport,
  holdForWork,
  keepPlace,
  lockImport,
  moveImport,
  startWork,
  type ImportKey,
} from './imports';
import { judgeBatch } from './judge/judge-batch';
import { nextRows } from './judge/verdict';
import { reportOf } from './report';
import { stagedRows, writeStaged } from './stage';

/**
 * Asks for the reading of an import: nothing but the import changes. IMPORT_NOT_FOUND, PROGRAM_ARCHIVED,
 * IMPORT_INVALID_STATE, IMPORT_EMPTY without a file, IMPORT_KEY_REJECTED once the source has refused the key.
 */
export async function checkImport(db: Db, context: CommandContext, key: ImportKey): Promise<void> {
  await transaction(db, async (tx) => {
    await holdProgramOpen(tx, key.programId, context.scope);
    const held = await lockImport(tx, context.scope, key);
    const none = { report: null, checkedAt: null };
    await startWork(tx, context, { held, trigger: 'read', set: none });
    if (held.source !== 'csv') {
      if (held.credentialsEncrypted === null) throw new AppError('IMPORT_KEY_REJECTED');
    } else if ((await filesOf(tx, held.id)).length === 0) {
      throw new AppError('IMPORT_EMPTY');
    }
    await auditImport(tx, context, { importId: held.id, action: 'import.check_asked' });
  });
}

export type Stores = { db: Db; vault: Pick<Vault, 'encrypt' | 'decrypt' | 'contactHash'> };

const steps = ['clear', 'read', 'judge'] as const;

/** Whether the next of the reading is a page of a source by API. */
export function isNextPage({ source, place }: Import): boolean {
  return source !== 'csv' && place !== null && steps[place.step] === 'read';
}

/** One batch of the reading in a transaction of its own; false when it is over, or not wanted any more. */
export async function readBatch({ db, vault }: Stores, held: Import, now: Date): Promise<boolean> {
  return transaction(db, async (tx) => {
    const current = await holdForWork(tx, held);
    if (!current) return false;
    const place = current.place ?? firstPlace;
    const next = await nextPlace({ db: tx, vault, tx }, current, place).catch((error: unknown) => {
      if (error instanceof ImportFailure) return error;
      throw error;
    });
    if (next instanceof ImportFailure) {
      await fail(tx, current, { failure: next, now });
      return false;
    }
    if (next !== null) {
      await keepPlace(tx, current.id, next);
      return true;
    }
    const report = await reportOf(tx, current);
    const set = { report, checkedAt: now, place: null, progress: null, updatedAt: now };
    await moveImport(tx, current, { trigger: 'check', set });
    return false;
  });
}

/** What ends a reading for good: it books nothing. */
export class ImportFailure extends Error {
  override readonly name = 'ImportFailure';

  constructor(
    readonly code: 'IMPORT_COLUMNS' | 'IMPORT_SOURCE_FAILED' | 'IMPORT_KEY_REJECTED',
    message: string,
  ) {
    super(message);
  }
}

/** Ends a reading that cannot go on. The row is locked. */
export async function fail(
  tx: Tx,
  held: Import,
  { failure, now }: { failure: ImportFailure; now: Date },
): Promise<void> {
  const { code, message } = failure;
  const set = { error: { code, message }, place: null, progress: null, updatedAt: now };
  await moveImport(tx, held, { trigger: 'fail', set });
}

type Next = Pick<Import, 'place' | 'progress'>;
type Work = Stores & { tx: Tx };

async function nextPlace(work: Work, held: Import, place: ImportPlace): Promise<Next | null> {
  switch (steps[place.step]) {
    case 'clear':
      return clear(work, held, place);
    case 'read':
      return readChunks(work, held, place);
    case 'judge':
      return afterJudged(work, held, place);
    default:
      return null;
  }
}

/** Deletes a batch of the rows that an earlier reading has left. */
async function clear({ tx }: Work, held: Import, place: ImportPlace): Promise<Next> {
  const progress = { step: 'clear', done: 0, total: null };
  if (await forgetRows(tx, held.id)) return { place, progress };
  return { place: { ...firstPlace, step: 1, kind: importKinds[0] }, progress };
}

const chunksAtOnce = 4;

/** The next chunks of a kind: while the database writes one, the next is opened and read. */
async function readChunks({ tx, vault }: Work, held: Import, place: ImportPlace): Promise<Next> {
  const kind = place.kind ?? importKinds[0];
  const { part, chunk } = place;
  const found = await findChunks(tx, { importId: held.id, kind, part, chunk, limit: chunksAtOnce });
  const last = found.at(-1);
  if (!last) return afterKind(place);
  let { after } = place;
  await writeInTurn(found, (one) => {
    const rows = stagedOf({ vault, held }, kind, { chunk: one, after });
    after += rows.length;
    return () => writeStaged(tx, rows);
  });
  return {
    place: { ...place, part: last.part, chunk: last.chunk + 1, after },
    progress: { step: kind, done: after, total: await totalOf(tx, held, kind) },
  };
}

/** Prepares each while the one before is being written; they are written in their order. */
async function writeInTurn<T>(
  all: readonly T[],
  prepare: (one: T) => () => Promise<void>,
): Promise<void> {
  let writing = Promise.resolve();
  try {
    for (const one of all) {
      const write = prepare(one);
      await writing;
      writing = write();
    }
  } finally {
    await writing;
  }
}

function stagedOf(
  { vault, held }: Pick<Work, 'vault'> & { held: Import },
  kind: ImportKind,
  { chunk, after }: { chunk: FoundChunk; after: number },
): ImportRow[] {
  const { part, header } = chunk;
  const places = placesFor(held, { kind, header, part });
  const rows = openChunk(vault, chunk).map(({ line, cells }) => {
    return { line, cells: cellsBy(places, cells) };
  });
  const { currency, statuses } = held;
  const stage = { vault, held, reading: { currency, statuses } };
  return stagedRows(stage, { kind, file: `${kind}-${part}`, rows }, after);
}

async function totalOf(db: Db, held: Import, kind: ImportKind): Promise<number | null> {
  const files = await filesOf(db, held.id);
  const own = files.filter((file) => file.kind === kind);
  return own.length === 0 ? null : own.reduce((sum, { rows }) => sum + rows, 0);
}

/** Where our columns stand in a file. IMPORT_COLUMNS where one that is needed does not, or one stands twice. */
function placesFor(
  { mapping }: Import,
  { kind, header, part }: { kind: ImportKind; header: string[]; part: number },
): ColumnPlaces {
  const places = placesOf(kind, header, mapping);
  const missing = missingColumns(kind, places, { hasCurrency: false });
  const repeated = repeatedColumns(kind, header, mapping);
  const fail = (what: string, columns: readonly string[]): never => {
    const message = `${kind}, part ${part}: there ${what} column ${columns.join(', ')}.`;
    throw new ImportFailure('IMPORT_COLUMNS', message);
  };
  if (missing.length > 0) return fail('is no', missing);
  return repeated.length > 0 ? fail('is more than one', repeated) : places;
}

function cellsBy(places: ColumnPlaces, cells: readonly string[]): SourceRow {
  return Object.fromEntries([...places].map(([column, place]) => [column, cells[place]]));
}

/** The next kind of this step, or the first of the next step. */
function afterKind({
  step,
  kind,
  source = null,
}: Pick<ImportPlace, 'step' | 'kind' | 'source'>): Next {
  const next = kind === null ? undefined : importKinds[importKinds.indexOf(kind) + 1];
  const place = next
    ? { ...firstPlace, step, kind: next, source }
    : { ...firstPlace, step: step + 1, kind: importKinds[0], source };
  return { place, progress: { step: next ?? 'judge', done: 0, total: null } };
}

/** Nothing is left to be judged of this kind. */
async function afterJudged({ tx }: Work, held: Import, place: ImportPlace): Promise<Next | null> {
  const kind = place.kind ?? importKinds[0];
  const [left] = await nextRows(tx, { importId: held.id, kind, after: place.after, limit: 1 });
  if (left) return { place, progress: held.progress };
  return kind === importKinds.at(-1) ? null : afterKind(place);
}

const judgedAtOnce = 1_000;

/** Judges the next rows of a kind; false when none is left, or rows are not what is next. */
export function judgeNext({ db, vault }: Stores, held: Import): Promise<boolean> {
  const place = placeIn(held);
  if (held.place === null || steps[place.step] !== 'judge') return Promise.resolve(false);
  const { kind } = place;
  return workOnBlocks(db, held, {
    place,
    kind,
    size: judgedAtOnce,
    // Partners join groups by all rows of their address.
    lanes: kind === 'partners' ? 1 : lanes,
    step: `check ${kind}`,
    total: null,
    work: (tx, current, rows) => judgeBatch({ tx, vault }, current, { kind, rows, phase: 'check' }),
  });
}
