import { findById, findOne } from '../../entities/database/find';
import { performance } from 'node:perf_hooks';
import { movingSql } from '../../entities/database/moving';
import { modes } from '../../entities/rules/values/mode';
import { resetMoves } from '../../entities/rules/test-data/reset';
import { TestDataReset } from '../../entities/tables/test-data/test-data-reset.entity';
import {
  type Db,
  execute,
  queryOne,
  sliceMs,
  transaction,
  type Tx,
} from '../../entities/database/sql';
import { waitForWriters } from '../../entities/database/writers';
import { enqueueSql } from '../journal/outbox';
import type { Cause } from '../journal/cause';
import type { Deps } from '../../runtime/process/deps';
import { deleteBatch, type Counts } from './delete-batch';
import { resetColumns } from './resets';
import { closedSteps } from './closed-workspace';
import { clearingSteps, closingSteps, tablesOf, type ResetStep } from './tables';
import { update } from '../../entities/database/update';

/** What an operator sees of a reset. */
export interface ResetProgress {
  resetId: string | null;
  /** `none`: the workspace has no open reset. */
  status: 'none' | 'running' | 'completed';
  /** The step that is under way. */
  step: string | null;
  /** Rows by table, since the beginning. */
  deleted: Counts;
}

const of = 'test_data_resets';
const moving = {
  begin: movingSql(resetMoves, { trigger: 'begin', to: 'running', of }),
  complete: movingSql(resetMoves, { trigger: 'complete', to: 'completed', of }),
  fail: movingSql(resetMoves, { trigger: 'fail', to: 'failed', of }),
};

interface Slice {
  db: Db;
  deps: Pick<Deps, 'db' | 'clock'>;
  resetId: string;
  end: number;
  onBatch: () => void;
}

/**
 * Goes on with the workspace's open reset. What is left is read from the tables themselves, so a
 * call that died anywhere is simply followed by the next; two at once alternate at each batch.
 */
export async function runResetSlice(
  deps: Pick<Deps, 'db' | 'clock'>,
  workspaceId: string,
  onBatch: () => void = () => undefined,
): Promise<ResetProgress> {
  const db = deps.db.manager;
  const reset = await begin(db, workspaceId, deps.clock.now());
  if (!reset) return { resetId: null, status: 'none', step: null, deleted: {} };

  const end = performance.now() + sliceMs;
  const slice: Slice = { db, deps, resetId: reset.id, end, onBatch };
  const step = reset.closedAt
    ? await run(slice, stepsAfter(reset))
    : await closeFirst(slice, reset);
  if (step === null) await complete(slice);
  const after = await findById(db, TestDataReset, reset.id);
  const status = after?.status === 'completed' ? 'completed' : step === null ? 'none' : 'running';
  return { resetId: reset.id, status, step, deleted: after?.deleted ?? {} };
}

/** The first call notes the programmes that it takes; those that are made later stay. */
async function begin(db: Db, workspaceId: string, now: Date): Promise<TestDataReset | undefined> {
  return transaction(db, async (tx) => {
    const reset = await queryOne<TestDataReset>(
      tx,
      `SELECT ${resetColumns} FROM test_data_resets
        WHERE workspace_id = $1 AND status IN ('queued', 'running') FOR UPDATE`,
      [workspaceId],
    );
    if (reset?.status !== 'queued') return reset;
    await execute(
      tx,
      `INSERT INTO test_data_reset_targets (reset_id, kind, target_id)
       SELECT $1, 'program', id FROM programs WHERE workspace_id = $2 AND mode = ANY ($3)`,
      [reset.id, workspaceId, modesOf(reset)],
    );
    await execute(
      tx,
      `UPDATE test_data_resets SET ${moving.begin.set}, started_at = $2, touched_at = $2
        WHERE id = $1 AND ${moving.begin.where}`,
      [reset.id, now],
    );
    return reset;
  });
}

/** What goes once the programmes are gone. */
function stepsAfter({ scope }: TestDataReset): readonly ResetStep[] {
  return scope === 'workspace' ? [...clearingSteps, ...closedSteps] : clearingSteps;
}

