import { AppError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import { lifetimes } from '../../entities/rules/accounts/accounts';
import type { Actor } from '../../entities/rules/values/actor';
import type { Role } from '../../entities/rules/values/roles';
import { type Db, queryOne, transaction } from '../../entities/database/sql';
import {
  insertMerchant,
  welcome,
  type MerchantAccount,
  type Registered,
} from '../accounts/accounts';
import { deriveMailToken, isMailToken, mailTokenId } from '../runtime/crypto/mail-tokens';
import { queueMail } from '../journal/mail-queue';
import { announceMember, type MemberChangeContext } from './member-news';
import type { Deps } from '../runtime/process/deps';
import { hashPassword } from '../runtime/crypto/passwords';
import type { Vault } from '../runtime/crypto/vault';
import type { Origin } from '../credentials/sessions';

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
  command: MemberChangeContext & { email: string; role: Role },
): Promise<InviteRow & { token: string }> {
  const { workspaceId, email, role, actor, now } = command;
  return transaction(db, async (tx) => {
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
    await announceMember(tx, command, change);
    return { ...invite, token: inviteToken(vault, invite) };
  });
}

/** The token of an invite's link, as the mail and the answer of the API carry it. */
export function inviteToken(vault: Pick<Vault, 'derive'>, invite: InviteRow): string {
  const { id, email, generation } = invite;
  return deriveMailToken(vault, { purpose: 'member_invite', id, email, generation });
}

/** An invite in any state; undefined when there is no such row. */
export async function findInvite(db: Db, inviteId: string): Promise<InviteRow | undefined> {
  return queryOne<InviteRow>(db, `SELECT ${inviteColumns} FROM member_invites WHERE id = $1`, [
    inviteId,
  ]);
}

/** Neither accepted nor withdrawn, and not yet run out. */
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

  return transaction(deps.db.manager, async (tx) => {
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
    await announceMember(tx, { workspaceId, actor, requestId: command.requestId, now }, change);
    return welcome(tx, deps.vault, { account, ...command, now });
  });
}

function isTokenOf(vault: Pick<Vault, 'derive'>, token: string, invite: InviteRow): boolean {
  const { id, email, generation } = invite;
  return isMailToken(vault, token, { purpose: 'member_invite', id, email, generation });
}

function expiry(now: Date): Date {
  return new Date(now.getTime() + lifetimes.memberInvite);
}
