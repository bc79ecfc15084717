import { randomInt } from 'node:crypto';
import { insertAll } from '../../entities/database/insert-all';
import { execute, queryOne, transaction, type Db, type Tx } from '../../entities/database/sql';
import { AppError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import { inviteExpiry } from '../../entities/rules/partners/invite';
import type { Mode } from '../../entities/rules/values/mode';
import { PartnerAccount as PartnerAccountRow } from '../../entities/tables/accounts/partner-account.entity';
import {
  deriveMailToken,
  isMailToken,
  mailTokenId,
  type MailTokenSubject,
} from '../../runtime/crypto/mail-tokens';
import type { Passwords } from '../../runtime/crypto/passwords';
import type { Vault } from '../../runtime/crypto/vault';
import { endSessionsOf, openSession, type Origin } from '../credentials/sessions';
import { recordAccount } from '../journal/account-audit';
import type { Cause } from '../journal/cause';
import { lockAccount, type AccountRow, type PartnerAccount } from './accounts';
import { forgetPayoutMethod } from './payout-method';
import type { Registered } from './register';
import { dayMs } from '../../entities/rules/values/duration';

/**
 * The partner account of an address, made when there is none: without a password, until the person
 * claims it. Held as it is until the end of the transaction.
 */
export async function holdOrMakePartner(
  tx: Tx,
  { now }: Pick<Cause, 'now'>,
  { email, name }: { email: string; name: string },
): Promise<{ id: string }> {
  // Who reads the id must not learn from its time whether the account was there before.
  const id = newId(new Date(now.getTime() - randomInt(365 * dayMs)));
  await insertAll(tx, {
    into: PartnerAccountRow,
    rows: [{ id, email, name, passwordHash: null, createdAt: now, updatedAt: now }],
    onConflict: 'ON CONFLICT (email) WHERE erased_at IS NULL DO NOTHING',
  });
  const account = await queryOne<{ id: string }>(
    tx,
    'SELECT id FROM partner_accounts WHERE email = $1 AND erased_at IS NULL FOR SHARE',
    [email],
  );
  // It was erased in between: the address is free by now.
  return account ?? holdOrMakePartner(tx, { now }, { email, name });
}

interface TokenDeps {
  db: Db;
  vault: Pick<Vault, 'derive'>;
}

/** A participation that was made for its partner, and what its token is bound to. */
interface Claimable {
  id: string;
  partnerId: string;
  mode: Mode;
  createdAt: Date;
  email: string;
  workspaceId: string;
  hasPassword: boolean;
  isVerified: boolean;
}

function findClaimable(db: Db, participantId: string): Promise<Claimable | undefined> {
  return queryOne<Claimable>(
    db,
    `SELECT p.id, p.partner_id AS "partnerId", p.mode, p.created_at AS "createdAt", a.email,
            p.workspace_id AS "workspaceId", a.password_hash IS NOT NULL AS "hasPassword",
            a.email_verified_at IS NOT NULL AS "isVerified"
       FROM participants AS p JOIN partner_accounts AS a ON a.id = p.partner_id
      WHERE p.id = $1 AND p.erased_at IS NULL AND a.erased_at IS NULL`,
    [participantId],
  );
}

/** The token of the mail about a participation that was made for a person; undefined for one that is gone. */
export async function claimToken(
  { db, vault }: TokenDeps,
  participantId: string,
): Promise<string | undefined> {
  const claimable = await findClaimable(db, participantId);
  return claimable && deriveMailToken(vault, contentsOf(claimable));
}

/** Of any generation: a mail that reached its address holds whatever became of the password meanwhile. */
function contentsOf({ id, email }: Claimable): MailTokenSubject {
  return { purpose: 'claim', id, email, generation: 0 };
}

export interface ClaimAccount {
  token: string;
  password: string;
  origin: Origin;
}

interface ClaimDeps {
  db: Db;
  vault: Pick<Vault, 'derive' | 'ipHashes'>;
  passwords: Pick<Passwords, 'hash'>;
}

/**
 * Gives an account that a merchant's server made its first password, and signs in. A mail of live
 * mode proves the address: it also takes over an account whose password somebody set without that,
 * with all that they left in it. One of test mode may be read by the merchant and proves nothing: it
 * leads to the participations of that workspace and mode only. INVITE_EXPIRED for every other token:
 * after 14 days, once the account is somebody's, when its address changed.
 */
export async function claimAccount(
  { db, vault, passwords }: ClaimDeps,
  cause: Cause,
  command: ClaimAccount,
): Promise<Registered<PartnerAccount>> {
  const seen = await openClaim({ db, vault }, cause, command.token);
  const passwordHash = await passwords.hash(command.password);
  return transaction(db, async (tx) => {
    const account = await holdClaimed(tx, seen);
    if (account.passwordHash !== null) await evict(tx, cause, account);
    const isProven = seen.mode === 'live';
    const emailVerified = account.emailVerified || isProven;
    await setPassword(tx, cause, { accountId: account.id, passwordHash, emailVerified });
    const { mode, workspaceId } = seen;
    const place = isProven ? {} : { mode, workspaceId };
    await claimParticipations(tx, cause, { partnerId: account.id, ...place });
    const to = { side: 'partner', accountId: account.id } as const;
    const session = await openSession({ db: tx, vault }, cause, { ...to, origin: command.origin });
    // No mail asks the real owner of an address to confirm what somebody else has claimed.
    await recordAccount(tx, cause, { account, action: 'account.claimed' });
    const { side, id, email, name, twoFactor } = account;
    return { account: { side, id, email, name, emailVerified, twoFactor }, ...session };
  });
}

async function openClaim(
  { db, vault }: TokenDeps,
  { now }: Pick<Cause, 'now'>,
  token: string,
): Promise<Claimable> {
  const id = mailTokenId(token);
  const claimable = id === undefined ? undefined : await findClaimable(db, id);
  const isOpen =
    claimable !== undefined &&
    (!claimable.hasPassword || (claimable.mode === 'live' && !claimable.isVerified)) &&
    inviteExpiry(claimable.createdAt) > now &&
    isMailToken(vault, token, contentsOf(claimable));
  if (!isOpen) throw expired();
  return claimable;
}

/** INVITE_EXPIRED for an account that is somebody's by now. */
async function holdClaimed(
  tx: Tx,
  { partnerId, email, mode }: Claimable,
): Promise<NonNullable<Awaited<ReturnType<typeof lockAccount>>> & PartnerAccount> {
  const account = await lockAccount(tx, { side: 'partner', accountId: partnerId });
  if (account?.side !== 'partner' || account.email !== email) throw expired();
  const isFree = account.passwordHash === null || (mode === 'live' && !account.emailVerified);
  if (!isFree) throw expired();
  return account;
}

const expired = (): AppError => new AppError('INVITE_EXPIRED');

/** What somebody did with an address that they never proved goes: sessions, second factor, way to be paid. */
async function evict(tx: Tx, cause: Cause, account: AccountRow): Promise<void> {
  await endSessionsOf(tx, cause, { side: 'partner', accountId: account.id });
  await execute(tx, 'DELETE FROM two_factors WHERE account_id = $1', [account.id]);
  await forgetPayoutMethod(tx, cause, account);
}

function setPassword(
  tx: Tx,
  { now }: Pick<Cause, 'now'>,
  account: { accountId: string; passwordHash: string; emailVerified: boolean },
): Promise<number> {
  return execute(
    tx,
    `UPDATE partner_accounts
        SET password_hash = $2, password_generation = password_generation + 1, updated_at = $3,
            email_verified_at = CASE WHEN $4 THEN coalesce(email_verified_at, $3) END
      WHERE id = $1`,
    [account.accountId, account.passwordHash, now, account.emailVerified],
  );
}

interface Claimed {
  partnerId: string;
  participantId?: string;
  workspaceId?: string;
  mode?: Mode;
}

/**
 * From now on merchants read the person's own name and address: in all programmes that they were
 * added to, in those of a workspace and mode, or in one. The account is locked, or held as it is.
 */
export function claimParticipations(
  tx: Tx,
  { now }: Pick<Cause, 'now'>,
  { partnerId, participantId, workspaceId, mode }: Claimed,
): Promise<number> {
  return execute(
    tx,
    `UPDATE participants AS p
        SET claimed_at = $2, partner_name = a.name, partner_email = a.email, updated_at = $2
       FROM partner_accounts AS a
      WHERE a.id = $1 AND p.id = ANY (ARRAY (
              SELECT id FROM participants
               WHERE partner_id = $1 AND ($3::uuid IS NULL OR id = $3)
                 AND ($4::uuid IS NULL OR workspace_id = $4) AND ($5::text IS NULL OR mode = $5)
                 AND claimed_at IS NULL AND erased_at IS NULL ORDER BY id FOR NO KEY UPDATE))`,
    [partnerId, now, participantId ?? null, workspaceId ?? null, mode ?? null],
  );
}
