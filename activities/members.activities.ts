import { AppError } from '../entities/errors';
import { newId } from '../entities/ids';
import { lifetimes } from '../entities/rules/accounts';
import type { Actor } from '../entities/rules/actor';
import type { Role } from '../entities/rules/roles';
import { execute, queryOne, type Db } from '../entities/sql';
import {
  insertMerchant,
  welcome,
  type MerchantAccount,
  type Registered,
} from './accounts.activities';
import { recordAudit } from './audit.activities';
import { deriveMailToken, isMailToken, mailTokenId } from './mail-tokens.activities';
import { queueMail, queueSecurityMails } from './mail.activities';
import type { Deps } from './runtime/deps';
import { hashPassword } from './runtime/passwords';
import type { Vault } from './runtime/vault';
import { endSessionsOf, type Origin } from './sessions.activities';

export interface MemberRecord {
  id: string;
  email: string;
  /** Null while invited. */
  name: string | null;
  role: Role;
  status: 'invited' | 'active';
  createdAt: Date;
}

export interface MemberCommand {
  workspaceId: string;
  actor: Actor;
  requestId?: string | undefined;
}

export interface InviteRow {
  id: string;
  workspaceId: string;
  email: string;
  role: Role;
  generation: number;
  createdAt: Date;
  expiresAt: Date;
  acceptedAt: Date | null;
  withdrawnAt: Date | null;
}

const inviteColumns = `id, workspace_id AS "workspaceId", email, role, generation,
  created_at AS "createdAt", expires_at AS "expiresAt", accepted_at AS "acceptedAt",
  withdrawn_at AS "withdrawnAt"`;

/**
 * Invites an address, without a look whether it has an account. A second invite to it starts a new
 * generation of 14 days: the older link is dead.
 */
export async function inviteMember(
  db: Db,
  vault: Pick<Vault, 'derive'>,
  command: MemberCommand & { email: string; role: Role },
  now: Date,
): Promise<InviteRow & { token: string }> {
  const { workspaceId, email, role, actor } = command;
  return db.transaction(async (tx) => {
    const invite = await queryOne<InviteRow>(
      tx,
      `INSERT INTO member_invites AS i (id, workspace_id, email, role, invited_by, created_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (workspace_id, email) WHERE accepted_at IS NULL AND withdrawn_at IS NULL
       DO UPDATE SET role = EXCLUDED.role, generation = i.generation + 1,
         invited_by = EXCLUDED.invited_by, created_at = EXCLUDED.created_at,
         expires_at = EXCLUDED.expires_at
       RETURNING ${inviteColumns}`,
      [newId(), workspaceId, email, role, actor.id, now, expiry(now)],
    );
    if (!invite) throw new Error('an upsert gave no row');

    const { id: inviteId, generation } = invite;
    await queueMail(tx, {
      type: 'member.invited',
      to: { address: email },
      params: { inviteId, generation },
      at: now,
    });
    const change = { verb: 'invited', type: 'member_invite', id: inviteId, email, role } as const;
    await announce(tx, command, change, now);
    return { ...invite, token: inviteToken(vault, invite) };
  });
}

/** The token of an invite's link, as the mail and the answer of the API carry it. */
export function inviteToken(vault: Pick<Vault, 'derive'>, invite: InviteRow): string {
  const { id, email, generation } = invite;
  return deriveMailToken(vault, { purpose: 'member_invite', id, email, generation });
}

export async function findInvite(db: Db, inviteId: string): Promise<InviteRow | undefined> {
  return queryOne<InviteRow>(db, `SELECT ${inviteColumns} FROM member_invites WHERE id = $1`, [
    inviteId,
  ]);
}

export function isOpenInvite(invite: InviteRow, now: Date): boolean {
  return !invite.acceptedAt && !invite.withdrawnAt && invite.expiresAt > now;
}

/**
 * Makes the account of an invited person and signs it in; the invite is spent.
 *
 * @throws AppError INVITE_EXPIRED for every token that is not of an open invite; EMAIL_TAKEN, which
 *   leaves the invite open
 */
