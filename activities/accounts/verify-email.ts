import { AppError } from '../../entities/errors';
import { type Db, execute, transaction, type Tx } from '../../entities/database/sql';
import type { AccountRef } from '../credentials/sessions';
import { recordAccount } from '../journal/account-audit';
import type { Cause } from '../journal/cause';
import { record } from '../journal/record';
import type { Vault } from '../../runtime/crypto/vault';
import { findAccount, lockAccount, type AccountRow } from './accounts';
import { hasUnproven, lockAddress, proveAddress } from './addresses';
import { isSuppressed, liftForOwner } from '../suppression/suppression';
import { findToken } from './email-tokens';

/**
 * Marks the address of a verification token as verified and lifts its suppression; again is fine
 * while the token lives.
 * EMAIL_TOKEN_INVALID: unknown, expired, or the address changed since.
 */
export async function verifyEmail(
  { db, vault }: { db: Db; vault: Pick<Vault, 'derive' | 'contactHash'> },
  cause: Cause,
  { token }: { token: string },
): Promise<void> {
  await transaction(db, async (tx) => {
    const account = await lockAccountOfMail({ tx, vault }, cause, token);
    await liftForOwner({ db: tx, vault }, account.email);
    if (!account.emailVerified) await markVerified(tx, cause, account);
    else await proveAddressOf(tx, cause, account);
  });
}

/**
 * The account, and its address, that a mail with a verification token was sent to, locked.
 * EMAIL_TOKEN_INVALID: unknown, expired, or the address changed since.
 */
export async function lockAccountOfMail(
  { tx, vault }: { tx: Tx; vault: Pick<Vault, 'derive'> },
  cause: Pick<Cause, 'now'>,
  token: string,
) {
  const row = await findToken({ db: tx, vault }, cause, { purpose: 'verify', token });
  if (!row) throw new AppError('EMAIL_TOKEN_INVALID');
  await lockAddress(tx, row.email);
  const account = await lockAccount(tx, row);
  const current = account?.email === row.email && account.emailGeneration === row.generation;
  if (!account || !current) throw new AppError('EMAIL_TOKEN_INVALID');
  return account;
}

/** A mail that went to the address of a locked account was followed; the address is locked too. */
export async function markVerified(tx: Tx, cause: Cause, account: AccountRow): Promise<void> {
  await execute(
    tx,
    `UPDATE ${account.side}_accounts SET email_verified_at = $2, updated_at = $2 WHERE id = $1`,
    [account.id, cause.now],
  );
  await proveAddressOf(tx, cause, account);
  await recordAccount(tx, cause, { account, action: 'account.email_verified' });
}

async function proveAddressOf(
  tx: Tx,
  cause: Cause,
  { side, id: accountId, email, heldIn }: AccountRow,
): Promise<void> {
  if (side === 'partner' && heldIn === null) await proveAddress(tx, cause, { accountId, email });
}

/**
 * A verified address that takes no mail is verified anew, which lifts its suppression; so is one for
 * which something waits that was made before addresses had to be proved.
 */
export async function wantsVerifying(
  stores: { db: Db; vault: Pick<Vault, 'contactHash'> },
  account: AccountRow,
): Promise<boolean> {
  const { email, emailVerified } = account;
  if (!emailVerified || (await isSuppressed(stores, email))) return true;
  return hasUnproven(stores.db, account);
}

/** Queues another verification mail, unless the address is verified already and takes mail. */
export async function resendVerification(
  { db, vault }: { db: Db; vault: Pick<Vault, 'contactHash'> },
  cause: Cause,
  { side, accountId }: AccountRef,
): Promise<void> {
  await transaction(db, async (tx) => {
    const account = await findAccount(tx, side, { id: accountId });
    if (!account) return;
    if (!(await wantsVerifying({ db: tx, vault }, account))) return;
    const mail = { type: 'account.verify_email', to: { side, accountId } } as const;
    await record(tx, cause, { mails: [mail] });
  });
}
