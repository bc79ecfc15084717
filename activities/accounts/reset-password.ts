import { AppError } from '../../entities/errors';
import type { Side } from '../../entities/rules/accounts/accounts';
import { type Db, execute, transaction, type Tx } from '../../entities/database/sql';
import { revokeKeysOf } from '../credentials/api-keys';
import { endSessionsOf } from '../credentials/sessions';
import { recordAccount } from '../journal/account-audit';
import type { Cause } from '../journal/cause';
import { record } from '../journal/record';
import { notifyHolder } from '../notifications/security';
import type { Passwords } from '../../runtime/crypto/passwords';
import type { Vault } from '../../runtime/crypto/vault';
import { lockAccount, type AccountRow, type MerchantAccount } from './accounts';
import { lockAddress } from './addresses';
import { findToken } from './email-tokens';
import { endOthers } from './end-member';
import { clearFailures } from './login';
import { forgetPayoutMethod } from './payout-method';
import { markVerified } from './verify-email';

/**
 * Queues a reset mail to an address whether it has an account or not: that is found out
 * when the mail is rendered, so that neither the answer nor its time reveals an account
 * (docs/reference/accounts.md, Tokens in mails).
 */
export async function requestReset(
  db: Db,
  cause: Cause,
  { side, email }: { side: Side; email: string },
): Promise<void> {
  const mail = { type: 'account.reset_password', to: { side, address: email } } as const;
  await transaction(db, (tx) => record(tx, cause, { mails: [mail] }));
}

export interface ResetPassword {
  side: Side;
  token: string;
  password: string;
}

interface ResetDeps {
  db: Db;
  vault: Pick<Vault, 'derive' | 'contactHash'>;
  passwords: Pick<Passwords, 'hash'>;
}

/**
 * Sets a new password by a reset token, which is spent, and ends every session of the account. The
 * address is confirmed by it, unless the account has a second factor; where it never was before, other
 * members of an owner's workspace and its keys end.
 * RESET_TOKEN_INVALID: unknown, expired, spent, of the other side, or the password or address changed
 * since.
 */
export async function resetPassword(
  { db, vault, passwords }: ResetDeps,
  cause: Cause,
  command: ResetPassword,
): Promise<void> {
  const { side, token } = command;
  const seen = await findToken({ db, vault }, cause, { purpose: 'reset', token });
  if (seen?.side !== side) throw new AppError('RESET_TOKEN_INVALID');
  const passwordHash = await passwords.hash(command.password);

  await transaction(db, async (tx) => {
    await lockAddress(tx, seen.email);
    const account = await lockAccount(tx, seen);
    const current = account?.email === seen.email && account.passwordGeneration === seen.generation;
    const spent = await execute(
      tx,
      'UPDATE email_tokens SET spent_at = $2 WHERE id = $1 AND spent_at IS NULL',
      [seen.id, cause.now],
    );
    if (!account || !current || spent === 0) throw new AppError('RESET_TOKEN_INVALID');

    await setPassword(tx, cause, { account, passwordHash });
    if (!account.emailVerified) await takeBack(tx, cause, account);
    await endSessionsOf(tx, cause, { side, accountId: account.id });
    await clearFailures({ db: tx, vault }, { side, email: account.email });
    await recordAccount(tx, cause, { account, action: 'account.password_reset' });
  });
}

/**
 * Whoever follows the mail has the address, and somebody else may have registered with it: a way to be
 * paid that was left there must not count as theirs. A second factor stays, as after every reset, and
 * keeps the address unconfirmed: it may be the other's, whom a claim mail of live mode still puts out.
 */
async function takeBack(tx: Tx, cause: Cause, account: AccountRow): Promise<void> {
  if (account.side === 'partner') await forgetPayoutMethod(tx, cause, account);
  if (account.twoFactor) return;
  await markVerified(tx, cause, account);
  if (account.side === 'merchant') await endWhatWasBefore(tx, cause, account);
}

/** Whoever registered with the address may have let others in, and made keys. */
async function endWhatWasBefore(
  tx: Tx,
  cause: Cause,
  { id, workspaceId, role }: MerchantAccount,
): Promise<void> {
  const actor = { type: 'member', id } as const;
  const context = { ...cause, actor, scope: { workspaceId } };
  if (role === 'owner') await endOthers(tx, context, { except: id });
  else await revokeKeysOf(tx, context, { createdBy: id });
}

/** Stores a password; a mail notifies the account, and reset tokens of the old one are dead. */
export async function setPassword(
  tx: Tx,
  cause: Cause,
  { account, passwordHash }: { account: AccountRow; passwordHash: string },
): Promise<void> {
  await execute(
    tx,
    `UPDATE ${account.side}_accounts SET password_hash = $2, password_generation = password_generation + 1,
       updated_at = $3 WHERE id = $1`,
    [account.id, passwordHash, cause.now],
  );
  await notifyHolder(tx, cause, { type: 'security.password_changed', account });
}
