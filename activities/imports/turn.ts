import { performance } from 'node:perf_hooks';
import { sliceMs, transaction } from '../../entities/database/sql';
import { isBusy, type ImportStatus } from '../../entities/rules/imports/status';
import type { Import } from '../../entities/tables/imports/import.entity';
import type { Deps } from '../../runtime/process/deps';
import { announceBatch, isAnnouncing } from './announce';
import { bookNext } from './apply';
import { isNextPage, judgeNext, readBatch } from './check';
import { forgetRows } from './forget';
import { findForWork, isNext } from './imports';
import { readPage } from './read-source';
import { undoBatch } from './undo';

/** What an operator sees of an import. */
export interface ImportTurn {
  /** Null for one that is gone. */
  status: ImportStatus | null;
  /** Nothing is left to be done. */
  isDone: boolean;
  /** Nothing can be done before that: another import of the workspace is at work, or a day's mails are sent. */
  waitMs: number;
  step: string | null;
  done: number;
  total: number | null;
}

export type TurnDeps = Pick<Deps, 'db' | 'clock' | 'vault' | 'config' | 'vendors'>;

/** How soon a turn looks again for one that waits for another import. */
const queueMs = 2_000;

/**
 * Some seconds of work on an import, batch by batch: each is a transaction that also says where the next
 * begins. A call that died anywhere is simply followed by the next; two at once take turns.
 */
export async function runImportTurn(
  deps: TurnDeps,
  importId: string,
  onBatch: () => void = () => undefined,
): Promise<ImportTurn> {
  const end = performance.now() + sliceMs;
  const db = deps.db.manager;
  for (;;) {
    const held = await findForWork(db, importId);
    if (!held) return { ...gone };
    if (performance.now() > end) return turnOf(held);
    if (isBusy(held.status) && !(await isNext(db, held))) {
      return { ...turnOf(held), waitMs: queueMs };
    }
    const waitMs = await runBatch(deps, held);
    if (waitMs === null) return { ...turnOf(held), isDone: true };
    if (waitMs > 0) return { ...turnOf(held), waitMs };
    onBatch();
  }
}

const gone: ImportTurn = {
  status: null,
  isDone: true,
  waitMs: 0,
  step: null,
  done: 0,
  total: null,
};

/** How long to wait before the next, as a rule not at all; null when nothing is to be done. */
async function runBatch(deps: TurnDeps, held: Import): Promise<number | null> {
  const stores = { db: deps.db.manager, vault: deps.vault };
  const now = deps.clock.now();
  const { invitesPerDay } = deps.config.limits;
  switch (held.status) {
    case 'reading':
      return read(deps, held, now);
    case 'applying':
      await bookNext(stores, held, now);
      return 0;
    case 'undoing':
      await undoBatch(stores.db, held, now);
      return 0;
    case 'applied':
    case 'undone':
    case 'cancelled':
      if (await transaction(stores.db, (tx) => forgetRows(tx, held.id))) return 0;
      return isAnnouncing(held) ? announceBatch(stores.db, { held, now, invitesPerDay }) : null;
    default:
      return null;
  }
}

async function read(deps: TurnDeps, held: Import, now: Date): Promise<number> {
  const { vault, vendors, config } = deps;
  const stores = { db: deps.db.manager, vault };
  const { place } = held;
  if (place !== null && isNextPage(held)) {
    return readPage({ ...stores, vendors, config }, { held, place, now });
  }
  if (!(await judgeNext(stores, held))) await readBatch(stores, held, now);
  return 0;
}

function turnOf({ status, progress }: Import): ImportTurn {
  const { step = null, done = 0, total = null } = progress ?? {};
  return { status, isDone: false, waitMs: 0, step, done, total };
}
