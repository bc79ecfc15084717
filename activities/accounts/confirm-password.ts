import { LoginFailure } from '../../entities/tables/accounts/login-failure.entity';
import { insertAll } from '../../entities/database/insert-all';
import { AppError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import { guessing, secondsUntilGuess, type Side } from '../../entities/rules/accounts/accounts';
import { type Db, execute, query, transaction, type Tx } from '../../entities/database/sql';
import { recordAccount } from '../journal/account-audit';
import type { Cause } from '../journal/cause';
import type { Passwords } from '../../runtime/crypto/passwords';
import type { Vault } from '../../runtime/crypto/vault';
import { findAccount, type AccountRow } from './accounts';

export interface ConfirmPassword {
  side: Side;
  accountId: string;
  password: string;
}

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
  { side, accountId, password }: ConfirmPassword,
): Promise<AccountRow> {
  const guessKey = vault.contactHash(`password:${side}:${accountId}`);
  await refuseGuess(db, cause, guessKey);
  const account = await findAccount(db, side, { id: accountId });
  const matches = await passwords.verify(account?.passwordHash ?? undefined, password);

  // Guesses at once are judged one after the other, as if they had come so.
  const isRight = await transaction(db, async (tx) => {
    await execute(tx, 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [guessKey]);
    await refuseGuess(tx, cause, guessKey);
    if (!matches) await recordFailure(tx, cause, { guessKey, account });
    return matches;
  });
  if (!account || !isRight) throw new AppError('PASSWORD_INVALID');
  return account;
}

async function refuseGuess(db: Db, { now }: Cause, guessKey: string): Promise<void> {
  const failures = await query<{ failedAt: Date }>(
    db,
    `SELECT failed_at AS "failedAt" FROM login_failures
     WHERE email_key = $1 AND failed_at > $2 ORDER BY failed_at`,
    [guessKey, new Date(now.getTime() - guessing.window)],
  );
  const all = failures.map(({ failedAt }) => failedAt);
  const wait = secondsUntilGuess({ all, own: [], knownAddress: false }, now);
  if (wait === 0) return;
  throw new AppError('RATE_LIMIT_EXCEEDED', {
    message: 'Too many wrong passwords for this account. Try again later.',
    headers: { 'Retry-After': String(wait) },
  });
}

async function recordFailure(
  tx: Tx,
  cause: Cause,
  { guessKey, account }: { guessKey: string; account: AccountRow | undefined },
): Promise<void> {
  // Of an account, wherever the guess came from.
  const failure = { id: newId(), emailKey: guessKey, ipHash: '', failedAt: cause.now };
  await insertAll(tx, { into: LoginFailure, rows: [failure] });
  const action = 'account.password_check_failed';
  if (account) await recordAccount(tx, cause, { account, action });
}