export async function acceptInvite(
  deps: Pick<Deps, 'db' | 'vault'>,
  command: {
    token: string;
    name: string;
    password: string;
    origin: Origin;
    requestId?: string | undefined;
  },
  now: Date,
): Promise<Registered<MerchantAccount>> {
  const { token, name } = command;
  const inviteId = mailTokenId(token);
  const seen = inviteId === undefined ? undefined : await findInvite(deps.db.manager, inviteId);
  if (!seen || !isTokenOf(deps.vault, token, seen) || !isOpenInvite(seen, now)) {
    throw new AppError('INVITE_EXPIRED');
  }
  const passwordHash = await hashPassword(command.password);

  return deps.db.manager.transaction(async (tx) => {
    const spent = await queryOne<InviteRow>(
      tx,
      `UPDATE member_invites SET accepted_at = $3
       WHERE id = $1 AND generation = $2 AND accepted_at IS NULL AND withdrawn_at IS NULL
       RETURNING ${inviteColumns}`,
      [seen.id, seen.generation, now],
    );
    if (!spent) throw new AppError('INVITE_EXPIRED');

    const { workspaceId, role, email } = spent;
    const account = await insertMerchant(tx, { workspaceId, role, email, name, passwordHash }, now);
    const actor: Actor = { type: 'member', id: account.id };
    const change = { verb: 'joined', type: 'member', id: account.id, email, role } as const;
    await announce(tx, { workspaceId, actor, requestId: command.requestId }, change, now);
    return welcome(deps, tx, { account, ...command }, now);
  });
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
  return db.transaction(async (tx) => {
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
    await announce(tx, command, { ...member, verb: 'role_changed', type, role }, now);
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
  await db.transaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const member = await findMember(tx, { workspaceId, memberId }, now);
    if (!member) throw new AppError('NOT_FOUND');

    if (member.status === 'invited') {
      await execute(tx, 'UPDATE member_invites SET withdrawn_at = $2 WHERE id = $1', [
        memberId,
        now,
      ]);
      await audit(
        tx,
        command,
        { action: 'member.invite_withdrawn', type: 'member_invite', id: memberId },
        now,
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
    await announce(tx, command, { ...member, verb: 'removed', type: 'member' }, now);
  });
}

/** An active member or an open invite of a workspace. */
export async function findMember(
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
async function lockWorkspace(tx: Db, workspaceId: string): Promise<void> {
  await execute(tx, 'SELECT 1 FROM workspaces WHERE id = $1 FOR UPDATE', [workspaceId]);
}

async function refuseLastOwner(tx: Db, workspaceId: string, member: MemberRecord): Promise<void> {
  if (member.role !== 'owner') return;
  const other = await queryOne(
    tx,
    `SELECT 1 FROM merchant_accounts
     WHERE workspace_id = $1 AND role = 'owner' AND removed_at IS NULL AND id <> $2 LIMIT 1`,
    [workspaceId, member.id],
  );
  if (!other) throw new AppError('LAST_OWNER');
}

function isTokenOf(vault: Pick<Vault, 'derive'>, token: string, invite: InviteRow): boolean {
  const { id, email, generation } = invite;
  return isMailToken(vault, token, { purpose: 'member_invite', id, email, generation });
}

function expiry(now: Date): Date {
  return new Date(now.getTime() + lifetimes.memberInvite);
}

interface MemberChange {
  verb: 'invited' | 'joined' | 'role_changed' | 'removed';
  type: 'member' | 'member_invite';
  id: string;
  email: string;
  role: Role;
}

/** Audits a change of members and tells every admin and owner (contract, part 9: security). */
async function announce(
  tx: Db,
  command: MemberCommand,
  { verb, type, id, email, role }: MemberChange,
  now: Date,
): Promise<void> {
  await audit(tx, command, { action: `member.${verb}`, type, id }, now);
  await queueSecurityMails(tx, command.workspaceId, {
    type: `security.member_${verb}`,
    params: { memberEmail: email, role },
    at: now,
  });
}

async function audit(
  tx: Db,
  { workspaceId, actor, requestId }: MemberCommand,
  { action, type, id }: { action: string; type: string; id: string },
  at: Date,
): Promise<void> {
  await recordAudit(tx, { workspaceId, actor, action, target: { type, id }, requestId, at });
}
