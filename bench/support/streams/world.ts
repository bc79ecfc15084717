import { createAccessTokens } from '../../../runtime/crypto/access-tokens';
import { loadConfig } from '../../../runtime/config/config';
import { newId } from '../../../entities/ids';
import type { Side } from '../../../entities/rules/accounts/accounts';
import { execute, type Db } from '../../../entities/database/sql';

/** An account that reads a feed: its workspace's, or its own. */
export interface Follower {
  side: Side;
  accountId: string;
  feedId: string;
  token: string;
}

const membersOfWorkspace = 5;
const tokensAtOnce = 100;

/** Accounts that are signed in: half of them members, five a workspace, half partners. */
export async function seedFollowers(
  db: Db,
  count: number,
  secrets: Record<string, string>,
): Promise<Follower[]> {
  const accounts = Array.from({ length: count }, (_, index) => accountOf(index, count));
  const sessions = accounts.map((account) => ({ ...account, sessionId: newId() }));
  const rows = JSON.stringify(sessions);
  for (const statement of statements) await execute(db, `WITH ${given} ${statement}`, [rows]);
  await execute(db, 'ANALYZE');

  const keys = loadConfig({ ...process.env, ...secrets }).secrets.jwtKeys;
  const tokens = createAccessTokens(keys);
  const followers: Follower[] = [];
  for (let first = 0; first < count; first += tokensAtOnce) {
    const some = sessions.slice(first, first + tokensAtOnce).map(async (session) => ({
      side: session.side,
      accountId: session.accountId,
      feedId: session.feedId,
      token: await tokens.sign(session, new Date()),
    }));
    followers.push(...(await Promise.all(some)));
  }
  return followers;
}

const workspaces = new Map<number, string>();

function accountOf(index: number, count: number): Omit<Follower, 'token'> {
  const accountId = newId();
  if (index >= count / 2) return { side: 'partner', accountId, feedId: accountId };
  const place = Math.floor(index / membersOfWorkspace);
  const feedId = workspaces.get(place) ?? newId();
  workspaces.set(place, feedId);
  return { side: 'merchant', accountId, feedId };
}

const given = `account AS (
  SELECT * FROM json_to_recordset($1::json) AS a (side text, "accountId" uuid, "feedId" uuid,
    "sessionId" uuid))`;

const statements = [
  `INSERT INTO workspaces (id, name, created_at, updated_at)
   SELECT DISTINCT "feedId", 'Shop', now(), now() FROM account WHERE side = 'merchant'`,
  `INSERT INTO merchant_accounts (id, workspace_id, role, email, email_verified_at, name,
     password_hash, created_at, updated_at)
   SELECT "accountId", "feedId", 'owner', "accountId" || '@shop.example', now(), 'Mia', '', now(),
     now() FROM account WHERE side = 'merchant'`,
  `INSERT INTO partner_accounts (id, email, email_verified_at, name, password_hash, created_at,
     updated_at)
   SELECT "accountId", "accountId" || '@partner.example', now(), 'Pat', '', now(), now()
     FROM account WHERE side = 'partner'`,
  `INSERT INTO sessions (id, side, account_id, created_at, last_used_at, expires_at)
   SELECT "sessionId", side, "accountId", now(), now(), now() + interval '1 day' FROM account`,
];
