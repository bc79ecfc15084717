import { AppError } from '../../entities/errors';
import { type Db, execute, transaction, type Tx } from '../../entities/database/sql';
import { endSessionsOf, type AccountRef } from '../credentials/sessions';
import { recordAccount } from '../journal/account-audit';
import type { Cause } from '../journal/cause';
import { notifyHolder } from '../notifications/security';
import { findAccount, lockUnchanged, takenOr, type Account, type AccountRow } from './accounts';
import { leaveAddress, lockAddress } from './addresses';
import { killTokensOf } from './email-tokens';
import { endRedirectTo } from './end-member';
import { copyToParticipants } from './partner-profile';
import { setPassword } from './reset-password';
import { MerchantAccount } from '../../entities/tables/accounts/merchant-account.entity';
import { update } from '../../entities/database/update';

/**
 * Moves an account to another address: what hung on the old one without its proof stays with that (see
 * leaveAddress), it is unverified again, tokens for the old address are dead,
 * the old address gets a notice and the new one a verification mail. `seen` is the account whose
 * password was confirmed. EMAIL_TAKEN; PASSWORD_INVALID when the password was changed meanwhile.
 */
export async function changeEmail(
  db: Db,
  cause: Cause,
  command: AccountRef & { email: string; seen: AccountRow },
): Promise<Account> {
  const { side, accountId, email, seen } = command;
  if (seen.email === email) return seen;

  await transaction(db, async (tx) => {
    if (side === 'partner') await lockAddress(tx, seen.email);
    const account = await lockUnchanged(tx, seen);
    await setEmail(tx, cause, command);
    await killTokensOf(tx, cause, { side, accountId });
    if (side === 'partner') {
      await leaveAddress(tx, cause, { accountId, email: seen.email });
      await copyToParticipants(tx, cause, { accountId, email });
    }
    if (account.side === 'merchant') await endRedirectTo(tx, account);
    const mailTo = account.email;
    await notifyHolder(tx, cause, { type: 'security.email_changed', account, mailTo });
    await recordAccount(tx, cause, {
      account,
      action: 'account.email_changed',
      mails: [{ type: 'account.verify_email', to: { side, accountId } }],
    });
  });
  return getAccount(db, command);
}

async function setEmail(
  tx: Tx,
  { now }: Cause,
  { side, accountId, email }: AccountRef & { email: string },
): Promise<void> {
  const heldNoMore = side === 'partner' ? 'held_email = NULL, held_workspace_id = NULL,' : '';
  try {
    await execute(
      tx,
      `UPDATE ${side}_accounts SET email = $2, email_generation = email_generation + 1,
         ${heldNoMore} email_verified_at = NULL, updated_at = $3 WHERE id = $1`,
      [accountId, email, now],
    );
  } catch (error) {
    throw takenOr(error);
  }
}

/**
 * Sets a new password; the account's other sessions end and a mail reports it. `seen` is the account
 * whose password was confirmed. PASSWORD_INVALID when it was changed meanwhile.
 */
export async function changePassword(
  db: Db,
  cause: Cause,
  command: AccountRef & { sessionId: string; seen: AccountRow; passwordHash: string },
): Promise<void> {
  const { side, accountId, sessionId, seen, passwordHash } = command;

  await transaction(db, async (tx) => {
    const account = await lockUnchanged(tx, seen);
    await setPassword(tx, cause, { account, passwordHash });
    await endSessionsOf(tx, cause, { side, accountId, except: sessionId });
    await recordAccount(tx, cause, { account, action: 'account.password_changed' });
  });
}

/** Renames a merchant's account. */
export async function renameAccount(
  db: Db,
  { now }: Cause,
  { accountId, name }: { accountId: string; name: string },
): Promise<Account> {
  await update(db, MerchantAccount, { set: { name, updatedAt: now }, where: { id: accountId } });
  return getAccount(db, { side: 'merchant', accountId });
}

async function getAccount(db: Db, { side, accountId }: AccountRef): Promise<Account> {
  const account = await findAccount(db, side, { id: accountId });
  if (!account) throw new AppError('UNAUTHORIZED');
  return account;
}
