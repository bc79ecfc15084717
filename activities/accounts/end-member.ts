import { update } from '../../entities/database/update';
import { execute, query, type Tx } from '../../entities/database/sql';
import { MerchantAccount } from '../../entities/tables/accounts/merchant-account.entity';
import { revokeKeysOf } from '../credentials/api-keys';
import { endSessionsOf } from '../credentials/sessions';
import type { Cause, WorkspaceContext } from '../journal/cause';
import { record } from '../journal/record';

interface EndedMember {
  id: string;
  workspaceId: string;
  email: string;
}

/** A member's account ends: its address is free, its sessions are over, and test mails go there no more. */
export async function endMember(
  tx: Tx,
  context: Pick<Cause, 'now'>,
  { id, workspaceId, email }: EndedMember,
): Promise<void> {
  const { now } = context;
  const set = { removedAt: now, updatedAt: now };
  await update(tx, MerchantAccount, { set, where: { id, workspaceId } });
  await endSessionsOf(tx, context, { side: 'merchant', accountId: id });
  await execute(tx, 'DELETE FROM two_factors WHERE account_id = $1', [id]);
  await endRedirectTo(tx, { workspaceId, email });
}

/** Test mails go to no address that a member has no more. */
export async function endRedirectTo(
  tx: Tx,
  { workspaceId, email }: Omit<EndedMember, 'id'>,
): Promise<void> {
  await execute(
    tx,
    `UPDATE workspaces SET test_email_redirect = NULL
      WHERE id = $1 AND test_email_redirect = $2`,
    [workspaceId, email],
  );
}

/**
 * Everybody else of a workspace goes, with open invites and all keys: an owner has just shown that the
 * address is theirs, and whoever registered with it before let them in.
 */
export async function endOthers(
  tx: Tx,
  context: WorkspaceContext,
  { except }: { except: string },
): Promise<void> {
  const { workspaceId } = context.scope;
  await execute(tx, 'SELECT 1 FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [workspaceId]);
  const others = await query<{ id: string; email: string }>(
    tx,
    `SELECT id, email FROM merchant_accounts
      WHERE workspace_id = $1 AND id <> $2 AND removed_at IS NULL ORDER BY id FOR UPDATE`,
    [workspaceId, except],
  );
  for (const other of others) {
    await endMember(tx, context, { ...other, workspaceId });
    const target = { type: 'member', id: other.id };
    await record(tx, context, { audit: { action: 'member.removed', target } });
  }
  await execute(
    tx,
    `UPDATE member_invites SET withdrawn_at = $2
      WHERE workspace_id = $1 AND accepted_at IS NULL AND withdrawn_at IS NULL`,
    [workspaceId, context.now],
  );
  await revokeKeysOf(tx, context);
}
