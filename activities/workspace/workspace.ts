import { AppError, validationError } from '../../entities/errors';
import { selectList } from '../../entities/database/columns';
import { type Db, execute, queryOne, transaction, type Tx } from '../../entities/database/sql';
import { Workspace } from '../../entities/tables/workspace/workspace.entity';
import type { DailyLimit, PayoutApproval } from '../../entities/rules/payouts/providers';
import type { Confirmed } from '../accounts/two-factor/changes';
import { spendCode } from '../accounts/two-factor/codes';
import type { WorkspaceContext } from '../journal/cause';
import { record } from '../journal/record';
import { notifyAdmins } from '../notifications/security';

const shown = [
  'id',
  'name',
  'testEmailRedirect',
  'requireTwoFactor',
  'payoutDailyLimits',
  'payoutApproval',
  'createdAt',
  'updatedAt',
  'closesAt',
] as const;
export type WorkspaceRecord = Pick<Workspace, (typeof shown)[number]>;

export interface WorkspacePatch {
  name?: string;
  /** A member's confirmed address; null: test mails go nowhere. */
  testEmailRedirect?: string | null;
  /** Members without a second factor reach nothing but their own account. */
  requireTwoFactor?: boolean;
  payoutDailyLimits?: DailyLimit[];
  payoutApproval?: PayoutApproval;
  /** The code that confirmed the change of who sends payouts, and how much. */
  confirmed?: Confirmed;
}

/**
 * Changes what is given. VALIDATION_ERROR for a redirect to somebody who is no confirmed member;
 * TWO_FACTOR_INVALID when the code was used meanwhile.
 */
export async function updateWorkspace(
  db: Db,
  context: WorkspaceContext,
  patch: WorkspacePatch,
): Promise<WorkspaceRecord> {
  const { workspaceId } = context.scope;
  if (Object.keys(patch).length === 0) return getWorkspace(db, workspaceId);
  return transaction(db, async (tx) => {
    await refuseForeignRedirect(tx, workspaceId, patch.testEmailRedirect ?? null);
    await execute(
      tx,
      `UPDATE workspaces SET name = coalesce($2, name),
         test_email_redirect = CASE WHEN $3 THEN $4 ELSE test_email_redirect END,
         require_two_factor = coalesce($6, require_two_factor), updated_at = $5,
         payout_daily_limits = coalesce($7::jsonb, payout_daily_limits),
         payout_approval = coalesce($8, payout_approval)
       WHERE id = $1`,
      [
        workspaceId,
        patch.name ?? null,
        patch.testEmailRedirect !== undefined,
        patch.testEmailRedirect ?? null,
        context.now,
        patch.requireTwoFactor ?? null,
        patch.payoutDailyLimits ? JSON.stringify(patch.payoutDailyLimits) : null,
        patch.payoutApproval ?? null,
      ],
    );
    const target = { type: 'workspace', id: workspaceId };
    await record(tx, context, { audit: { action: 'workspace.updated', target } });
    if (patch.requireTwoFactor !== undefined) {
      const verb = patch.requireTwoFactor ? 'required' : 'made_optional';
      await record(tx, context, { audit: { action: `workspace.two_factor_${verb}`, target } });
    }
    const workspace = await getWorkspace(tx, workspaceId);
    await tellOfPayouts(tx, context, { patch, workspace });
    return workspace;
  });
}

/** Who may send money, and how much: every admin and owner is told. */
async function tellOfPayouts(
  tx: Tx,
  context: WorkspaceContext,
  { patch, workspace }: { patch: WorkspacePatch; workspace: WorkspaceRecord },
): Promise<void> {
  const { payoutDailyLimits, payoutApproval, confirmed } = patch;
  if (payoutDailyLimits === undefined && payoutApproval === undefined) return;
  if (!confirmed) throw new AppError('TWO_FACTOR_REQUIRED');
  await spendCode(tx, context, confirmed);
  const target = { type: 'workspace', id: workspace.id };
  await record(tx, context, { audit: { action: 'workspace.payout_limits_changed', target } });
  await notifyAdmins(tx, context, {
    type: 'security.payout_limits_changed',
    data: {},
    facts: { amounts: workspace.payoutDailyLimits, kind: workspace.payoutApproval },
  });
}

/**
 * Mails of test mode are written by anybody who has a workspace: they go to who agreed to work there. What
 * is set already may be sent back as it was.
 */
async function refuseForeignRedirect(
  tx: Tx,
  workspaceId: string,
  redirect: string | null,
): Promise<void> {
  if (redirect === null) return;
  const allowed = await queryOne(
    tx,
    `SELECT 1 FROM workspaces WHERE id = $1 AND test_email_redirect = $2
     UNION ALL
     SELECT 1 FROM merchant_accounts
      WHERE workspace_id = $1 AND email = $2 AND removed_at IS NULL AND email_verified_at IS NOT NULL`,
    [workspaceId, redirect],
  );
  if (!allowed) {
    throw validationError('testEmailRedirect', "must be a member's confirmed address");
  }
}

/** NOT_FOUND. */
export async function getWorkspace(db: Db, workspaceId: string): Promise<WorkspaceRecord> {
  const workspace = await queryOne<WorkspaceRecord>(
    db,
    `SELECT ${selectList(Workspace, 'w', shown)} FROM workspaces AS w WHERE w.id = $1`,
    [workspaceId],
  );
  if (!workspace) throw new AppError('NOT_FOUND');
  return workspace;
}
