import { performance } from 'node:perf_hooks';
import { sliceMs, transaction } from '../../entities/database/sql';
import { isBusy, type ImportStatus } from '../../entities/rules/imports/status';
import type { Import } from '../../entities/tables/imports/import.entity';
import type { Deps } from '../../runtime/process/deps';
import { bookBatch } from './apply';
import { readBatch } from './check';
import { forgetRows } from './forget';
import { findForWork, isNext } from './imports';

/** What an operator sees of an import. */
export interface ImportTurn {
  /** Null for one that is gone. */
  status: ImportStatus | null;
  /** Nothing is left to be done. */
  isDone: boolean;
  /** Nothing can be done before that: another import of the workspace is at work. */
  waitMs: number;
  step: string | null;
  done: number;
  total: number | null;
}

export type TurnDeps = Pick<Deps, 'db' | 'clock' | 'vault'>;

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
    if (!(await runBatch(deps, held))) return { ...turnOf(held), isDone: true };
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

/** False when nothing is to be done in this status. */
async function runBatch(deps: TurnDeps, held: Import): Promise<boolean> {
  const stores = { db: deps.db.manager, vault: deps.vault };
  const now = deps.clock.now();
  switch (held.status) {
    case 'reading':
      await readBatch(stores, held, now);
      return true;
    case 'applying':
      await bookBatch(stores, held, now);
      return true;
    case 'applied':
    case 'undone':
    case 'cancelled':
      return transaction(stores.db, (tx) => forgetRows(tx, held.id));
    default:
      return false;
  }
}

function turnOf({ status, progress }: Import): ImportTurn {
  const { step = null, done = 0, total = null } = progress ?? {};
  return { status, isDone: false, waitMs: 0, step, done, total };
}
