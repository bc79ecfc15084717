import { execute, queryOne, transaction, type Db, type Tx } from '../../entities/database/sql';
import { AppError } from '../../entities/errors';
import { isClaimable, type Claimable } from '../../entities/rules/accounts/addresses';
import { inviteExpiry } from '../../entities/rules/partners/invite';
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
import { accountOfAddress, holderOf, lockAddress, proveAddress, standInFor } from './addresses';
import { forgetPayoutMethod } from './payout-method';
import type { Registered } from './register';

interface TokenDeps {
  db: Db;
  vault: Pick<Vault, 'derive'>;
}

/** A participation that was made for its partner, and what its token is bound to. */
interface ClaimableRow extends Claimable {
  id: string;
  createdAt: Date;
  /** The address that the mail went to. */
  email: string;
  name: string;
  workspaceId: string;
}

function findClaimable(db: Db, participantId: string): Promise<ClaimableRow | undefined> {
  return queryOne<ClaimableRow>(
    db,
    `SELECT p.id, p.mode, p.created_at AS "createdAt", p.partner_name AS name,
            coalesce(p.bound_email, a.email) AS email, p.workspace_id AS "workspaceId",
            p.claimed_at IS NOT NULL AS "isOpened", p.proven_at IS NOT NULL AS "isProven"
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

/** The same in every generation: a mail that reached its address holds whatever became of the password meanwhile. */
function contentsOf({ id, email }: ClaimableRow): MailTokenSubject {
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
 * mode proves the address: all that servers made for it in live mode is theirs, and an account that
 * somebody registered with it without proving it is taken over, with all that they left in it. One of
 * test mode may be read by the merchant and proves nothing: it opens what that workspace has in test
 * mode, in an account apart from any other of the address. INVITE_EXPIRED for every other token: after
 * 14 days, and once the address is proved.
 */
export async function claimAccount(
  { db, vault, passwords }: ClaimDeps,
  cause: Cause,
  command: ClaimAccount,
): Promise<Registered<PartnerAccount>> {
  const { token, origin } = command;
  const { email } = await openClaim({ db, vault }, cause, token);
  const passwordHash = await passwords.hash(command.password);
  return transaction(db, async (tx) => {
    await lockAddress(tx, email);
    const claimable = await openClaim({ db: tx, vault }, cause, token);
    const isProven = claimable.mode === 'live';
    const account = await (isProven ? holdAccount : holdSandbox)(tx, cause, claimable);
    await setPassword(tx, cause, { accountId: account.id, passwordHash, isProven });
    if (isProven) await proveAddress(tx, cause, { accountId: account.id, email });
    await claimParticipations(tx, cause, { partnerId: account.id });
    const to = { side: 'partner', accountId: account.id } as const;
    const session = await openSession({ db: tx, vault }, cause, { ...to, origin });
    // No mail asks the real owner of an address to confirm what somebody else has claimed.
    await recordAccount(tx, cause, { account, action: 'account.claimed' });
    const { side, id, name, twoFactor } = account;
    return { account: { side, id, email, name, emailVerified: isProven, twoFactor }, ...session };
  });
}

async function openClaim(
  { db, vault }: TokenDeps,
  { now }: Pick<Cause, 'now'>,
  token: string,
): Promise<ClaimableRow> {
  const id = mailTokenId(token);
  const claimable = id === undefined ? undefined : await findClaimable(db, id);
  const isGenuine =
    claimable !== undefined &&
    inviteExpiry(claimable.createdAt) > now &&
    isMailToken(vault, token, contentsOf(claimable));
  if (!isGenuine) throw expired();
  const { email, mode, workspaceId: heldIn } = claimable;
  const holder = await holderOf(db, email, mode === 'test' ? { heldIn } : {});
  if (!isClaimable(claimable, holder)) throw expired();
  return claimable;
}

const expired = (): AppError => new AppError('INVITE_EXPIRED');

/** The account that the address gets; what an unproven one did goes. */
async function holdAccount(tx: Tx, cause: Cause, person: ClaimableRow): Promise<LockedPartner> {
  const account = await lockPartner(tx, await accountOfAddress(tx, cause, person));
  if (account.passwordHash !== null) await evict(tx, cause, account);
  // Evicting has ended its second factor.
  return { ...account, twoFactor: false };
}

/** The account that the workspace's test mode has for the address, with what it added there unopened. */
async function holdSandbox(tx: Tx, cause: Cause, person: ClaimableRow): Promise<LockedPartner> {
  const { email, workspaceId } = person;
  const id = await standInFor(tx, cause, person);
  await execute(
    tx,
    `UPDATE participants SET partner_id = $1, proven_at = NULL, updated_at = $4
      WHERE id = ANY (ARRAY (SELECT id FROM participants
        WHERE bound_email = $2 AND workspace_id = $3 AND mode = 'test' AND claimed_at IS NULL
          AND erased_at IS NULL ORDER BY id FOR UPDATE))`,
    [id, email, workspaceId, cause.now],
  );
  return lockPartner(tx, id);
}

type LockedPartner = AccountRow & PartnerAccount;

async function lockPartner(tx: Tx, accountId: string): Promise<LockedPartner> {
  const account = await lockAccount(tx, { side: 'partner', accountId });
  if (account?.side !== 'partner') throw expired();
  return account;
}

/** What somebody did with an address that they never proved goes: sessions, second factor, way to be paid. */
async function evict(tx: Tx, cause: Cause, account: AccountRow): Promise<void> {
  await endSessionsOf(tx, cause, { side: 'partner', accountId: account.id });
  await execute(tx, 'DELETE FROM two_factors WHERE account_id = $1', [account.id]);
  await forgetPayoutMethod(tx, cause, account);
}

function setPassword(
  tx: Tx,
  { now }: Pick<Cause, 'now'>,
  account: { accountId: string; passwordHash: string; isProven: boolean },
): Promise<number> {
  return execute(
    tx,
    `UPDATE partner_accounts
        SET password_hash = $2, password_generation = password_generation + 1, updated_at = $3,
            email_verified_at = CASE WHEN $4 THEN coalesce(email_verified_at, $3) END
      WHERE id = $1`,
    [account.accountId, account.passwordHash, now, account.isProven],
  );
}

interface Claimed {
  partnerId: string;
  participantId?: string;
}

/**
 * Shows merchants the person's own name and address from now on: in all programmes that they were
 * added to, or in one. The account is locked, or held as it is.
 */
export function claimParticipations(
  tx: Tx,
  { now }: Pick<Cause, 'now'>,
  { partnerId, participantId }: Claimed,
): Promise<number> {
  return execute(
    tx,
    `UPDATE participants AS p
        SET claimed_at = $2, partner_name = a.name, partner_email = coalesce(a.held_email, a.email),
            updated_at = $2
       FROM partner_accounts AS a
      WHERE a.id = $1 AND p.id = ANY (ARRAY (
              SELECT id FROM participants
               WHERE partner_id = $1 AND ($3::uuid IS NULL OR id = $3)
                 AND claimed_at IS NULL AND erased_at IS NULL ORDER BY id FOR NO KEY UPDATE))`,
    [partnerId, now, participantId ?? null],
  );
}
