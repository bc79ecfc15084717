import { query, transaction, type Db, type Tx } from '../../entities/database/sql';
import { importKinds, type ImportKind } from '../../entities/rules/imports/kinds';
import {
  firstPlace,
  isToBeDone,
  nextBlocks,
  withBlock,
  type Block,
  type ImportPlace,
} from '../../entities/rules/imports/place';
import type { ImportRow } from '../../entities/tables/imports/import-row.entity';
import type { Import } from '../../entities/tables/imports/import.entity';
import { findForWork, holdForWork, keepPlace } from './imports';
import { nextRows } from './judge/verdict';

/** Blocks at once where no row depends on those before it. */
export const lanes = 2;

/** Work on the rows of a kind, block by block. */
export interface BlockWork {
  kind: ImportKind;
  /** How many rows a block has. */
  size: number;
  /** How many blocks at once. */
  lanes: number;
  /** What an operator reads of it. */
  step: string;
  total: number | null;
  work: (tx: Tx, held: Import, rows: readonly ImportRow[]) => Promise<void>;
}

/**
 * Does the next blocks side by side, each in a transaction that also says that it is done: this process
 * plans one while the database writes the other. False when no row is left.
 */
export async function workOnBlocks(
  db: Db,
  held: Import,
  work: BlockWork & { place: ImportPlace },
): Promise<boolean> {
  const all = await Promise.allSettled(
    nextBlocks(work.place, work).map((block) => workOnBlock(db, held, { ...work, block })),
  );
  // None goes on when the call is over.
  for (const one of all) if (one.status === 'rejected') throw one.reason;
  return all.some((one) => one.status === 'fulfilled' && one.value);
}

async function workOnBlock(
  db: Db,
  held: Import,
  { block, place, kind, size, work, ...shown }: BlockWork & { place: ImportPlace; block: Block },
): Promise<boolean> {
  return transaction(db, async (tx) => {
    await lockBlock(tx, held, block);
    // Whoever stops it waits for all blocks under way; they do not wait for one another.
    const current = await holdForWork(tx, held, 'FOR KEY SHARE');
    const at = current && placeIn(current);
    // Somebody else was faster, or it is not wanted any more.
    const isWanted = at?.step === place.step && at.kind === kind && isToBeDone(at, block);
    if (!current || !isWanted) return true;
    const behind = { importId: current.id, kind, after: block.from, limit: size };
    const found = await nextRows(tx, behind);
    if (found.length === 0) return false;
    const rows = found.filter(({ n }) => n <= block.to);
    await work(tx, current, rows);
    await keepBlock(tx, current, { ...shown, block, last: rows.at(-1)?.n ?? block.from });
    return true;
  });
}

/** A call that was given up may go on: the second of two with one block waits, and sees that it is done. */
async function lockBlock(tx: Tx, { id }: Pick<Import, 'id'>, { from }: Block): Promise<void> {
  const name = `import:${id}:${from}`;
  await query(tx, 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
}

/** Where the work on rows goes on. */
export function placeIn({ place }: Pick<Import, 'place'>): ImportPlace & { kind: ImportKind } {
  return { ...firstPlace, ...place, kind: place?.kind ?? importKinds[0] };
}

/** The place is read anew under its lock: the block beside has moved it, too. */
async function keepBlock(
  tx: Tx,
  { id }: Pick<Import, 'id'>,
  { block, last, step, total }: Pick<BlockWork, 'step' | 'total'> & { block: Block; last: number },
): Promise<void> {
  const now = await findForWork(tx, id, 'FOR NO KEY UPDATE');
  if (!now) return;
  const before = placeIn(now);
  const place = withBlock(before, block);
  const done = Math.min(place.after, Math.max(last, before.after));
  await keepPlace(tx, id, { place, progress: { step, done, total } });
}
