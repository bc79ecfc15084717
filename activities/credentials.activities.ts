import type { Role } from '../entities/rules/roles';
import { execute, prepared, type Db } from '../entities/sql';
import { resolveKey, type KeyPrincipal } from './key-cache.activities';
import type { Deps } from './runtime/deps';

export type { KeyPrincipal } from './key-cache.activities';

export interface MerchantPrincipal {
  kind: 'merchant';
  accountId: string;
  workspaceId: string;
  role: Role;
  sessionId: string;
  email: string;
}

export interface PartnerPrincipal {
  kind: 'partner';
  accountId: string;
  sessionId: string;
}

export type AccountPrincipal = MerchantPrincipal | PartnerPrincipal;
export type Principal = AccountPrincipal | KeyPrincipal;

type Credentials = Pick<Deps, 'db' | 'accessTokens'>;

/**
 * Whose access token this is, by what the database says now: a removed member, a changed role and
 * an ended session count from the next request on. Undefined: no valid token. A valid token of a
 * partner comes back as the partner, for the caller to answer 403 instead of 401.
 */
export async function resolveMerchant(
  deps: Credentials,
  token: string,
  now: Date,
): Promise<AccountPrincipal | undefined> {
  return resolveAccount(deps, token, now);
}

/** The same for routes of partners. */
export async function resolvePartner(
  deps: Credentials,
  token: string,
  now: Date,
): Promise<AccountPrincipal | undefined> {
  return resolveAccount(deps, token, now);
}

/** Undefined for anything but a live secret key. The prefix fixes the mode. */
export async function resolveSecretKey(
  deps: Pick<Deps, 'db'>,
  key: string,
  now: Date,
): Promise<KeyPrincipal | undefined> {
  return resolveKey(deps, { key, kind: 'secret' }, now);
}

/** Undefined for anything but a live public key. */
export async function resolvePublicKey(
  deps: Pick<Deps, 'db'>,
  key: string,
  now: Date,
): Promise<KeyPrincipal | undefined> {
  return resolveKey(deps, { key, kind: 'public' }, now);
}

/** A session's principal, for what outlives one request (streams): undefined once it has ended. */
export async function findPrincipalBySession(
  db: Db,
  session: { side: 'merchant' | 'partner'; accountId: string; sessionId: string },
  now: Date,
): Promise<AccountPrincipal | undefined> {
  const { side, accountId, sessionId } = session;
  const [row] = await prepared<SessionRow>(db, `session_${side}`, sessionQueries[side], [
    sessionId,
    accountId,
    now,
  ]);
  if (!row) return undefined;

  if (now.getTime() - row.lastUsedAt.getTime() > touchIntervalMs) await touch(db, sessionId, now);
  if (side === 'partner') return { kind: 'partner', accountId, sessionId };
  const { workspaceId, role, email } = row;
  return { kind: 'merchant', accountId, workspaceId, role, sessionId, email };
}

interface SessionRow {
  lastUsedAt: Date;
  workspaceId: string;
  role: Role;
  email: string;
}

/** Time of last use is kept to the minute: a request in between costs no write. */
const touchIntervalMs = 60_000;

const sessionQueries = {
  merchant: `
    SELECT s.last_used_at AS "lastUsedAt", a.workspace_id AS "workspaceId", a.role, a.email
    FROM sessions s JOIN merchant_accounts a ON a.id = s.account_id
    WHERE s.id = $1 AND s.account_id = $2 AND s.side = 'merchant' AND s.revoked_at IS NULL
      AND s.expires_at > $3 AND a.removed_at IS NULL`,
  partner: `
    SELECT s.last_used_at AS "lastUsedAt"
    FROM sessions s JOIN partner_accounts a ON a.id = s.account_id
    WHERE s.id = $1 AND s.account_id = $2 AND s.side = 'partner' AND s.revoked_at IS NULL
      AND s.expires_at > $3 AND a.erased_at IS NULL`,
};

async function resolveAccount(
  deps: Credentials,
  token: string,
  now: Date,
): Promise<AccountPrincipal | undefined> {
  const claims = await deps.accessTokens.verify(token, now);
  return claims && findPrincipalBySession(deps.db.manager, claims, now);
}

async function touch(db: Db, sessionId: string, now: Date): Promise<void> {
  await execute(db, 'UPDATE sessions SET last_used_at = $2 WHERE id = $1 AND last_used_at < $2', [
    sessionId,
    now,
  ]);
}
