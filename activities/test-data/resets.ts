import { insertAll } from '../../entities/database/insert-all';
import { selectList } from '../../entities/database/columns';
import { TestDataReset } from '../../entities/tables/test-data/test-data-reset.entity';
import { AppError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import {
  execute,
  query,
  queryOne,
  transaction,
  type Db,
  type Tx,
} from '../../entities/database/sql';
import {
  changedSignalName,
  memoOf,
  signalArgsOf,
  taskQueues,
  workflowIds,
} from '../../runtime/temporal/messages';
import type { WorkspaceContext } from '../journal/cause';
import { record } from '../journal/record';
import { enqueue, isNotQueued } from '../journal/outbox';
import { searchAttributes } from '../../runtime/temporal/search-attributes';
import type { Deps } from '../../runtime/process/deps';

export const resetColumns = selectList(TestDataReset, 'test_data_resets');

/**
 * Starts a reset of a workspace's test data; returns its id. RESET_IN_PROGRESS while another is open.
 * The row comes first and is taken back when Temporal does not take the workflow: then nothing was
 * deleted, and nothing will be. A process that dies in between leaves a row that the sweep finds.
 */
export async function startReset(
  deps: Pick<Deps, 'db' | 'temporal' | 'log'>,
  context: WorkspaceContext,
): Promise<string> {
  const { workspaceId } = context.scope;
  const id = newId();
  await transaction(deps.db, async (tx) => {
    const times = { createdAt: context.now, touchedAt: context.now };
    const row = { id, workspaceId, scope: 'test_data', status: 'queued', ...times } as const;
    await insertAll(tx, { into: TestDataReset, rows: [row] });
    const target = { type: 'test_data_reset', id };
    await record(tx, context, { audit: { action: 'test_data.reset', target } });
  });
  try {
    await startWorkflow(deps, context);
  } catch (error) {
    const { requestId } = context;
    deps.log.warn({ err: error, requestId }, 'Temporal did not take a reset of test data');
    // The reset has begun all the same when the call was taken and only its answer was late.
    if (await isWithdrawn(deps.db.manager, id)) {
      throw new AppError('SERVICE_UNAVAILABLE', { headers: { 'Retry-After': '5' } });
    }
  }
  return id;
}

/** A workflow that is about to end reads the resets once more, because of the signal. */
async function startWorkflow(
  { temporal }: Pick<Deps, 'temporal'>,
  { scope: { workspaceId: id }, requestId }: WorkspaceContext,
): Promise<void> {
  await temporal.within(3_000, (client) =>
    client.workflow.signalWithStart('resetTestData', {
      workflowId: workflowIds.testReset(id),
      taskQueue: taskQueues.bulk,
      priority: { fairnessKey: id },
      args: [{ workspaceId: id }],
      signal: changedSignalName,
      signalArgs: signalArgsOf(requestId),
      memo: memoOf(requestId),
      typedSearchAttributes: searchAttributes({ workspaceId: id, mode: 'test' }),
      staticSummary: 'Reset of test data',
    }),
  );
}

async function isWithdrawn(db: Db, resetId: string): Promise<boolean> {
  const deleted = await execute(
    db,
    `DELETE FROM test_data_resets WHERE id = $1 AND status = 'queued'`,
    [resetId],
  );
  return deleted === 1;
}

/** The workspace's last reset. */
export function findLastReset(db: Db, workspaceId: string): Promise<TestDataReset | undefined> {
  return queryOne(
    db,
    `SELECT ${resetColumns} FROM test_data_resets WHERE workspace_id = $1
      ORDER BY created_at DESC, id DESC LIMIT 1`,
    [workspaceId],
  );
}

/** Resets that give no sign of life for half a minute: their workflow was lost or never started. Returns how many. */
export async function repairResets(db: Db, now: Date): Promise<number> {
  return transaction(db, async (tx) => {
    const lost = await query<Pick<TestDataReset, 'workspaceId' | 'scope'>>(
      tx,
      `UPDATE test_data_resets SET touched_at = $2
        WHERE status IN ('queued', 'running') AND touched_at < $1
          AND ${isNotQueued('test_reset', 'test_data_resets.workspace_id')}
        RETURNING workspace_id AS "workspaceId", scope`,
      [new Date(now.getTime() - 30_000), now],
    );
    for (const { workspaceId, scope } of lost) {
      const payload = scope === 'test_data' ? { mode: 'test' } : {};
      const work = { topic: 'test_reset', ref: workspaceId, workspaceId, payload } as const;
      await enqueue(tx, { ...work, availableAt: now });
    }
    return lost.length;
  });
}

/**
 * Queues the end of all rows of a workspace that was closed, both modes, by the same workflow. False
 * while a reset is open: it goes first.
 */
export async function queueClearing(
  tx: Tx,
  { now }: Pick<WorkspaceContext, 'now'>,
  { workspaceId }: { workspaceId: string },
): Promise<boolean> {
  const row = { id: newId(), workspaceId, scope: 'workspace', status: 'queued' } as const;
  const added = await insertAll(tx, {
    into: TestDataReset,
    rows: [{ ...row, createdAt: now, touchedAt: now }],
    onConflict: 'ON CONFLICT DO NOTHING',
  });
  if (added === 0) return false;
  await enqueue(tx, { topic: 'test_reset', ref: workspaceId, workspaceId, availableAt: now });
  return true;
}