/** `both` is the mode of what belongs to none, such as security notices. */
function modesOf({ scope }: TestDataReset): string[] {
  return scope === 'workspace' ? [...modes, 'both'] : ['test'];
}

/** Returns the name of the step that is not done yet, null when all are. */
async function closeFirst(slice: Slice, reset: TestDataReset): Promise<string | null> {
  const step = await run(slice, closingSteps);
  if (step !== null) return step;
  // Reports and clicks that were on their way have landed; later ones find no partner any more.
  await waitForWriters(slice.db, tablesOf([...closingSteps, ...clearingSteps]), slice.onBatch);
  await execute(
    slice.db,
    `UPDATE test_data_resets SET closed_at = $2, touched_at = $2
      WHERE id = $1 AND status = 'running' AND closed_at IS NULL`,
    [slice.resetId, slice.deps.clock.now()],
  );
  return run(slice, stepsAfter(reset));
}

async function run(slice: Slice, steps: readonly ResetStep[]): Promise<string | null> {
  for (const step of steps) {
    if (step.after) await waitForWriters(slice.db, step.after, slice.onBatch);
    for (let more = true; more;) {
      if (performance.now() > slice.end) return step.name;
      more = await runBatch(slice, step);
      slice.onBatch();
    }
  }
  return null;
}

/** False when nothing is left of the step, or the reset is not open any more. */
async function runBatch({ db, deps, resetId }: Slice, step: ResetStep): Promise<boolean> {
  return transaction(db, async (tx) => {
    const reset = await lockRunning(tx, resetId);
    if (!reset) return false;
    const now = deps.clock.now();
    const counts = await deleteBatch(tx, step, {
      workspace: reset.workspaceId,
      modes: modesOf(reset),
      all: reset.scope === 'workspace',
      reset: resetId,
      // Nothing of a closed workspace stays that came later.
      closed: reset.scope === 'workspace' ? now : reset.closedAt,
      now,
    });
    if (Object.keys(counts).length === 0) return false;
    await update(tx, TestDataReset, {
      set: { deleted: sumOf(reset.deleted, counts), touchedAt: now },
      where: { id: resetId },
    });
    return true;
  });
}

function lockRunning(tx: Tx, resetId: string): Promise<TestDataReset | undefined> {
  return findOne(tx, TestDataReset, { where: { id: resetId, status: 'running' }, lock: 'UPDATE' });
}

function sumOf(known: Counts, added: Counts): Counts {
  const sum = { ...known };
  for (const [table, rows] of Object.entries(added)) sum[table] = (sum[table] ?? 0) + rows;
  return sum;
}

/** Retries of deliveries that are gone run once more, and end. */
async function complete({ db, deps, resetId }: Slice): Promise<void> {
  const now = deps.clock.now();
  await transaction(db, async (tx) => {
    const reset = await lockRunning(tx, resetId);
    if (!reset) return;
    await execute(
      tx,
      enqueueSql({
        topic: 'webhook_retries',
        ref: 'id',
        workspaceId: 'workspace_id',
        availableAt: '$2',
        from: `webhook_endpoints
          WHERE workspace_id = $1 AND mode = 'test' AND retries_wake_at IS NOT NULL`,
      }),
      [reset.workspaceId, now],
    );
    await execute(tx, 'DELETE FROM test_data_reset_targets WHERE reset_id = $1', [resetId]);
    await execute(
      tx,
      `UPDATE test_data_resets SET ${moving.complete.set}, finished_at = $2, touched_at = $2
        WHERE id = $1 AND ${moving.complete.where}`,
      [resetId, now],
    );
  });
}

/** An operator cancelled the workflow: what was deleted is gone, another reset may begin. */
export async function failReset(
  db: Db,
  { now }: Pick<Cause, 'now'>,
  { workspaceId }: { workspaceId: string },
): Promise<void> {
  await execute(
    db,
    `UPDATE test_data_resets SET ${moving.fail.set}, finished_at = $2, touched_at = $2
      WHERE workspace_id = $1 AND ${moving.fail.where}`,
    [workspaceId, now],
  );
}
