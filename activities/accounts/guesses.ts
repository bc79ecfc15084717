import { insertAll } from '../../entities/database/insert-all';
import { type Db, execute, query, queryOne, type Tx } from '../../entities/database/sql';
import { AppError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import { guessing, secondsUntilGuess } from '../../entities/rules/accounts/accounts';
import { LoginFailure } from '../../entities/tables/accounts/login-failure.entity';
import type { Vault } from '../../runtime/crypto/vault';
import type { Cause } from '../journal/cause';

/** Somebody who may be guessing. */
export interface Guess {
  /** The keyed hash under which failures count. */
  key: string;
  ipHash: string;
  /** The caller's address under every key, while one rotates. */
  ipHashes: string[];
  /** An id of no account when there is none: the queries are the same. */
  accountId: string;
}

export type GuessKeys = Pick<Vault, 'contactHash' | 'ipHash' | 'ipHashes'>;

/** A guess from this address. */
export function guessFrom(
  vault: Omit<GuessKeys, 'contactHash'>,
  { key, accountId, ip }: { key: string; accountId: string; ip: string },
): Guess {
  return { key, accountId, ipHash: vault.ipHash(ip), ipHashes: vault.ipHashes(ip) };
}

/**
 * RATE_LIMIT_EXCEEDED with Retry-After after too many failures: of all addresses together, but for
 * those from which the account signed in lately, which count by themselves.
 */
export async function refuseGuess(
  db: Db,
  { now }: Pick<Cause, 'now'>,
  { guess, message }: { guess: Guess; message: string },
): Promise<void> {
  const failures = await query<{ failedAt: Date; own: boolean }>(
    db,
    `SELECT failed_at AS "failedAt", ip_hash = ANY($2) AS own FROM login_failures
     WHERE email_key = $1 AND failed_at > $3 ORDER BY failed_at`,
    [guess.key, guess.ipHashes, new Date(now.getTime() - guessing.window)],
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
      message,
      headers: { 'Retry-After': String(wait) },
    });
  }
}

/**
 * The same in a transaction that judges the guess: those for one key are judged one after the other,
 * so that a burst of parallel ones gets no further than the same guesses in a row.
 */
export async function refuseGuessInTurn(
  tx: Tx,
  cause: Pick<Cause, 'now'>,
  judged: { guess: Guess; message: string },
): Promise<void> {
  await execute(tx, 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [judged.guess.key]);
  await refuseGuess(tx, cause, judged);
}

/** Counts a failure. */
export async function countFailure(
  tx: Tx,
  { now }: Pick<Cause, 'now'>,
  { key, ipHash }: Guess,
): Promise<void> {
  const failure = { id: newId(), emailKey: key, ipHash, failedAt: now };
  await insertAll(tx, { into: LoginFailure, rows: [failure] });
}
