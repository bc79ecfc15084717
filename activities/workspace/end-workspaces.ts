import {
  execute,
  query,
  queryOne,
  transaction,
  type Db,
  type Tx,
} from '../../entities/database/sql';
import { systemActor } from '../../entities/rules/values/actor';
import { dayMs, minuteMs } from '../../entities/rules/values/duration';
import { modes } from '../../entities/rules/values/mode';
import type { Deps } from '../../runtime/process/deps';
import type { Cause, WorkspaceContext } from '../journal/cause';
import { record } from '../journal/record';
import { billers } from '../../entities/rules/billing/biller';
import { disconnectBiller, forgetBiller } from '../billing/connection/connect';
import { queueClearing } from '../test-data/resets';
import { livePayout } from './close';

/** Workspaces of one call. */
const batch = 20;

type EndDeps = Pick<Deps, 'db' | 'config' | 'vault' | 'log'>;

/**
 * Ends workspaces whose time has come: first every access to them, a minute later their connections
 * to Stripe, then all rows, by the workflow of resets. Each step is a compare-and-set of its own, so
 * a process that dies is followed by the next. Gives how many steps were taken.
 */
export async function endWorkspaces(deps: EndDeps, cause: Cause): Promise<number> {
  const db = deps.db.manager;
  let steps = 0;
  const due = await query<{ id: string }>(
    db,
    `SELECT id FROM workspaces WHERE closes_at <= $1 AND closed_at IS NULL
      ORDER BY closes_at LIMIT ${batch}`,
    [cause.now],
  );
  for (const { id } of due) if (await endAccess(db, contextOf(cause, id))) steps += 1;

  const closed = await query<{ id: string; closedAt: Date | null }>(
    db,
    `SELECT w.id, w.closed_at AS "closedAt" FROM workspaces AS w
      WHERE w.closes_at IS NOT NULL AND w.closed_at <= $1
        AND NOT EXISTS (SELECT 1 FROM test_data_resets AS r WHERE r.workspace_id = w.id
                          AND r.scope = 'workspace' AND r.status <> 'failed')
      ORDER BY w.closed_at LIMIT ${batch}`,
    // Requests of before the end are over by then; their deadline is shorter.
    [new Date(cause.now.getTime() - minuteMs)],
  );
  for (const { id, closedAt } of closed) {
    if (closedAt && (await beginClearing(deps, contextOf(cause, id), closedAt))) steps += 1;
  }
  return steps;
}

function contextOf({ now }: Cause, workspaceId: string): WorkspaceContext {
  return { actor: systemActor, now, scope: { workspaceId } };
}

/**
 * The point of no return: members, sessions and keys end, and billers' events are refused. False
 * when the workspace was reopened, or a live payout is processing: then it waits for its end.
 */
async function endAccess(db: Db, context: WorkspaceContext): Promise<boolean> {
  const { scope, now } = context;
  const { workspaceId } = scope;
  return transaction(db, async (tx) => {
    await execute(tx, 'SELECT 1 FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [workspaceId]);
    if (await queryOne(tx, livePayout, [workspaceId])) return false;
    const ended = await execute(
      tx,
      `UPDATE workspaces SET closed_at = $2, updated_at = $2
        WHERE id = $1 AND closes_at <= $2 AND closed_at IS NULL`,
      [workspaceId, now],
    );
    if (ended === 0) return false;
    await endCredentials(tx, context);
    const target = { type: 'workspace', id: workspaceId };
    await record(tx, context, { audit: { action: 'workspace.closed', target } });
    return true;
  });
}

/** Ends invites before accounts, so that an invite that is accepted meanwhile is not missed. */
async function endCredentials(tx: Tx, { scope, now }: WorkspaceContext): Promise<void> {
  const at = [scope.workspaceId, now];
  await execute(
    tx,
    `UPDATE member_invites SET withdrawn_at = $2
      WHERE workspace_id = $1 AND accepted_at IS NULL AND withdrawn_at IS NULL`,
    at,
  );
  await execute(
    tx,
    `UPDATE merchant_accounts SET removed_at = $2, updated_at = $2
      WHERE workspace_id = $1 AND removed_at IS NULL`,
    at,
  );
  await execute(
    tx,
    `UPDATE sessions SET revoked_at = $2 WHERE side = 'merchant' AND revoked_at IS NULL
        AND account_id IN (SELECT id FROM merchant_accounts WHERE workspace_id = $1)`,
    at,
  );
  await execute(
    tx,
    'UPDATE api_keys SET revoked_at = $2 WHERE workspace_id = $1 AND revoked_at IS NULL',
    at,
  );
  await execute(
    tx,
    `UPDATE stripe_connections SET webhook_secret = NULL, updated_at = $2
      WHERE workspace_id = $1 AND deleted_at IS NULL`,
    at,
  );
}

/** False while a biller cannot be asked, or a reset of test data is open. */
async function beginClearing(
  deps: EndDeps,
  context: WorkspaceContext,
  closedAt: Date,
): Promise<boolean> {
  const { scope, now } = context;
  const places = modes.flatMap((mode) => billers.map((biller) => ({ mode, biller })));
  for (const { mode, biller } of places) {
    const ofMode = { ...context, scope: { ...scope, mode } };
    try {
      await disconnectBiller(deps, ofMode, biller);
    } catch (error) {
      deps.log.warn({ err: error, biller }, 'the endpoint of a closed workspace is still there');
      if (now.getTime() - closedAt.getTime() < dayMs) return false;
      await forgetBiller(deps.db.manager, ofMode, biller);
    }
  }
  return transaction(deps.db, async (tx) => {
    // Credentials are ended once more: a request that was let in before may have made a key or a member since.
    await endCredentials(tx, context);
    return queueClearing(tx, context, { workspaceId: scope.workspaceId });
  });
}
