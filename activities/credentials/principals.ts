import type { DataSource } from 'typeorm';
import type { Side } from '../../entities/rules/accounts/accounts';
import type { Mode } from '../../entities/rules/values/mode';
import type { Role } from '../../entities/rules/values/roles';
import { execute, prepared, query, type Db } from '../../entities/database/sql';
import { createMicroBatch, type MicroBatch } from '../../runtime/load/micro-batch';
import { resolveKey, type KeyDeps, type KeyPrincipal } from './api-key-cache';
import { memoisePer } from '../../runtime/load/memoise';
import { spendTicket } from '../notifications/tickets';
import type { AccessClaims, VerifiedClaims } from '../../runtime/crypto/access-tokens';
import type { Deps } from '../../runtime/process/deps';

export type { KeyPrincipal } from './api-key-cache';

export interface MerchantPrincipal {
  kind: 'merchant';
  accountId: string;
  workspaceId: string;
  role: Role;
  sessionId: string;
  email: string;
  tokenExpiresAt: Date;
  /** Fixed by the ticket of a stream; else the request names it. */
  mode?: Mode;
}

export interface PartnerPrincipal {
  kind: 'partner';
  accountId: string;
  sessionId: string;
  tokenExpiresAt: Date;
  mode?: Mode;
}

export type AccountPrincipal = MerchantPrincipal | PartnerPrincipal;
export type Principal = AccountPrincipal | KeyPrincipal;

type Credentials = Pick<Deps, 'db' | 'accessTokens'>;

/**
 * Whose access token this is, by what the database says now: a removed member, a changed role and
 * an ended session count from the next request on. Undefined: no valid token. The token of either
 * side comes back as what it is, for the caller to answer 403 instead of 401 where it does not fit.
 */
export async function resolveAccount(
  deps: Credentials,
  token: string,
  now: Date,
): Promise<AccountPrincipal | undefined> {
  const claims = await deps.accessTokens.verify(token, now);
  return claims && findPrincipal(deps.db, claims, now);
}

/** Whether a token is a genuine one of a partner whose account is erased, or is being erased. */
export async function isOfErasedPartner(
  deps: Credentials,
  token: string,
  now: Date,
): Promise<boolean> {
  const claims = await deps.accessTokens.verify(token, now);
  if (claims?.side !== 'partner') return false;
  const [erased] = await query(
    deps.db.manager,
    'SELECT 1 FROM partner_accounts WHERE id = $1 AND erased_at IS NOT NULL',
    [claims.accountId],
  );
  return erased !== undefined;
}

/** Whose stream ticket this is; it is used up by asking. The session must live as for a token. */
export async function resolveTicket(
  deps: Credentials,
  asked: { ticket: string; side: Side },
  now: Date,
): Promise<AccountPrincipal | undefined> {
  const holder = await spendTicket(deps.db.manager, { now }, asked);
  if (!holder || holder.tokenExpiresAt <= now) return undefined;
  const session = { ...holder, expiresAt: holder.tokenExpiresAt };
  const principal = await findPrincipal(deps.db, session, now);
  return principal && { ...principal, mode: holder.mode };
}

/** Of these sessions, those that live, with the role of a merchant now. */
export async function liveSessions(
  db: Db,
  side: Side,
  { asked, now }: { asked: readonly SessionKey[]; now: Date },
): Promise<Map<string, { role: Role | undefined }>> {
  const rows = await readSessions(db, side, asked);
  return new Map(
    rows.flatMap((row) =>
      row && row.expiresAt > now ? [[row.sessionId, { role: row.role }] as const] : [],
    ),
  );
}

/** Undefined for anything but a live secret key. The prefix fixes the mode. */
export async function resolveSecretKey(
  deps: KeyDeps,
  key: string,
  now: Date,
): Promise<KeyPrincipal | undefined> {
  return resolveKey(deps, { key, kind: 'secret' }, now);
}

/** Undefined for anything but a live public key. */
export async function resolvePublicKey(
  deps: KeyDeps,
  key: string,
  now: Date,
): Promise<KeyPrincipal | undefined> {
  return resolveKey(deps, { key, kind: 'public' }, now);
}

