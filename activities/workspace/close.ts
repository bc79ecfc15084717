import { AppError } from '../../entities/errors';
import { closesAt } from '../../entities/rules/workspace/closing';
import { queryOne, transaction, type Db, type Tx } from '../../entities/database/sql';
import { lockUnchanged, type AccountRow } from '../accounts/accounts';
import type { WorkspaceContext } from '../journal/cause';
import { record } from '../journal/record';
import { notifyAdmins } from '../notifications/security';
import { noteClosing } from './tell-closing';
import { getWorkspace, type WorkspaceRecord } from './workspace';
import { Workspace } from '../../entities/tables/workspace/workspace.entity';
import { update } from '../../entities/database/update';

/** A live payout of the workspace `$1` whose money may be on its way. */
export const livePayout = `SELECT 1 FROM programs AS p JOIN payouts AS o ON o.program_id = p.id
  WHERE p.workspace_id = $1 AND p.mode = 'live' AND o.status = 'processing' LIMIT 1`;

/**
 * Puts the end of a workspace thirty days ahead; until it has begun, `reopenWorkspace` takes it back,
 * and everything goes on. Asked again, the first date stands. `seen` is the account whose password was
 * confirmed. PASSWORD_INVALID when it was changed meanwhile, WORKSPACE_PAYOUT_PROCESSING.
 */
export async function closeWorkspace(
  db: Db,
  context: WorkspaceContext,
  { seen }: { seen: AccountRow },
): Promise<WorkspaceRecord> {
  const { workspaceId } = context.scope;
  return transaction(db, async (tx) => {
    await lockUnchanged(tx, seen);
    const workspace = await lockWorkspace(tx, workspaceId);
    if (workspace.closesAt) return workspace;
    if (await queryOne(tx, livePayout, [workspaceId])) {
      throw new AppError('WORKSPACE_PAYOUT_PROCESSING');
    }
    return setClosesAt(tx, context, { workspace, at: closesAt(context.now) });
  });
}

/** Takes it back. WORKSPACE_NOT_CLOSING when nobody asked for it, or it has begun. */
export async function reopenWorkspace(db: Db, context: WorkspaceContext): Promise<WorkspaceRecord> {
  return transaction(db, async (tx) => {
    const workspace = await lockWorkspace(tx, context.scope.workspaceId);
    if (!workspace.closesAt) throw new AppError('WORKSPACE_NOT_CLOSING');
    return setClosesAt(tx, context, { workspace, at: null });
  });
}

/** Locks the workspace and reads it as it is now; one that was closed a moment ago is none of its members' any more. */
async function lockWorkspace(tx: Tx, workspaceId: string): Promise<WorkspaceRecord> {
  const open = await queryOne(
    tx,
    'SELECT 1 FROM workspaces WHERE id = $1 AND closed_at IS NULL FOR NO KEY UPDATE',
    [workspaceId],
  );
  if (!open) throw new AppError('WORKSPACE_NOT_CLOSING');
  return getWorkspace(tx, workspaceId);
}

async function setClosesAt(
  tx: Tx,
  context: WorkspaceContext,
  { workspace, at }: { workspace: WorkspaceRecord; at: Date | null },
): Promise<WorkspaceRecord> {
  const { id, name, closesAt: until } = workspace;
  await update(tx, Workspace, { set: { closesAt: at, updatedAt: context.now }, where: { id } });
  const action = at ? 'workspace.closing' : 'workspace.reopened';
  await record(tx, context, { audit: { action, target: { type: 'workspace', id } } });
  const instant = (at ?? until ?? context.now).toISOString();
  await noteClosing(tx, context, { kind: at ? 'closing' : 'reopened', until: instant });
  await notifyAdmins(tx, context, {
    type: `security.${at ? 'workspace_closing' : 'workspace_reopened'}`,
    data: {},
    facts: { name, until: instant },
  });
  return getWorkspace(tx, id);
}
