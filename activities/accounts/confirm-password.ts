import { AppError } from '../../entities/errors';
import type { AccountRef } from '../credentials/sessions';
import { transaction, type Db } from '../../entities/database/sql';
import { recordAccount } from '../journal/account-audit';
import type { Cause } from '../journal/cause';
import type { Passwords } from '../../runtime/crypto/passwords';
import type { Vault } from '../../runtime/crypto/vault';
import { findAccount, type AccountRow } from './accounts';
import { countFailure, refuseGuess, refuseGuessInTurn } from './guesses';

interface ConfirmDeps {
  db: Db;
  vault: Pick<Vault, 'contactHash'>;
  passwords: Pick<Passwords, 'verify'>;
}

/**
 * The account, once its holder has given its password. Whoever has stolen an access token may guess
 * no more often than a stranger at the sign-in. `db` is the pool: a wrong password counts whatever
 * becomes of the request that brought it. PASSWORD_INVALID, RATE_LIMIT_EXCEEDED with Retry-After.
 */
export async function confirmPassword(
  { db, vault, passwords }: ConfirmDeps,
  cause: Cause,
  { side, accountId, password }: AccountRef & { password: string },
): Promise<AccountRow> {
  // Guesses are counted for the account, wherever they came from.
  const from = { accountId, ipHash: '', ipHashes: [] };
  const guess = { key: vault.contactHash(`password:${side}:${accountId}`), ...from };
  await refuseGuess(db, cause, { guess, message: tooMany });
  const account = await findAccount(db, side, { id: accountId });
  const matches = await passwords.verify(account?.passwordHash ?? undefined, password);

  await transaction(db, async (tx) => {
    await refuseGuessInTurn(tx, cause, { guess, message: tooMany });
    if (matches) return;
    await countFailure(tx, cause, guess);
    if (account) {
      await recordAccount(tx, cause, { account, action: 'account.password_check_failed' });
    }
  });
  if (!account || !matches) throw new AppError('PASSWORD_INVALID');
  return account;
}

const tooMany = 'Too many wrong passwords for this account. Try again later.';
