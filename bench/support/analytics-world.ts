import { newId } from '../../entities/ids';
import { seedWorkspace } from './commission-world';
import { execute, query, type Db } from '../../entities/database/sql';

export interface AnalyticsWorld {
  workspaceId: string;
  /** The one with a fifth of all clicks. */
  programId: string;
  programIds: string[];
}

const programs = 9;
const partnersOfFirst = 200;
const partnersOfOthers = 100;

/** Programmes of one workspace; each partner has two links. */
export async function seedAnalytics(db: Db): Promise<AnalyticsWorld> {
  const workspaceId = newId();
  const programIds = Array.from({ length: programs }, () => newId());
  await seedWorkspace(db, workspaceId);
  await execute(
    db,
    `INSERT INTO programs (id, workspace_id, mode, name, website_url, currency, status,
       attribution_window_days, approval_mode, public_applications, commission_type, rate_bps, basis,
       recurring, hold_days, auto_approve, created_at, updated_at)
     SELECT id, $2, 'live', 'Bench', 'https://shop.example', 'usd', 'active', 30, 'manual', true,
            'percentage', 2000, 'gross', false, 30, true, now(), now() FROM unnest($1::uuid[]) AS id`,
    [programIds, workspaceId],
  );
  await execute(
    db,
    `INSERT INTO participants (id, workspace_id, mode, program_id, partner_id, partner_name,
       partner_email, status, referral_code, created_at, approved_at, updated_at)
     SELECT gen_random_uuid(), $2, 'live', id, gen_random_uuid(), 'Partner ' || n,
            'partner@bench.example', 'approved', 'p' || n, now(), now(), now()
       FROM unnest($1::uuid[]) WITH ORDINALITY AS program (id, place),
            generate_series(1, CASE place WHEN 1 THEN ${partnersOfFirst} ELSE ${partnersOfOthers} END) AS n`,
    [programIds, workspaceId],
  );
  await execute(
    db,
    `INSERT INTO tracking_links (id, workspace_id, mode, program_id, participant_id, is_default,
       token, target_url, created_at)
     SELECT gen_random_uuid(), workspace_id, mode, program_id, id, n = 1, referral_code || n,
            'https://shop.example', now() FROM participants, generate_series(1, 2) AS n`,
  );
  return { workspaceId, programId: programIds[0] ?? '', programIds };
}

const yearMs = 365 * 86_400_000;
const steps = 40;

/** Clicks of the year before `end`, in the order of their times, a fifth in the first programme. */
export async function fillClicks(db: Db, count: number, end: Date): Promise<void> {
  await query(db, `SELECT ensure_click_partitions($1::timestamptz - interval '1 year', 14)`, [end]);
  const step = yearMs / steps;
  for (let n = 0; n < steps; n += 1) {
    const since = new Date(end.getTime() - yearMs + n * step);
    await execute(db, clicksSql, [since, step / 1_000, Math.round(count / steps)]);
  }
}

const clicksSql = `
  WITH target AS MATERIALIZED (
    SELECT array_agg(l.id ORDER BY l.program_id, l.id) AS links,
           array_agg(l.participant_id ORDER BY l.program_id, l.id) AS participants, l.program_id,
           count(*)::int AS amount, l.workspace_id,
           row_number() OVER (ORDER BY l.program_id) AS place
      FROM tracking_links AS l GROUP BY l.program_id, l.workspace_id
  ), click AS (
    SELECT date_trunc('milliseconds', $1::timestamptz + $2::float8 * n / $3::int * interval '1 second') AS at,
           1 + greatest(0, n % 10 - 1) AS place, (random() * 1000000)::int AS pick, n
      FROM generate_series(0, $3::int - 1) AS n
  )
  INSERT INTO clicks (id, created_at, workspace_id, mode, program_id, participant_id, link_id,
                      visitor_id, creditable, expires_at, url, user_agent, ip_hash, recorded_in)
  SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7000'
           || '8' || substr(md5($1::text || n), 1, 15))::uuid,
         at, workspace_id, 'live', program_id, participants[1 + pick % amount],
         links[1 + pick % amount], md5(n::text)::uuid, true, at + interval '30 days',
         'https://shop.example/?ref=partner', 'Mozilla/5.0 Chrome/140.0.0.0', 'k1:' || n, NULL
    FROM click JOIN target USING (place)`;

/** Attributed sales of the year before `end`, one in fifty refunded, in three currencies. */
export async function fillConversions(db: Db, count: number, end: Date): Promise<void> {
  const step = 20_000;
  for (let done = 0; done < count; done += step) {
    await execute(db, conversionsSql, [end, Math.min(step, count - done)]);
  }
}

const conversionsSql = `
  WITH target AS MATERIALIZED (
    SELECT array_agg(l.id) AS links, array_agg(l.participant_id) AS participants,
           array_agg(l.program_id) AS programs, l.workspace_id, count(*)::int AS amount
      FROM tracking_links AS l GROUP BY l.workspace_id
  ), sale AS (
    SELECT gen_random_uuid() AS id, 1 + (random() * 1000000)::int % amount AS pick, n, target.*,
           $1::timestamptz - random() * interval '365 days' AS at
      FROM generate_series(1, $2::int) AS n, target
  )
  INSERT INTO conversions (id, workspace_id, mode, external_transaction_id, source, event_type,
    amount_cents, currency, occurred_at, attributed, reason, explanation, matched_by, program_id,
    participant_id, link_id, refunded_amount_cents, created_at)
  SELECT id, workspace_id, 'live', id::text, 'api', 'purchase', 4900,
         (ARRAY['usd', 'usd', 'usd', 'eur', 'gbp'])[1 + n % 5], at, true, 'ATTRIBUTED', '', 'click',
         programs[pick], participants[pick], links[pick], CASE n % 50 WHEN 0 THEN 4900 ELSE 0 END, at
    FROM sale`;