async function findPrincipal(
  db: DataSource,
  session: VerifiedClaims,
  now: Date,
): Promise<AccountPrincipal | undefined> {
  const { side, accountId, sessionId, expiresAt: tokenExpiresAt } = session;
  const row = await readersOf(db)[side].submit(session);
  if (!row || row.expiresAt <= now) return undefined;

  if (now.getTime() - row.lastUsedAt.getTime() > touchIntervalMs)
    await touch(db.manager, sessionId, now);
  if (side === 'partner') return { kind: 'partner', accountId, sessionId, tokenExpiresAt };
  const { workspaceId, role, email } = row;
  return { kind: 'merchant', accountId, workspaceId, role, sessionId, email, tokenExpiresAt };
}

export type SessionKey = Pick<AccessClaims, 'accountId' | 'sessionId'>;

interface SessionRow extends SessionKey {
  expiresAt: Date;
  lastUsedAt: Date;
  workspaceId: string;
  role: Role;
  email: string;
}

/** Time of last use is kept to the minute: a request in between costs no write. */
const touchIntervalMs = 60_000;

// LIMIT keeps the planner at index look-ups, also when it plans while the tables are small.
const sessionQueries = {
  merchant: `
    SELECT s.id AS "sessionId", s.account_id AS "accountId", s.expires_at AS "expiresAt",
           s.last_used_at AS "lastUsedAt", a.workspace_id AS "workspaceId", a.role, a.email
      FROM unnest($1::uuid[], $2::uuid[]) AS asked (session_id, account_id)
      JOIN LATERAL (SELECT * FROM sessions
        WHERE id = asked.session_id AND account_id = asked.account_id AND side = 'merchant'
          AND revoked_at IS NULL LIMIT 1) AS s ON true
      JOIN LATERAL (SELECT * FROM merchant_accounts
        WHERE id = s.account_id AND removed_at IS NULL LIMIT 1) AS a ON true`,
  partner: `
    SELECT s.id AS "sessionId", s.account_id AS "accountId", s.expires_at AS "expiresAt",
           s.last_used_at AS "lastUsedAt"
      FROM unnest($1::uuid[], $2::uuid[]) AS asked (session_id, account_id)
      JOIN LATERAL (SELECT * FROM sessions
        WHERE id = asked.session_id AND account_id = asked.account_id AND side = 'partner'
          AND revoked_at IS NULL LIMIT 1) AS s ON true
      JOIN LATERAL (SELECT 1 FROM partner_accounts
        WHERE id = s.account_id AND erased_at IS NULL LIMIT 1) AS a ON true`,
};

/** Each request asks the database; those of one moment ask together. */
const readersOf = memoisePer((db: DataSource) => ({
  merchant: sessionReader(db, 'merchant'),
  partner: sessionReader(db, 'partner'),
}));

function sessionReader(db: DataSource, side: Side): MicroBatch<SessionKey, SessionRow | undefined> {
  return createMicroBatch({
    commit: (asked) => readSessions(db.manager, side, asked),
    maxItems: 200,
    maxInFlight: 4,
    maxWaiting: 20_000,
    patienceMs: 10_000,
  });
}

async function readSessions(
  db: Db,
  side: Side,
  asked: readonly SessionKey[],
): Promise<(SessionRow | undefined)[]> {
  const rows = await prepared<SessionRow>(db, {
    name: `sessions_${side}`,
    text: sessionQueries[side],
    values: [asked.map(({ sessionId }) => sessionId), asked.map(({ accountId }) => accountId)],
  });
  const found = new Map(rows.map((row) => [row.sessionId, row]));
  return asked.map(({ sessionId, accountId }) => {
    const row = found.get(sessionId);
    return row?.accountId === accountId ? row : undefined;
  });
}

async function touch(db: Db, sessionId: string, now: Date): Promise<void> {
  await execute(db, 'UPDATE sessions SET last_used_at = $2 WHERE id = $1 AND last_used_at < $2', [
    sessionId,
    now,
  ]);
}
