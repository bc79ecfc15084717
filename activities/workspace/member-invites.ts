import { findById } from '../../entities/database/find';
import { AppError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import { lifetimes } from '../../entities/rules/accounts/accounts';
import type { Role } from '../../entities/rules/values/roles';
import { sourcesOf, targetOf } from '../../entities/rules/values/moves';
import {
  isMemberInviteOpen,
  memberInviteMoves,
  type MemberInviteState,
  type MemberInviteTrigger,
} from '../../entities/rules/workspace/member-invite';
import { selectList } from '../../entities/database/columns';
import { execute, queryOne, transaction, type Db, type Tx } from '../../entities/database/sql';
import { MemberInvite } from '../../entities/tables/workspace/member-invite.entity';
import type { MerchantAccount } from '../accounts/accounts';
import { insertMerchant, openFirstSession, type Registered } from '../accounts/register';
import type { Origin } from '../credentials/sessions';
import type { Cause, WorkspaceContext } from '../journal/cause';
import { deriveMailToken, isMailToken, mailTokenId } from '../../runtime/crypto/mail-tokens';
import type { Passwords } from '../../runtime/crypto/passwords';
import type { Vault } from '../../runtime/crypto/vault';
import { recordMemberChange } from './member-changes';

const inviteColumns = selectList(MemberInvite, 'i');

/**
 * Invites an address, whether it has an account or not. A second invite to it starts a new generation
 * of 14 days: the older link is dead.
 */
export async function inviteMember(
  { db, vault }: { db: Db; vault: Pick<Vault, 'derive'> },
  context: WorkspaceContext,
  { email, role }: { email: string; role: Role },
): Promise<MemberInvite & { token: string }> {
  const { scope, actor, now } = context;
  return transaction(db, async (tx) => {
    const invite = await queryOne<MemberInvite>(
      tx,
      `INSERT INTO member_invites AS i (id, workspace_id, email, role, invited_by, created_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (workspace_id, email) WHERE accepted_at IS NULL AND withdrawn_at IS NULL
       DO UPDATE SET role = EXCLUDED.role, generation = i.generation + 1,
         invited_by = EXCLUDED.invited_by, created_at = EXCLUDED.created_at,
         expires_at = EXCLUDED.expires_at
       RETURNING ${inviteColumns}`,
      [newId(), scope.workspaceId, email, role, actor.id, now, expiry(now)],
    );
    if (!invite) throw new Error('an upsert returns its row');

    const { id, generation } = invite;
    const params = { inviteId: id, generation };
    await recordMemberChange(tx, context, {
      ...{ verb: 'invited', type: 'member_invite', id, email, role },
      mails: [{ type: 'member.invited', to: { address: email }, params }],
    });
    return { ...invite, token: memberInviteToken(vault, invite) };
  });
}

/** The token of an invite's link, as the mail and the answer of the API carry it. */
export function memberInviteToken(vault: Pick<Vault, 'derive'>, invite: MemberInvite): string {
  const { id, email, generation } = invite;
  return deriveMailToken(vault, { purpose: 'member_invite', id, email, generation });
}

export interface AcceptMemberInvite {
  token: string;
  name: string;
  password: string;
  origin: Origin;
}

interface AcceptDeps {
  db: Db;
  vault: Pick<Vault, 'derive' | 'ipHashes'>;
  passwords: Pick<Passwords, 'hash'>;
}

/**
 * Makes the account of an invited person and signs it in; the invite is spent. INVITE_EXPIRED for
 * every token that is not of an open invite; EMAIL_TAKEN, which leaves the invite open.
 */
export async function acceptMemberInvite(
  { db, vault, passwords }: AcceptDeps,
  cause: Cause,
  command: AcceptMemberInvite,
): Promise<Registered<MerchantAccount>> {
  const { name, origin } = command;
  const seen = await findOpenInvite({ db, vault }, cause, command.token);
  const passwordHash = await passwords.hash(command.password);
  const { workspaceId, generation } = seen;

  return transaction(db, async (tx) => {
    const scope = { workspaceId };
    const key = { inviteId: seen.id, generation, trigger: 'accept' } as const;
    const spent = await endInvite(tx, { ...cause, scope }, key);
    if (!spent) throw new AppError('INVITE_EXPIRED');

    const { role, email } = spent;
    const member = { workspaceId, role, email, name, passwordHash };
    const account = await insertMerchant(tx, cause, member);
    const context = { ...cause, scope, actor: { type: 'member', id: account.id } } as const;
    const change = { verb: 'joined', type: 'member', id: account.id, email, role } as const;
    await recordMemberChange(tx, context, change);
    return openFirstSession({ db: tx, vault }, cause, { account, origin });
  });
}

/** INVITE_EXPIRED for every token that is not of an open invite. */
async function findOpenInvite(
  { db, vault }: { db: Db; vault: Pick<Vault, 'derive'> },
  { now }: Cause,
  token: string,
): Promise<MemberInvite> {
  const inviteId = mailTokenId(token);
  const invite = inviteId === undefined ? undefined : await findById(db, MemberInvite, inviteId);
  if (!invite || !isMemberInviteOpen(invite, now)) throw new AppError('INVITE_EXPIRED');
  const { id, email, generation } = invite;
  const subject = { purpose: 'member_invite', id, email, generation } as const;
  if (!isMailToken(vault, token, subject)) throw new AppError('INVITE_EXPIRED');
  return invite;
}

const stateOfRow = `CASE WHEN i.accepted_at IS NOT NULL THEN 'accepted'
  WHEN i.withdrawn_at IS NOT NULL THEN 'withdrawn' ELSE 'open' END`;

const timeOf: Record<Exclude<MemberInviteState, 'open'>, string> = {
  accepted: 'accepted_at',
  withdrawn: 'withdrawn_at',
};

interface InviteMove<Trigger extends MemberInviteTrigger> {
  inviteId: string;
  trigger: Trigger;
  /** The generation that the invite must still have. */
  generation?: number;
}

/** Ends an invite by its table of moves; undefined when it has no such move from where it is. */
export async function endInvite(
  tx: Tx,
  { scope, now }: WorkspaceContext,
  { inviteId, generation, trigger }: InviteMove<'accept' | 'withdraw'>,
): Promise<MemberInvite | undefined> {
  const state = targetOf(memberInviteMoves, trigger);
  if (state === 'open') throw new Error(`${trigger} ends no invite`);
  return queryOne<MemberInvite>(
    tx,
    `UPDATE member_invites AS i SET ${timeOf[state]} = $3
      WHERE i.id = $1 AND i.workspace_id = $2 AND ${stateOfRow} = ANY($4)
        AND ($5::int IS NULL OR i.generation = $5)
      RETURNING ${inviteColumns}`,
    [inviteId, scope.workspaceId, now, sourcesOf(memberInviteMoves, trigger), generation ?? null],
  );
}

/** Sets the role of an open invite; false when it is over, accepted a moment ago perhaps. */
export async function changeInviteRole(
  tx: Tx,
  { scope }: WorkspaceContext,
  { inviteId, role }: { inviteId: string; role: Role },
): Promise<boolean> {
  const changed = await execute(
    tx,
    `UPDATE member_invites AS i SET role = $3
      WHERE i.id = $1 AND i.workspace_id = $2 AND ${stateOfRow} = ANY($4)`,
    [inviteId, scope.workspaceId, role, sourcesOf(memberInviteMoves, 'change_role')],
  );
  return changed === 1;
}

function expiry(now: Date): Date {
  return new Date(now.getTime() + lifetimes.memberInvite);
}
