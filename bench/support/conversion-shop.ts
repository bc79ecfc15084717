import { newApiKey } from '../../runtime/crypto/tokens';
import { tokenHash } from '../../runtime/crypto/vault';
import { newId } from '../../entities/ids';
import { execute, type Db } from '../../entities/database/sql';
import { load, type LoadResult } from './load';

export interface Shop {
  workspaceId: string;
  programId: string;
  key: string;
  clickIds: string[];
}

let reported = 0;

/** Sales of this shop, each by another buyer. */
export function report(
  url: string,
  { key, clickIds }: Shop,
  options: { connections: number; seconds: number; withAddress?: boolean },
): Promise<LoadResult> {
  const { connections, seconds, withAddress = false } = options;
  return load({
    url,
    connections,
    seconds,
    makeRequest: () => {
      reported += 1;
      return {
        path: '/api/v1/conversions',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({
          external_transaction_id: `bench_${reported}_${process.pid}`,
          event_type: 'purchase',
          click_id: clickIds[reported % clickIds.length],
          amount_cents: 4_900,
          currency: 'usd',
          customer_id: `customer_${reported}`,
          ...(withAddress && { prospect_email: `buyer${reported}@buyers.example` }),
          metadata: { plan: 'pro', seats: 3 },
        }),
      };
    },
  });
}

/** Programme, approved partner, clicks of the last days and a secret key. */
export async function seedShop(db: Db): Promise<Shop> {
  const [workspaceId, programId, participantId, linkId] = [newId(), newId(), newId(), newId()];
  const key = newApiKey('secret', 'live');
  const clickIds = Array.from({ length: 1_000 }, (_, index) =>
    newId(new Date(Date.now() - 3_600_000 * (1 + (index % 240)))),
  );
  await execute(
    db,
    `INSERT INTO workspaces (id, name, created_at, updated_at) VALUES ($1, 'Bench', now(), now())`,
    [workspaceId],
  );
  await execute(
    db,
    `INSERT INTO api_keys (id, workspace_id, kind, mode, key_hash, prefix, last4, created_at)
     VALUES ($1, $2, 'secret', 'live', $3, 'sk_live_', 'last', now())`,
    [newId(), workspaceId, tokenHash(key)],
  );
  await execute(
    db,
    `INSERT INTO programs (id, workspace_id, mode, name, website_url, currency, status,
       attribution_window_days, approval_mode, public_applications, commission_type, rate_bps, basis,
       recurring, hold_days, auto_approve, created_at, updated_at)
     VALUES ($1, $2, 'live', 'Bench', 'https://shop.example', 'usd', 'active', 30, 'manual', true,
       'percentage', 2000, 'gross', false, 30, true, now(), now())`,
    [programId, workspaceId],
  );
  await execute(
    db,
    `INSERT INTO participants (id, workspace_id, mode, program_id, partner_id, partner_name,
       partner_email, status, referral_code, created_at, approved_at, updated_at)
     VALUES ($1, $2, 'live', $3, $4, 'Ann', 'ann@partner.example', 'approved', 'ann', now(), now(),
       now())`,
    [participantId, workspaceId, programId, newId()],
  );
  await execute(
    db,
    `INSERT INTO clicks (id, created_at, workspace_id, mode, program_id, participant_id, link_id,
       visitor_id, creditable, expires_at, user_agent, ip_hash)
     SELECT id, uuid_extract_timestamp(id), $2, 'live', $3, $4, $5, id, true,
            now() + interval '20 days', 'Mozilla/5.0 Gecko/20100101 Firefox/140.0', 'k1:' || id
       FROM unnest($1::uuid[]) AS id`,
    [clickIds, workspaceId, programId, participantId, linkId],
  );
  return { workspaceId, programId, key, clickIds };
}
