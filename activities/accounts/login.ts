import { LoginFailure } from '../../entities/tables/accounts/login-failure.entity';
import { insertAll } from '../../entities/database/insert-all';
import { AppError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import { guessing, secondsUntilGuess, type Side } from '../../entities/rules/accounts/accounts';
import { systemActor } from '../../entities/rules/values/actor';
import {
  type Db,
  execute,
  query,
  queryOne,
  transaction,
  type Tx,
} from '../../entities/database/sql';
import { recordAccount, workspaceOf } from '../journal/account-audit';
import type { Cause } from '../journal/cause';
import { record } from '../journal/record';
import { findAccount, lockAccount, type Account, type AccountRow } from './accounts';
import type { Registered } from './register';
import type { Passwords } from '../../runtime/crypto/passwords';
import type { Vault } from '../../runtime/crypto/vault';
import { openSession, type Origin } from '../credentials/sessions';

export interface Login {
  side: Side;
  /** Normalised. */
  email: string;
  password: string;
  origin: Origin;
}

interface LogInDeps {
  db: Db;
  vault: Pick<Vault, 'contactHash' | 'derive' | 'ipHash' | 'ipHashes'>;
}

/**
 * Signs in by address and password. An unknown address costs the same work and gets the same answer
 * as a wrong password, and both count (docs/reference/accounts.md, Signing in). INVALID_CREDENTIALS,
 * RATE_LIMIT_EXCEEDED with Retry-After.
 */
export async function logIn(
  { db, vault, passwords }: LogInDeps & { passwords: Pick<Passwords, 'verify'> },
  cause: Cause,
  login: Login,
): Promise<Registered<Account>> {
  const account = await findAccount(db, login.side, { email: login.email });
  const guess: Guess = {
    emailKey: loginKey(vault, login.side, login.email),
    ipHash: vault.ipHash(login.origin.ip),
    ipHashes: vault.ipHashes(login.origin.ip),
    accountId: account?.id ?? newId(),
  };
  await refuseGuess(db, cause, guess);
  const matches = await passwords.verify(account?.passwordHash, login.password);

  // Guesses for one address text are judged one after the other, so a burst of parallel ones gets no
  // further than the same guesses in a row. Failures must stay: they are thrown after the commit.
  const outcome = await transaction(db, async (tx) => {
    await execute(tx, 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [guess.emailKey]);
    await refuseGuess(tx, cause, guess);
    const current = matches && account ? await unchanged(tx, account) : undefined;
    if (current) return succeed({ db: tx, vault }, cause, { account: current, login });
    await recordFailure(tx, cause, { guess, account, login });
    return undefined;
  });
  if (!outcome) throw new AppError('INVALID_CREDENTIALS');
  return outcome;
}

/** Forgets the wrong passwords of an address: whoever reset the password has its mailbox. */
export async function clearFailures(
  { db: tx, vault }: { db: Tx; vault: Pick<Vault, 'contactHash'> },
  { side, email }: { side: Side; email: string },
): Promise<void> {
  await execute(tx, 'DELETE FROM login_failures WHERE email_key = $1', [
    loginKey(vault, side, email),
  ]);
}

/** Under what wrong passwords of an address are counted. */
export function loginKey(vault: Pick<Vault, 'contactHash'>, side: Side, email: string): string {
  return vault.contactHash(`login:${side}:${email}`);
}

interface Guess {
  emailKey: string;
  ipHash: string;
  /** The caller's address under every key, while one rotates. */
  ipHashes: string[];
  /** Of no account when the address has none: the query is the same. */
  accountId: string;
}

async function refuseGuess(db: Db, { now }: Cause, guess: Guess): Promise<void> {
  const failures = await query<{ failedAt: Date; own: boolean }>(
    db,
    `SELECT failed_at AS "failedAt", ip_hash = ANY($2) AS own FROM login_failures
     WHERE email_key = $1 AND failed_at > $3 ORDER BY failed_at`,
    [guess.emailKey, guess.ipHashes, new Date(now.getTime() - guessing.window)],
  );
  const known = await queryOne(
    db,
    `SELECT 1 FROM account_addresses
     WHERE account_id = $1 AND ip_hash = ANY($2) AND last_seen_at > $3`,
    [guess.accountId, guess.ipHashes, new Date(now.getTime() - guessing.knownAddress)],
  );
  const wait = secondsUntilGuess(
    {
      all: failures.map((failure) => failure.failedAt),
      own: failures.filter((failure) => failure.own).map((failure) => failure.failedAt),
      knownAddress: known !== undefined,
    },
    now,
  );
  if (wait > 0) {
    throw new AppError('RATE_LIMIT_EXCEEDED', {
      message: 'Too many wrong passwords for this address. Try again later.',
      headers: { 'Retry-After': String(wait) },
    });
  }
}

/** The account, if its password and address are still those that were compared. */
async function unchanged(tx: Tx, seen: AccountRow): Promise<AccountRow | undefined> {
  const current = await lockAccount(tx, { side: seen.side, accountId: seen.id }, 'SHARE');
  const same =
    current?.passwordGeneration === seen.passwordGeneration && current.email === seen.email;
  return same ? current : undefined;
}

async function succeed(
  { db: tx, vault }: LogInDeps & { db: Tx },
  cause: Cause,
  { account, login: { origin } }: { account: AccountRow; login: Login },
): Promise<Registered<Account>> {
  const { side, id: accountId } = account;
  const session = await openSession({ db: tx, vault }, cause, { side, accountId, origin });
  await recordAccount(tx, cause, { account, action: 'login.succeeded' });
  return { account, ...session };
}

async function recordFailure(
  tx: Tx,
  cause: Cause,
  { guess, account, login }: { guess: Guess; account: AccountRow | undefined; login: Login },
): Promise<void> {
  const { emailKey, ipHash } = guess;
  const failure = { id: newId(), emailKey, ipHash, failedAt: cause.now };
  await insertAll(tx, { into: LoginFailure, rows: [failure] });
  const workspaceId = account ? workspaceOf(account) : null;
  const target = { type: `${login.side}_account`, id: account?.id ?? null };
  const audit = { workspaceId, action: 'login.failed', target };
  await record(tx, { ...cause, actor: systemActor }, { audit });
}
