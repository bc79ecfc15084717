import {
  execute,
  query,
  queryOne,
  transaction,
  type Db,
  type Tx,
} from '../../entities/database/sql';
import { AppError } from '../../entities/errors';
import { firstPlace } from '../../entities/rules/imports/place';
import { importKinds, type ImportKind } from '../../entities/rules/imports/kinds';
import { importKeptDays } from '../../entities/rules/imports/status';
import { dayMs } from '../../entities/rules/values/duration';
import { systemActor } from '../../entities/rules/values/actor';
import type { Import } from '../../entities/tables/imports/import.entity';
import type { CommandContext } from '../journal/cause';
import { holdProgramOpen } from '../programs/programs';
import { takeBackGroups } from './book/groups';
import { forgetRead } from './forget';
import {
  auditImport,
  holdForWork,
  keepPlace,
  lockImport,
  moveImport,
  startWork,
  type ImportKey,
} from './imports';
import { takers, type Taken } from './take-back';
import { unusedOf } from './unused';
import { usesOf } from './uses';

/**
 * Takes back what an import booked, for 30 days. IMPORT_NOT_FOUND, PROGRAM_ARCHIVED,
 * IMPORT_INVALID_STATE; IMPORT_IN_USE, with counts, when something of it was clicked, earned on, refunded,
 * decided by a person, claimed or paid.
 */
export async function undoImport(db: Db, context: CommandContext, key: ImportKey): Promise<void> {
  await transaction(db, async (tx) => {
    await holdProgramOpen(tx, key.programId, context.scope);
    const held = await lockImport(tx, context.scope, key);
    const { appliedAt } = held;
    const isLate =
      appliedAt && context.now.getTime() - appliedAt.getTime() > importKeptDays * dayMs;
    await startWork(tx, context, { held, trigger: 'undo' });
    if (isLate) throw new AppError('IMPORT_INVALID_STATE');
    const counts = await usesOf(tx, held);
    const used = Object.entries(counts).filter(([, count]) => count > 0);
    if (used.length > 0) {
      const uses = used.map(([use, count]) => `${count} ${use}`).join(', ');
      const message = `Something of the import is in use by now, so it cannot be taken back: ${uses}.`;
      throw new AppError('IMPORT_IN_USE', { message, extra: { counts } });
    }
    await auditImport(tx, context, { importId: held.id, action: 'import.undo_asked' });
  });
}

const atOnce = 500;

const inOrder = importKinds.toReversed();

/** One batch of the undoing in a transaction of its own: what was booked last goes first. */
export async function undoBatch(db: Db, held: Import, now: Date): Promise<void> {
  const isLast = await transaction(db, async (tx) => {
    const current = await holdForWork(tx, held);
    if (!current) return false;
    const batch = await nextBatch(tx, current);
    if (!batch && current.madeGroups !== null) return true;
    if (!batch) {
      await endUndo(tx, current, now);
      return false;
    }
    const { kind, rows, cursor } = batch;
    const unused = await unusedOf(tx, current, { kind, rows });
    await takers[kind]({ tx, held: current, now }, unused);
    await execute(
      tx,
      'DELETE FROM imported_records WHERE import_id = $1 AND kind = $2 AND their_key = ANY ($3)',
      [current.id, kind, unused.map(({ key }) => key)],
    );
    const done = (current.progress?.done ?? 0) + rows.length;
    const progress = { step: `undo ${kind}`, done, total: null };
    await keepPlace(tx, current.id, { place: { ...firstPlace, kind, cursor }, progress });
    return false;
  });
  // The programme is locked before the import.
  if (isLast) await takeBackGroups(db, held, now);
}

interface Batch {
  kind: ImportKind;
  rows: Undone[];
  cursor: string | null;
}

/** What is behind the place, by their keys; of the kind after it where there is no more of one. */
async function nextBatch(tx: Tx, { id, place }: Import): Promise<Batch | undefined> {
  const first = Math.max(0, place?.kind ? inOrder.indexOf(place.kind) : 0);
  for (const kind of inOrder.slice(first)) {
    const behind = kind === place?.kind ? place.cursor : null;
    const rows = await query<Undone>(
      tx,
      `SELECT their_key AS key, record_id AS id, beside_id AS "besideId", made
         FROM imported_records
        WHERE import_id = $1 AND kind = $2 AND ($3::text IS NULL OR their_key > $3)
        ORDER BY their_key LIMIT ${atOnce}`,
      [id, kind, behind],
    );
    if (rows.length > 0) return { kind, rows, cursor: rows.at(-1)?.key ?? null };
  }
  return undefined;
}

/** Ends the undo, and says what is left of the import. */
async function endUndo(tx: Tx, current: Import, now: Date): Promise<void> {
  const left = await queryOne<{ count: number }>(
    tx,
    'SELECT count(*) AS count FROM imported_records WHERE import_id = $1 AND made',
    [current.id],
  );
  const message = `${left?.count ?? 0} of what it made came into use meanwhile, and stays.`;
  const error = left?.count ? { code: 'IMPORT_IN_USE', message } : null;
  const set = { endedAt: now, updatedAt: now, place: null, progress: null, error };
  await moveImport(tx, current, { trigger: 'take_back', set });
  await forgetRead(tx, current.id);
  const { workspaceId, mode } = current;
  const context = { actor: systemActor, now, scope: { workspaceId, mode } };
  await auditImport(tx, context, { importId: current.id, action: 'import.undone' });
}

interface Undone extends Taken {
  key: string;
}
