import { MerchantAccount } from '../../entities/tables/accounts/merchant-account.entity';
import { update } from '../../entities/database/update';
import { AppError } from '../../entities/errors';
import type { Role } from '../../entities/rules/values/roles';
import { type Db, execute, queryOne, transaction, type Tx } from '../../entities/database/sql';
import { endMember } from '../accounts/end-member';
import { namesOfKeysBy } from '../credentials/api-keys';
import type { WorkspaceContext } from '../journal/cause';
import { record } from '../journal/record';
import { recordMemberChange } from './member-changes';
import { changeInviteRole, endInvite } from './member-invites';

export interface MemberRecord {
  id: string;
  email: string;
  /** Null while invited. */
  name: string | null;
  role: Role;
  status: 'invited' | 'active';
  createdAt: Date;
}

/** Gives a member, or an open invite, another role. NOT_FOUND, LAST_OWNER. */
export async function changeRole(
  db: Db,
  context: WorkspaceContext,
  { memberId, role }: { memberId: string; role: Role },
): Promise<MemberRecord> {
  const { workspaceId } = context.scope;
  return transaction(db, async (tx) => {
    const member = await lockMember(tx, context, memberId);
    if (member.role === role) return member;

    if (member.status === 'invited') {
      const changed = await changeInviteRole(tx, context, { inviteId: memberId, role });
      // Accepted meanwhile: it is no open invite any more.
      if (!changed) throw new AppError('NOT_FOUND');
    } else {
      if (role !== 'owner') await refuseLastOwner(tx, context, member);
      const set = { role, updatedAt: context.now };
      await update(tx, MerchantAccount, { set, where: { id: memberId, workspaceId } });
    }
    const type = member.status === 'active' ? 'member' : 'member_invite';
    await recordMemberChange(tx, context, { ...member, verb: 'role_changed', type, role });
    return { ...member, role };
  });
}

/**
 * Removes a member (the account ends, its address is free) or withdraws an open invite. NOT_FOUND,
 * LAST_OWNER.
 */
export async function removeMember(
  db: Db,
  context: WorkspaceContext,
  { memberId }: { memberId: string },
): Promise<void> {
  const { workspaceId } = context.scope;
  await transaction(db, async (tx) => {
    const member = await lockMember(tx, context, memberId);
    if (member.status === 'invited') {
      const withdrawn = await endInvite(tx, context, { inviteId: memberId, trigger: 'withdraw' });
      // Accepted meanwhile: it is no open invite any more.
      if (!withdrawn) throw new AppError('NOT_FOUND');
      const target = { type: 'member_invite', id: memberId };
      await record(tx, context, { audit: { action: 'member.invite_withdrawn', target } });
      return;
    }
    await refuseLastOwner(tx, context, member);
    const keys = await namesOfKeysBy(tx, { workspaceId, createdBy: memberId });
    await endMember(tx, context, { ...member, workspaceId });
    await recordMemberChange(tx, context, { ...member, keys, verb: 'removed', type: 'member' });
  });
}

/**
 * An active member or an open invite of the workspace. Changes of members are made one after the
 * other, or two owners could step down at once. NOT_FOUND.
 */
async function lockMember(
  tx: Tx,
  { scope: { workspaceId }, now }: WorkspaceContext,
  memberId: string,
): Promise<MemberRecord> {
  await execute(tx, 'SELECT 1 FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [workspaceId]);
  const member = await queryOne<MemberRecord>(
    tx,
    `SELECT id, email, name, role, 'active' AS status, created_at AS "createdAt"
     FROM merchant_accounts WHERE workspace_id = $1 AND id = $2 AND removed_at IS NULL
     UNION ALL
     SELECT id, email, NULL, role, 'invited', created_at
     FROM member_invites WHERE workspace_id = $1 AND id = $2 AND accepted_at IS NULL
       AND withdrawn_at IS NULL AND expires_at > $3`,
    [workspaceId, memberId, now],
  );
  if (!member) throw new AppError('NOT_FOUND');
  return member;
}

async function refuseLastOwner(
  tx: Tx,
  { scope: { workspaceId } }: WorkspaceContext,
  member: MemberRecord,
): Promise<void> {
  if (member.role !== 'owner') return;
  const other = await queryOne(
    tx,
    `SELECT 1 FROM merchant_accounts
     WHERE workspace_id = $1 AND role = 'owner' AND removed_at IS NULL AND id <> $2 LIMIT 1`,
    [workspaceId, member.id],
  );
  if (!other) throw new AppError('LAST_OWNER');
}
