import { AppError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import type { Side } from '../../entities/rules/accounts/accounts';
import { systemActor } from '../../entities/rules/values/actor';
import { type Db, execute, transaction, type Tx } from '../../entities/database/sql';
import { recordAccount, workspaceOf } from '../journal/account-audit';
import type { Cause } from '../journal/cause';
import { record } from '../journal/record';
import { findAccount, findSandbox, lockAccount, type Account, type AccountRow } from './accounts';
import {
  countFailure,
  guessFrom,
  refuseGuess,
  refuseGuessInTurn,
  type Guess,
  type GuessKeys,
} from './guesses';
import type { Registered } from './register';
import type { Passwords } from '../../runtime/crypto/passwords';
import type { Vault } from '../../runtime/crypto/vault';
import { openSession, type Origin } from '../credentials/sessions';
import { judgeCode, spendCode } from './two-factor/codes';

export interface Login {
  side: Side;
  /** Normalised. */
  email: string;
  password: string;
  /** The second factor's code. */
  code?: string;
  origin: Origin;
}

interface LogInDeps {
  db: Db;
  vault: GuessKeys & Pick<Vault, 'derive' | 'decrypt'>;
}

type Refusal = 'INVALID_CREDENTIALS' | 'TWO_FACTOR_REQUIRED' | 'TWO_FACTOR_INVALID';

/**
 * Signs in by address and password. An unknown address costs the same work and gets the same answer
 * as a wrong password, and both count (docs/reference/accounts.md, Signing in). Of a second factor
 * only who has the right password learns. INVALID_CREDENTIALS, TWO_FACTOR_REQUIRED,
 * TWO_FACTOR_INVALID, RATE_LIMIT_EXCEEDED with Retry-After.
 */
export async function logIn(
  { db, vault, passwords }: LogInDeps & { passwords: Pick<Passwords, 'verify'> },
  cause: Cause,
  login: Login,
): Promise<Registered<Account>> {
  const account = await findAccount(db, login.side, { email: login.email });
  const guess = guessFrom(vault, {
    key: loginKey(vault, login.side, login.email),
    accountId: account?.id ?? newId(),
    ip: login.origin.ip,
  });
  await refuseGuess(db, cause, { guess, message: tooMany });
  const opened = await whoseIs({ db, passwords }, { account, login });

  // Failures must stay: they are thrown after the commit.
  const outcome = await transaction(db, async (tx) => {
    await refuseGuessInTurn(tx, cause, { guess, message: tooMany });
    const current = opened && (await unchanged(tx, opened));
    if (current) return admit({ db: tx, vault }, cause, { account: current, login });
    await recordFailure(tx, cause, { guess, account, login });
    return 'INVALID_CREDENTIALS';
  });
  if (typeof outcome === 'string') throw new AppError(outcome);
  return outcome;
}

/**
 * The account of the address that the password opens: its own, else the one that a mail of test mode
 * made. Whether there is one of either shows in no time: a wrong password is compared twice.
 */
async function whoseIs(
  { db, passwords }: { db: Db; passwords: Pick<Passwords, 'verify'> },
  { account, login }: { account: AccountRow | undefined; login: Login },
): Promise<AccountRow | undefined> {
  const { side, email, password } = login;
  if (await passwords.verify(account?.passwordHash ?? undefined, password)) return account;
  if (side === 'merchant') return undefined;
  const sandbox = await findSandbox(db, email);
  const isOpened = await passwords.verify(sandbox?.passwordHash ?? undefined, password);
  return isOpened ? sandbox : undefined;
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

/** The key under which wrong passwords of an address are counted. */
export function loginKey(vault: Pick<Vault, 'contactHash'>, side: Side, email: string): string {
  return vault.contactHash(`login:${side}:${email}`);
}

const tooMany = 'Too many wrong passwords for this address. Try again later.';

/** The account, if its password and address are still those that were compared. */
async function unchanged(tx: Tx, seen: AccountRow): Promise<AccountRow | undefined> {
  const current = await lockAccount(tx, { side: seen.side, accountId: seen.id }, 'SHARE');
  const same =
    current?.passwordGeneration === seen.passwordGeneration && current.email === seen.email;
  return same ? current : undefined;
}

/** The password was right: what is left is the second factor. */
async function admit(
  deps: LogInDeps & { db: Tx },
  cause: Cause,
  { account, login }: { account: AccountRow; login: Login },
): Promise<Registered<Account> | Refusal> {
  const { code, origin } = login;
  if (account.twoFactor) {
    if (code === undefined) return 'TWO_FACTOR_REQUIRED';
    const proof = await judgeCode(deps, cause, { account, code, ip: origin.ip });
    if (!proof) return 'TWO_FACTOR_INVALID';
    await spendCode(deps.db, cause, { account, proof });
  }
  const { side, id: accountId } = account;
  const session = await openSession(deps, cause, { side, accountId, origin });
  await recordAccount(deps.db, cause, { account, action: 'login.succeeded' });
  return { account, ...session };
}

async function recordFailure(
  tx: Tx,
  cause: Cause,
  { guess, account, login }: { guess: Guess; account: AccountRow | undefined; login: Login },
): Promise<void> {
  await countFailure(tx, cause, guess);
  const workspaceId = account ? workspaceOf(account) : null;
  const target = { type: `${login.side}_account`, id: account?.id ?? null };
  const audit = { workspaceId, action: 'login.failed', target };
  await record(tx, { ...cause, actor: systemActor }, { audit });
}
