import { newApiKey } from '../../runtime/crypto/tokens';
import { tokenHash } from '../../runtime/crypto/vault';
import { newId } from '../../entities/ids';
import { execute, query, type Db } from '../../entities/database/sql';
import { withoutTimeouts } from './commission-world';

export interface Shop {
  key: string;
  secretKey: string;
  ref: string;
  /** A click of an hour ago. */
  clickId: string;
}

/**
 * Makes `count` merchants, each with a public and a secret key, a programme and a partner with a
 * link that was clicked.
 */
export async function buildShops(db: Db, count: number): Promise<Shop[]> {
  const shops = Array.from({ length: count }, (_, index) => ({
    workspaceId: newId(),
    keyId: newId(),
    secretKeyId: newId(),
    programId: newId(),
    participantId: newId(),
    linkId: newId(),
    clickId: newId(new Date(Date.now() - 3_600_000)),
    key: newApiKey('public', 'live'),
    secretKey: newApiKey('secret', 'live'),
    ref: `partner${index}`,
  }));
  const hashed = shops.map(({ secretKey, ...shop }) => ({
    ...shop,
    hash: tokenHash(shop.key),
    secretHash: tokenHash(secretKey),
  }));
  const rows = JSON.stringify(hashed);
  for (const statement of statements) {
    await execute(db, `WITH shop AS (${shopRows}) ${statement}`, [rows]);
  }
  // Tables that are still empty are left out: they would be planned as empty while they fill.
  await execute(db, 'ANALYZE workspaces, api_keys, programs, participants, tracking_links, clicks');
  return shops;
}

const shopRows = `
  SELECT * FROM json_to_recordset($1::json) AS shop ("workspaceId" uuid, "keyId" uuid,
    "secretKeyId" uuid, "secretHash" text, "clickId" uuid,
    "programId" uuid, "participantId" uuid, "linkId" uuid, key text, ref text, hash text)`;

const statements = [
  `INSERT INTO workspaces (id, name, created_at, updated_at)
   SELECT "workspaceId", 'Shop', now(), now() FROM shop`,
  `INSERT INTO api_keys (id, workspace_id, kind, mode, key_hash, public_key, prefix, last4, created_at)
   SELECT "keyId", "workspaceId", 'public', 'live', hash, key, left(key, 12), right(key, 4), now()
   FROM shop`,
  `INSERT INTO api_keys (id, workspace_id, kind, mode, key_hash, prefix, last4, created_at)
   SELECT "secretKeyId", "workspaceId", 'secret', 'live', "secretHash", 'sk_live_', 'last', now()
   FROM shop`,
  `INSERT INTO programs (id, workspace_id, mode, name, website_url, currency, status,
     attribution_window_days, approval_mode, public_applications, commission_type, rate_bps, basis,
     recurring, hold_days, auto_approve, created_at, updated_at)
   SELECT "programId", "workspaceId", 'live', 'Shop', 'https://shop.example', 'usd', 'active', 30,
     'auto', true, 'percentage', 2000, 'gross', false, 30, true, now(), now() FROM shop`,
  `INSERT INTO participants (id, workspace_id, mode, program_id, partner_id, partner_name,
     partner_email, status, referral_code, created_at, approved_at, updated_at)
   SELECT "participantId", "workspaceId", 'live', "programId", "participantId", 'Partner',
     'partner@partner.example', 'approved', ref, now(), now(), now() FROM shop`,
  `INSERT INTO tracking_links (id, workspace_id, mode, program_id, participant_id, is_default, token,
     created_at)
   SELECT "linkId", "workspaceId", 'live', "programId", "participantId", true, ref, now() FROM shop`,
  `INSERT INTO referral_tokens (workspace_id, mode, token_key, token, kind, program_id,
     participant_id, link_id, created_at)
   SELECT "workspaceId", 'live', lower(ref), ref, 'code', "programId", "participantId", "linkId", now()
   FROM shop`,
  `INSERT INTO clicks (id, created_at, workspace_id, mode, program_id, participant_id, link_id,
     visitor_id, creditable, expires_at, user_agent, ip_hash)
   SELECT "clickId", uuid_extract_timestamp("clickId"), "workspaceId", 'live', "programId",
     "participantId", "linkId", "clickId", true, now() + interval '29 days',
     'Mozilla/5.0 Gecko/20100101 Firefox/140.0', 'k1:' || "clickId" FROM shop`,
];

/** Clicks of the last month, spread over all partners, as they would lie in the table. */
export async function fillClicks(db: Db, count: number): Promise<void> {
  const step = 100_000;
  for (let done = 0; done < count; done += step) {
    await query(db, fillSql, [
      Math.min(step, count - done),
      done / count,
      Math.min(step, count - done) / count,
    ]);
  }
  await query(db, 'ANALYZE clicks');
}

/**
 * Brings a database to where one stands that has been there for a while: vacuumed, on disk, and
 * with files for the log to use again. Otherwise autovacuum, the kernel and new files of the log do
 * it within the next minute, in the middle of what is measured.
 */
export async function settle(databaseUrl: string): Promise<void> {
  await withoutTimeouts(databaseUrl, async (db) => {
    await query(db, 'VACUUM (ANALYZE)');
    await query(db, 'CHECKPOINT');
  });
}

const fillSql = `
  WITH links AS (
    SELECT array_agg(link.id) AS ids, array_agg(link.participant_id) AS participants,
           array_agg(link.program_id) AS programs, array_agg(link.workspace_id) AS workspaces,
           count(*)::int AS amount FROM tracking_links link
  ), click AS (
    SELECT date_trunc('milliseconds', now() - interval '28 days'
             + ($2::float8 + $3::float8 * n / $1::int) * interval '28 days') AS at,
           1 + n % amount AS pick, n, links.*
      FROM generate_series(0, $1::int - 1) AS n, links
  )
  INSERT INTO clicks (id, created_at, workspace_id, mode, program_id, participant_id, link_id,
                      visitor_id, creditable, expires_at, url, referrer, user_agent, ip_hash)
  SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7'
           || substr(md5(random()::text), 1, 3) || '8' || substr(md5(random()::text), 1, 15))::uuid,
         at, workspaces[pick], 'live', programs[pick], participants[pick], ids[pick],
         gen_random_uuid(), true, at + interval '30 days', 'https://shop.example/?ref=partner',
         'https://blog.example/post', 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0',
         'k1:' || md5(n::text)
    FROM click`;
