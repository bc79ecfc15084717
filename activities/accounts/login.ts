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
import { auditAccount, workspaceOf } from '../journal/account-audit';
import {
  findAccount,
  lockAccount,
  type Account,
  type AccountRow,
  type Registered,
} from './accounts';
import { recordAudit } from '../journal/audit';
import type { Deps } from '../runtime/process/deps';
import { verifyPassword } from '../runtime/crypto/passwords';
import type { Vault } from '../runtime/crypto/vault';
import { openSession, type Origin } from '../credentials/sessions';

export interface Login {
  side: Side;
  /** Normalised. */
  email: string;
  password: string;
  origin: Origin;
  requestId?: string | undefined;
}

/**
 * Signs in by address and password. An unknown address costs the same work and gets the same answer
 * as a wrong password, and both count (docs/reference/accounts.md, Signing in).
 *
 * @throws AppError INVALID_CREDENTIALS, RATE_LIMIT_EXCEEDED with Retry-After
 */
export async function logIn(
  deps: Pick<Deps, 'db' | 'vault'>,
  login: Login,
  now: Date,
): Promise<Registered<Account>> {
  const account = await findAccount(deps.db.manager, login.side, { email: login.email });
  const guess: Guess = {
    emailKey: loginKey(deps.vault, login.side, login.email),
    ipHash: deps.vault.ipHash(login.origin.ip),
    ipHashes: deps.vault.ipHashes(login.origin.ip),
    accountId: account?.id ?? newId(),
  };
  await refuseGuess(deps.db.manager, guess, now);
  const matches = await verifyPassword(account?.passwordHash, login.password);

  // Guesses for one address text are judged one after the other, so a burst of parallel ones gets no
  // further than the same guesses in a row. Failures must stay: they are thrown after the commit.
  const outcome = await transaction(deps.db.manager, async (tx) => {
    await execute(tx, 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [guess.emailKey]);
    await refuseGuess(tx, guess, now);
    const current = matches && account ? await unchanged(tx, account) : undefined;
    if (current) return succeed(tx, deps.vault, { account: current, login, now });
    return fail(tx, { guess, account, login }, now);
  });
  if (!outcome) throw new AppError('INVALID_CREDENTIALS');
  return outcome;
}

/** Forgets the wrong passwords of an address: whoever reset the password has its mailbox. */
export async function clearFailures(
  tx: Tx,
  vault: Pick<Vault, 'contactHash'>,
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

async function refuseGuess(db: Db, guess: Guess, now: Date): Promise<void> {
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
  tx: Tx,
  vault: Pick<Deps['vault'], 'ipHashes'>,
  { account, login, now }: { account: AccountRow; login: Login; now: Date },
): Promise<Registered<Account>> {
  const { side, id: accountId } = account;
  const { origin, requestId } = login;
  const session = await openSession(tx, vault, { side, accountId, origin, now });
  await auditAccount(tx, { account, action: 'login.succeeded', requestId }, now);
  return { account, ...session };
}

async function fail(
  tx: Tx,
  { guess, account, login }: { guess: Guess; account: AccountRow | undefined; login: Login },
  now: Date,
): Promise<undefined> {
  await execute(
    tx,
    'INSERT INTO login_failures (id, email_key, ip_hash, failed_at) VALUES ($1, $2, $3, $4)',
    [newId(), guess.emailKey, guess.ipHash, now],
  );
  await recordAudit(tx, {
    workspaceId: account ? workspaceOf(account) : null,
    actor: systemActor,
    action: 'login.failed',
    target: { type: `${login.side}_account`, id: account?.id ?? null },
    requestId: login.requestId,
    at: now,
  });
  return undefined;
}
