import { AppError } from '../../entities/errors';
import type { Role } from '../../entities/rules/values/roles';
import { type Db, execute, queryOne, transaction, type Tx } from '../../entities/database/sql';
import { announceMember, auditMember, type MemberCommand } from './member-news';
import { endSessionsOf } from '../credentials/sessions';

export interface MemberRecord {
  id: string;
  email: string;
  /** Null while invited. */
  name: string | null;
  role: Role;
  status: 'invited' | 'active';
  createdAt: Date;
}

/**
 * Gives a member, or an open invite, another role.
 *
 * @throws AppError NOT_FOUND, LAST_OWNER
 */
export async function changeRole(
  db: Db,
  command: MemberCommand & { memberId: string; role: Role },
  now: Date,
): Promise<MemberRecord> {
  const { workspaceId, memberId, role } = command;
  return transaction(db, async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const member = await findMember(tx, { workspaceId, memberId }, now);
    if (!member) throw new AppError('NOT_FOUND');
    if (member.role === role) return member;

    if (member.status === 'active') {
      if (role !== 'owner') await refuseLastOwner(tx, workspaceId, member);
      await execute(tx, 'UPDATE merchant_accounts SET role = $2, updated_at = $3 WHERE id = $1', [
        memberId,
        role,
        now,
      ]);
    } else {
      await execute(tx, 'UPDATE member_invites SET role = $2 WHERE id = $1', [memberId, role]);
    }
    const type = member.status === 'active' ? 'member' : 'member_invite';
    const change = { ...member, verb: 'role_changed', type, role } as const;
    await announceMember(tx, { ...command, now }, change);
    return { ...member, role };
  });
}

/**
 * Removes a member (the account ends, its address is free) or withdraws an open invite.
 *
 * @throws AppError NOT_FOUND, LAST_OWNER
 */
export async function removeMember(
  db: Db,
  command: MemberCommand & { memberId: string },
  now: Date,
): Promise<void> {
  const { workspaceId, memberId } = command;
  await transaction(db, async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const member = await findMember(tx, { workspaceId, memberId }, now);
    if (!member) throw new AppError('NOT_FOUND');

    if (member.status === 'invited') {
      await execute(tx, 'UPDATE member_invites SET withdrawn_at = $2 WHERE id = $1', [
        memberId,
        now,
      ]);
      await auditMember(
        tx,
        { ...command, now },
        { action: 'member.invite_withdrawn', type: 'member_invite', id: memberId },
      );
      return;
    }
    await refuseLastOwner(tx, workspaceId, member);
    await execute(
      tx,
      'UPDATE merchant_accounts SET removed_at = $2, updated_at = $2 WHERE id = $1',
      [memberId, now],
    );
    await endSessionsOf(tx, { side: 'merchant', accountId: memberId }, now);
    const change = { ...member, verb: 'removed', type: 'member' } as const;
    await announceMember(tx, { ...command, now }, change);
  });
}

/** An active member or an open invite of a workspace. */
async function findMember(
  db: Db,
  { workspaceId, memberId }: { workspaceId: string; memberId: string },
  now: Date,
): Promise<MemberRecord | undefined> {
  return queryOne<MemberRecord>(
    db,
    `SELECT id, email, name, role, 'active' AS status, created_at AS "createdAt"
     FROM merchant_accounts WHERE workspace_id = $1 AND id = $2 AND removed_at IS NULL
     UNION ALL
     SELECT id, email, NULL, role, 'invited', created_at
     FROM member_invites WHERE workspace_id = $1 AND id = $2 AND accepted_at IS NULL
       AND withdrawn_at IS NULL AND expires_at > $3`,
    [workspaceId, memberId, now],
  );
}

/** Changes of owners are made one after the other, or two owners could step down at once. */
async function lockWorkspace(tx: Tx, workspaceId: string): Promise<void> {
  await execute(tx, 'SELECT 1 FROM workspaces WHERE id = $1 FOR UPDATE', [workspaceId]);
}

async function refuseLastOwner(tx: Tx, workspaceId: string, member: MemberRecord): Promise<void> {
  if (member.role !== 'owner') return;
  const other = await queryOne(
    tx,
    `SELECT 1 FROM merchant_accounts
     WHERE workspace_id = $1 AND role = 'owner' AND removed_at IS NULL AND id <> $2 LIMIT 1`,
    [workspaceId, member.id],
  );
  if (!other) throw new AppError('LAST_OWNER');
}
