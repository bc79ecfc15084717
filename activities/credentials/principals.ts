import type { Database } from '../../entities/database/database';
import type { Side } from '../../entities/rules/accounts/accounts';
import type { Mode } from '../../entities/rules/values/mode';
import type { Role } from '../../entities/rules/values/roles';
import { execute, prepared, query, type Db } from '../../entities/database/sql';
import { MicroBatch } from '../../runtime/load/micro-batch';
import { createKeyCache, type KeyCache, type KeyPrincipal, touchIntervalMs } from './api-key-cache';
import { spendTicket } from '../notifications/tickets';
import type { AccessClaims, VerifiedClaims } from '../../runtime/crypto/access-tokens';
import type { Deps } from '../../runtime/process/deps';

export type { KeyPrincipal, ManagementKeyPrincipal } from './api-key-cache';

export interface MerchantPrincipal {
  kind: 'merchant';
  accountId: string;
  workspaceId: string;
  role: Role;
  sessionId: string;
  email: string;
  /** The workspace asks for a second factor, and this account has none. */
  lacksTwoFactor: boolean;
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

/** The ways from a credential to the one who holds it. */
export interface Credentials {
  keys: KeyCache;
  /**
   * The holder of an access token, by what the database says now: a removed member, a changed role
   * and an ended session count from the next request on. Undefined: no valid token. A token of the
   * other side is resolved too, so that the caller can answer 403 instead of 401 where it does not
   * fit.
   */
  resolveAccount(token: string, now: Date): Promise<AccountPrincipal | undefined>;
  /** Whether a token is a genuine one of a partner whose account is erased, or is being erased. */
  isOfErasedPartner(token: string, now: Date): Promise<boolean>;
  /** The holder of a stream ticket, which is used up by this. The session must live as for a token. */
  resolveTicket(
    asked: { ticket: string; side: Side },
    now: Date,
  ): Promise<AccountPrincipal | undefined>;
}

type CredentialDeps = Pick<Deps, 'db' | 'accessTokens' | 'config'>;

/** One per process: it remembers keys, and sessions of one moment are looked up together. */
export function createCredentials({ db, accessTokens, config }: CredentialDeps): Credentials {
  const sessions = {
    merchant: sessionReader(db, 'merchant'),
    partner: sessionReader(db, 'partner'),
  };
  const find = async (claims: VerifiedClaims, now: Date): Promise<AccountPrincipal | undefined> => {
    const row = await sessions[claims.side].submit(claims);
    return row && principalOf(db, { claims, row, now });
  };

  return {
    keys: createKeyCache(db, config.cachedKeys),
    async resolveAccount(token, now) {
      const claims = await accessTokens.verify(token, now);
      return claims && find(claims, now);
    },
    async isOfErasedPartner(token, now) {
      const claims = await accessTokens.verify(token, now);
      return claims?.side === 'partner' && isErased(db.manager, claims.accountId);
    },
    async resolveTicket(asked, now) {
      const holder = await spendTicket(db.manager, { now }, asked);
      if (!holder || holder.tokenExpiresAt <= now) return undefined;
      const principal = await find({ ...holder, expiresAt: holder.tokenExpiresAt }, now);
      return principal && { ...principal, mode: holder.mode };
    },
  };
}

async function isErased(db: Db, partnerId: string): Promise<boolean> {
  const [erased] = await query(
    db,
    'SELECT 1 FROM partner_accounts WHERE id = $1 AND erased_at IS NOT NULL',
    [partnerId],
  );
  return erased !== undefined;
}

/** The sessions among these that live and may see their feed, with a merchant's role now. */
export async function liveSessions(
  db: Db,
  side: Side,
  { asked, now }: { asked: readonly SessionKey[]; now: Date },
): Promise<Map<string, { role: Role | undefined }>> {
  const rows = await readSessions(db, side, asked);
  return new Map(
    rows.flatMap((row) =>
      row && row.expiresAt > now && !row.lacksTwoFactor
        ? [[row.sessionId, { role: row.role }] as const]
        : [],
    ),
  );
}

/** Undefined for a session that is over; else the time of its last use is noted. */
async function principalOf(
  { manager }: Database,
  { claims, row, now }: { claims: VerifiedClaims; row: SessionRow; now: Date },
): Promise<AccountPrincipal | undefined> {
  if (row.expiresAt <= now) return undefined;

  const { side, accountId, sessionId, expiresAt: tokenExpiresAt } = claims;
  if (now.getTime() - row.lastUsedAt.getTime() > touchIntervalMs)
    await touch(manager, sessionId, now);
  if (side === 'partner') return { kind: 'partner', accountId, sessionId, tokenExpiresAt };
  const { workspaceId, role, email, lacksTwoFactor } = row;
  const member = { accountId, workspaceId, role, sessionId, email, lacksTwoFactor };
  return { kind: 'merchant', ...member, tokenExpiresAt };
}

export type SessionKey = Pick<AccessClaims, 'accountId' | 'sessionId'>;

interface SessionRow extends SessionKey {
  expiresAt: Date;
  lastUsedAt: Date;
  workspaceId: string;
  role: Role;
  email: string;
  lacksTwoFactor: boolean;
}

// LIMIT keeps the planner at index look-ups, also when it plans while the tables are small.
const sessionQueries = {
  merchant: `
    SELECT s.id AS "sessionId", s.account_id AS "accountId", s.expires_at AS "expiresAt",
           s.last_used_at AS "lastUsedAt", a.workspace_id AS "workspaceId", a.role, a.email,
           w.require_two_factor AND NOT EXISTS (SELECT 1 FROM two_factors
             WHERE account_id = a.id AND enabled_at IS NOT NULL) AS "lacksTwoFactor"
      FROM unnest($1::uuid[], $2::uuid[]) AS asked (session_id, account_id)
      JOIN LATERAL (SELECT * FROM sessions
        WHERE id = asked.session_id AND account_id = asked.account_id AND side = 'merchant'
          AND revoked_at IS NULL LIMIT 1) AS s ON true
      JOIN LATERAL (SELECT * FROM merchant_accounts
        WHERE id = s.account_id AND removed_at IS NULL LIMIT 1) AS a ON true
      JOIN LATERAL (SELECT require_two_factor FROM workspaces
        WHERE id = a.workspace_id LIMIT 1) AS w ON true`,
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
function sessionReader(db: Database, side: Side): MicroBatch<SessionKey, SessionRow | undefined> {
  return new MicroBatch({
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
