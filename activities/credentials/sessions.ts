import { RefreshToken } from '../../entities/tables/accounts/refresh-token.entity';
import { AccountAddress } from '../../entities/tables/accounts/account-address.entity';
import { Session } from '../../entities/tables/accounts/session.entity';
import { insertAll } from '../../entities/database/insert-all';
import { AppError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import {
  hasLeeway,
  lifetimes,
  mayBeEnded,
  type Side,
} from '../../entities/rules/accounts/accounts';
import { type Db, execute, queryOne, transaction, type Tx } from '../../entities/database/sql';
import type { Cause } from '../journal/cause';
import { record } from '../journal/record';
import { familyOfToken, newRefreshToken } from '../../runtime/crypto/refresh-tokens';
import { tokenHash, type Vault } from '../../runtime/crypto/vault';
import { longestUserAgent } from '../../entities/rules/clicks/click';
import { update } from '../../entities/database/update';
import { hourMs } from '../../entities/rules/values/duration';

/** Where a request came from; kept as a keyed hash and for the session list. */
export interface Origin {
  ip: string;
  userAgent: string | null;
}

export interface OpenedSession {
  sessionId: string;
  /** Opaque, 30 days, good for one refresh. Only its hash is stored. */
  refreshToken: string;
}

export interface AccountRef {
  side: Side;
  accountId: string;
}

/** Starts a session, which is one family of refresh tokens, and remembers the caller's address. */
export async function openSession(
  { db: tx, vault }: { db: Tx; vault: Pick<Vault, 'ipHashes' | 'derive'> },
  { now }: Pick<Cause, 'now'>,
  { side, accountId, origin }: AccountRef & { origin: Origin },
): Promise<OpenedSession> {
  const sessionId = newId();
  const userAgent = origin.userAgent?.slice(0, longestUserAgent) ?? null;
  const times = { createdAt: now, lastUsedAt: now, expiresAt: expiry(now) };
  await insertAll(tx, {
    into: Session,
    rows: [{ id: sessionId, side, accountId, userAgent, ...times }],
  });
  const addresses = vault.ipHashes(origin.ip);
  await insertAll(tx, {
    into: AccountAddress,
    rows: addresses.map((ipHash) => ({ side, accountId, ipHash, lastSeenAt: now })),
    onConflict:
      'ON CONFLICT (account_id, ip_hash) DO UPDATE SET last_seen_at = EXCLUDED.last_seen_at',
  });
  return { sessionId, refreshToken: await addRefreshToken({ db: tx, vault }, { sessionId }, now) };
}

export type RotatedSession = OpenedSession & AccountRef;

/**
 * Spends a refresh token and issues the next one of its family. A token spent less than ten seconds
 * ago is answered once more, with a sibling of that one: two tabs may refresh at once, and an answer
 * may be lost. A minute later one of the two ends with the other's next refresh. Any other use of a
 * spent token ends the family, however long ago the first one was.
 * REFRESH_TOKEN_REUSED, INVALID_REFRESH_TOKEN.
 */
export async function rotateSession(
  { db, vault }: { db: Db; vault: Keys },
  cause: Cause,
  command: TokenOfSide,
): Promise<RotatedSession> {
  // The outcome is thrown after the commit: the end of the family must not be rolled back with it.
  const outcome = await transaction(db, (tx) => spend({ db: tx, vault }, cause, command));
  if (typeof outcome === 'string') throw new AppError(outcome);
  return outcome;
}

type Keys = Pick<Vault, 'derive'>;

/** A refresh token, and the side whose endpoint it came to. */
interface TokenOfSide {
  side: Side;
  refreshToken: string;
}

interface Family {
  sessionId: string;
  accountId: string;
  workspaceId: string | null;
}

interface TokenRow extends Family {
  spentAt: Date | null;
  siblingAt: Date | null;
  branch: string | null;
  endedAt: Date | null;
  /** The time since which the family has two branches. */
  splitAt: Date | null;
}

async function spend(
  { db: tx, vault }: { db: Tx; vault: Keys },
  cause: Cause,
  { side, refreshToken }: TokenOfSide,
): Promise<RotatedSession | 'REFRESH_TOKEN_REUSED' | 'INVALID_REFRESH_TOKEN'> {
  const { now } = cause;
  const hash = tokenHash(refreshToken);
  const token = await queryOne<TokenRow>(tx, liveTokenQuery, [hash, side, now]);
  const reused = token
    ? isReused(token, now) && token
    : await familyOfForgotten({ db: tx, vault }, { side, refreshToken }, now);
  if (reused) {
    await endFamily(tx, cause, { ...reused, side });
    return 'REFRESH_TOKEN_REUSED';
  }
  if (!token || token.endedAt) return 'INVALID_REFRESH_TOKEN';

  const { sessionId, accountId } = token;
  const branch = await branchOf(tx, { token, now });

  // After an hour a spent token is known by its MAC alone.
  await execute(tx, 'DELETE FROM refresh_tokens WHERE session_id = $1 AND spent_at < $2', [
    sessionId,
    new Date(now.getTime() - hourMs),
  ]);
  await execute(
    tx,
    `UPDATE refresh_tokens SET spent_at = coalesce(spent_at, $2),
       sibling_at = CASE WHEN spent_at IS NOT NULL THEN $2::timestamptz END
     WHERE token_hash = $1 AND sibling_at IS NULL`,
    [hash, now],
  );
  await update(tx, Session, {
    set: { lastUsedAt: now, expiresAt: expiry(now) },
    where: { id: sessionId },
  });
  const next = await addRefreshToken({ db: tx, vault }, { sessionId, branch }, now);
  return { side, accountId, sessionId, refreshToken: next };
}

/**
 * The branch that goes on from a token. The sibling of one that was spent begins a branch of its own:
 * two tabs live beside each other for a minute, and then one that is refreshed ends the other, so that
 * whoever has stolen a token does not stay beside its owner.
 */
async function branchOf(
  tx: Tx,
  { token, now }: { token: TokenRow; now: Date },
): Promise<string | null> {
  const { sessionId, spentAt, splitAt, branch } = token;
  if (spentAt) {
    await update(tx, Session, { set: { splitAt: now }, where: { id: sessionId } });
    return newId();
  }
  if (splitAt && mayBeEnded(splitAt, now)) {
    await execute(
      tx,
      `UPDATE refresh_tokens SET ended_at = $3
        WHERE session_id = $1 AND branch IS DISTINCT FROM $2::uuid
          AND spent_at IS NULL AND ended_at IS NULL`,
      [sessionId, branch, now],
    );
    await update(tx, Session, { set: { splitAt: null }, where: { id: sessionId } });
  }
  return branch;
}

function isReused({ spentAt, siblingAt }: TokenRow, now: Date): boolean {
  return spentAt !== null && !hasLeeway({ spentAt, siblingAt }, now);
}

/**
 * The live family of a token of ours whose row is gone or expired. A family's last token has a
 * row and expires with the family, so this one was spent, or is the sibling of one that was.
 */
async function familyOfForgotten(
  { db: tx, vault }: { db: Tx; vault: Keys },
  { side, refreshToken }: TokenOfSide,
  now: Date,
): Promise<Family | undefined> {
  const sessionId = familyOfToken(vault, refreshToken);
  return sessionId === undefined
    ? undefined
    : queryOne<Family>(tx, liveFamilyQuery, [sessionId, side, now]);
}

async function endFamily(
  tx: Tx,
  cause: Cause,
  { side, sessionId, accountId, workspaceId }: Family & { side: Side },
): Promise<void> {
  await update(tx, Session, { set: { revokedAt: cause.now }, where: { id: sessionId } });
  const actor = { type: side === 'merchant' ? 'member' : 'partner', id: accountId } as const;
  const target = { type: 'session', id: sessionId };
  const audit = { workspaceId, action: 'refresh_token.reused', target };
  await record(tx, { ...cause, actor }, { audit });
}

// The session row is what serialises the uses of one family.
const liveTokenQuery = `
  SELECT s.id AS "sessionId", s.account_id AS "accountId", t.spent_at AS "spentAt",
    t.sibling_at AS "siblingAt", t.branch, t.ended_at AS "endedAt", s.split_at AS "splitAt",
    m.workspace_id AS "workspaceId"
  FROM refresh_tokens t
  JOIN sessions s ON s.id = t.session_id
  LEFT JOIN merchant_accounts m ON s.side = 'merchant' AND m.id = s.account_id
  WHERE t.token_hash = $1 AND s.side = $2 AND s.revoked_at IS NULL AND t.expires_at > $3
  FOR UPDATE OF s, t`;

const liveFamilyQuery = `
  SELECT s.id AS "sessionId", s.account_id AS "accountId", m.workspace_id AS "workspaceId"
  FROM sessions s
  LEFT JOIN merchant_accounts m ON s.side = 'merchant' AND m.id = s.account_id
  WHERE s.id = $1 AND s.side = $2 AND s.revoked_at IS NULL AND s.expires_at > $3
  FOR UPDATE OF s`;

async function addRefreshToken(
  { db: tx, vault }: { db: Tx; vault: Keys },
  { sessionId, branch = null }: { sessionId: string; branch?: string | null },
  now: Date,
): Promise<string> {
  const refreshToken = newRefreshToken(vault, sessionId);
  const row = {
    tokenHash: tokenHash(refreshToken),
    sessionId,
    branch,
    createdAt: now,
    expiresAt: expiry(now),
  };
  await insertAll(tx, { into: RefreshToken, rows: [row] });
  return refreshToken;
}

function expiry(now: Date): Date {
  return new Date(now.getTime() + lifetimes.refreshToken);
}

/** Logout: ends the family of a refresh token of this side, whatever became of the token. */
export async function endSessionOfToken(
  { db, vault }: { db: Db; vault: Keys },
  { now }: Cause,
  { side, refreshToken }: TokenOfSide,
): Promise<void> {
  await execute(
    db,
    `UPDATE sessions SET revoked_at = $3
     WHERE side = $2 AND revoked_at IS NULL
       AND id = coalesce((SELECT session_id FROM refresh_tokens WHERE token_hash = $1), $4::uuid)`,
    [tokenHash(refreshToken), side, now, familyOfToken(vault, refreshToken) ?? null],
  );
}

/** Ends one of an account's own sessions. NOT_FOUND for another account's, and for one that has ended. */
export async function endSession(
  db: Db,
  { now }: Cause,
  { side, accountId, sessionId }: AccountRef & { sessionId: string },
): Promise<void> {
  const ended = await execute(
    db,
    `UPDATE sessions SET revoked_at = $4
     WHERE id = $1 AND side = $2 AND account_id = $3 AND revoked_at IS NULL`,
    [sessionId, side, accountId, now],
  );
  if (ended === 0) throw new AppError('NOT_FOUND');
}

/** Ends all sessions of an account, or all but one. */
export async function endSessionsOf(
  tx: Tx,
  { now }: Pick<Cause, 'now'>,
  { side, accountId, except }: AccountRef & { except?: string },
): Promise<void> {
  await execute(
    tx,
    `UPDATE sessions SET revoked_at = $3
     WHERE side = $1 AND account_id = $2 AND revoked_at IS NULL AND id IS DISTINCT FROM $4::uuid`,
    [side, accountId, now, except ?? null],
  );
}
