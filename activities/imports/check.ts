import { transaction, type Db, type Tx } from '../../entities/database/sql';
import { AppError } from '../../entities/errors';
import {
  importKinds,
  missingColumns,
  placesOf,
  type ColumnPlaces,
  type ImportKind,
} from '../../entities/rules/imports/kinds';
import { firstPlace, type ImportPlace } from '../../entities/rules/imports/place';
import type { SourceRow } from '../../entities/rules/imports/rows';
import type { Import } from '../../entities/tables/imports/import.entity';
import type { Vault } from '../../runtime/crypto/vault';
import type { CommandContext } from '../journal/cause';
import { holdProgramOpen } from '../programs/programs';
import { filesOf, findChunk, openChunk } from './files';
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
import { reportOf } from './report';
import { stageRows } from './stage';

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
      return readChunk(work, held, place);
    case 'judge':
      return judge(work, held, place);
    default:
      return null;
  }
}

/** What a reading before has left. */
async function clear({ tx }: Work, held: Import, place: ImportPlace): Promise<Next> {
  const progress = { step: 'clear', done: 0, total: null };
  if (await forgetRows(tx, held.id)) return { place, progress };
  return { place: { ...firstPlace, step: 1, kind: importKinds[0] }, progress };
}

/** A chunk of a file. */
async function readChunk({ tx, vault }: Work, held: Import, place: ImportPlace): Promise<Next> {
  const kind = place.kind ?? importKinds[0];
  const found = await findChunk(tx, { importId: held.id, kind, ...placeIn(place) });
  if (!found) return afterKind(place);
  const places = placesFor(held, { kind, header: found.header, part: found.part });
  const rows = openChunk(vault, found).map(({ line, cells }) => ({
    line,
    cells: cellsBy(places, cells),
  }));
  const { currency, statuses } = held;
  const stage = { tx, vault, held, reading: { currency, statuses } };
  const source = { kind, file: `${kind}-${found.part}`, rows };
  const after = await stageRows(stage, source, place.after);
  return {
    place: { ...place, part: found.part, chunk: found.chunk + 1, after },
    progress: { step: kind, done: after, total: await totalOf(tx, held, kind) },
  };
}

async function totalOf(db: Db, held: Import, kind: ImportKind): Promise<number | null> {
  const files = await filesOf(db, held.id);
  const own = files.filter((file) => file.kind === kind);
  return own.length === 0 ? null : own.reduce((sum, { rows }) => sum + rows, 0);
}

function placeIn({ part, chunk }: ImportPlace): { part: number; chunk: number } {
  return { part, chunk };
}

/** Where our columns stand in a file. IMPORT_COLUMNS where one that is needed does not. */
function placesFor(
  { mapping }: Import,
  { kind, header, part }: { kind: ImportKind; header: string[]; part: number },
): ColumnPlaces {
  const places = placesOf(kind, header, mapping);
  const missing = missingColumns(kind, places, { hasCurrency: false });
  if (missing.length === 0) return places;
  const names = missing.join(', ');
  throw new ImportFailure('IMPORT_COLUMNS', `${kind}, part ${part}: there is no column ${names}.`);
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

const judgedAtOnce = 1_000;

/** What would become of the next rows, were they booked now. */
async function judge(work: Work, held: Import, place: ImportPlace): Promise<Next | null> {
  const kind = place.kind ?? importKinds[0];
  const at = { kind, after: place.after, limit: judgedAtOnce, phase: 'check' } as const;
  const last = await judgeBatch(work, held, at);
  if (last !== null) {
    const progress = { step: `check ${kind}`, done: last, total: null };
    return { place: { ...place, after: last }, progress };
  }
  return kind === importKinds.at(-1) ? null : afterKind(place);
}
