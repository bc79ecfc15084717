import { runResetSlice } from '../activities/test-data/run-reset';
import { newId } from '../entities/ids';
import { countFrom, execute, type Db } from '../entities/database/sql';
import { buildShops, type Shop } from './support/click-world';
import { withoutTimeouts } from './support/commission-world';
import { load } from './support/load';
import { runBench, type Stage } from './support/stage';
import { clickOf } from './support/workloads';

/**
 * A reset of a large workspace beside the clicks of others: p99 of clicks at a steady rate, alone and
 * while the reset runs, in windows of some seconds.
 *
 *   node bench/run.mjs reset [clicks] [conversions] [clicks per second]
 */
const clicks = Number(process.argv[2] ?? 1_000_000);
const conversions = Number(process.argv[3] ?? 100_000);
const rate = Number(process.argv[4] ?? 500);
const windowSeconds = 5;
const windowsAlone = 4;

async function main(stage: Stage): Promise<void> {
  const shops = await buildShops(stage.db.manager, 1_000);
  const workspaceId = await withoutTimeouts(stage.databaseUrl, seedTestData);
  const api = await stage.serve('api/main.js');
  await clickWindow(api, shops);
  const alone: number[] = [];
  for (let n = 0; n < windowsAlone; n += 1) alone.push(await clickWindow(api, shops));
  const { beside, seconds, deleted } = await besideReset({ stage, api, shops }, workspaceId);
  print({ alone, beside, seconds, deleted });
  const left = await countFrom(stage.db.manager, `clicks WHERE mode = 'test'`);
  if (left > 0) throw new Error(`${left} clicks are left`);
}

interface Setting {
  stage: Stage;
  api: string;
  shops: Shop[];
}

async function besideReset({ stage, api, shops }: Setting, workspaceId: string) {
  await execute(
    stage.db.manager,
    `INSERT INTO test_data_resets (id, workspace_id, status, created_at, touched_at)
     VALUES ($1, $2, 'queued', now(), now())`,
    [newId(), workspaceId],
  );
  const started = performance.now();
  let isDone = false;
  const reset = runToEnd(stage, workspaceId).finally(() => {
    isDone = true;
  });
  const beside: number[] = [];
  while (!isDone) beside.push(await clickWindow(api, shops));
  const { at, deleted } = await reset;
  return { beside, seconds: (at - started) / 1_000, deleted };
}

async function runToEnd({ db }: Stage, workspaceId: string) {
  const clock = { now: () => new Date() };
  for (;;) {
    const { status, deleted } = await runResetSlice({ db, clock }, workspaceId);
    if (status !== 'running') return { at: performance.now(), deleted };
  }
}

async function clickWindow(api: string, shops: readonly Shop[]): Promise<number> {
  const { p99, statuses } = await load({
    url: api,
    connections: 32,
    seconds: windowSeconds,
    rate,
    makeRequest: (index) => clickOf(shops, index),
  });
  const others = Object.keys(statuses).filter((status) => status !== '201');
  if (others.length > 0) throw new Error(`clicks were answered ${others.join(', ')}`);
  return p99;
}

interface Outcome {
  alone: number[];
  beside: number[];
  seconds: number;
  deleted: Record<string, number>;
}

function print({ alone, beside, seconds, deleted }: Outcome): void {
  const rows = Object.values(deleted).reduce((sum, count) => sum + count, 0);
  const ms = (value: number): string => `${value.toFixed(2)} ms`;
  console.table([
    { clicks: 'alone', 'p99, median': ms(median(alone)), 'p99, worst': ms(Math.max(...alone)) },
    { clicks: 'beside', 'p99, median': ms(median(beside)), 'p99, worst': ms(Math.max(...beside)) },
  ]);
  console.log(`p99 beside : alone ${(median(beside) / median(alone)).toFixed(2)}`);
  console.log(`${rows} rows in ${seconds.toFixed(1)} s (${Math.round(rows / seconds)} a second)`);
  console.log(JSON.stringify(deleted));
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

const partners = 50;
const insertedAtOnce = 100_000;

/** One programme of test mode, its clicks and its conversions with all that is theirs. */
async function seedTestData(db: Db): Promise<string> {
  const [workspaceId, programId] = [newId(), newId()];
  for (const statement of programStatements) {
    await execute(db, statement.replace('$partners', String(partners)), [workspaceId, programId]);
  }
  for (let done = 0; done < clicks; done += insertedAtOnce) {
    await execute(db, clickStatement, [programId, Math.min(insertedAtOnce, clicks - done)]);
  }
  for (let done = 0; done < conversions; done += insertedAtOnce / 10) {
    const count = Math.min(insertedAtOnce / 10, conversions - done);
    await execute(db, conversionStatement, [programId, count]);
  }
  await db.query('VACUUM (ANALYZE)');
  return workspaceId;
}

const programStatements = [
  `INSERT INTO workspaces (id, name, created_at, updated_at)
   SELECT $1, 'Large', now(), now() WHERE $2::uuid IS NOT NULL`,
  `INSERT INTO programs (id, workspace_id, mode, name, website_url, currency, status,
     attribution_window_days, approval_mode, public_applications, commission_type, rate_bps, basis,
     recurring, hold_days, auto_approve, created_at, updated_at)
   VALUES ($2, $1, 'test', 'Large', 'https://shop.example', 'usd', 'active', 30, 'auto', true,
     'percentage', 2000, 'gross', false, 30, true, now(), now())`,
  `WITH partner AS (
     INSERT INTO participants (id, workspace_id, mode, program_id, partner_id, partner_name,
       partner_email, status, referral_code, created_at, approved_at, updated_at)
     SELECT uuidv7(), $1, 'test', $2, uuidv7(), 'Partner', n || '@partner.example', 'approved',
            'test' || n, now(), now(), now() FROM generate_series(1, $partners) AS n
     RETURNING id, referral_code
   )
   INSERT INTO tracking_links (id, workspace_id, mode, program_id, participant_id, is_default, token,
     created_at)
   SELECT uuidv7(), $1, 'test', $2, id, true, referral_code, now() FROM partner`,
];

const links = `links AS MATERIALIZED (
  SELECT id, workspace_id, participant_id, program_id, row_number() OVER () - 1 AS place
    FROM tracking_links WHERE program_id = $1)`;

const clickStatement = `
  WITH ${links}, made AS (
    SELECT n, uuidv7(- random() * interval '28 days') AS id FROM generate_series(1, $2::int) AS n)
  INSERT INTO clicks (id, created_at, workspace_id, mode, program_id, participant_id, link_id,
    visitor_id, creditable, expires_at, url, user_agent, ip_hash)
  SELECT m.id, uuid_extract_timestamp(m.id), l.workspace_id, 'test', l.program_id, l.participant_id,
         l.id, gen_random_uuid(), true, now(), 'https://shop.example/', 'Mozilla/5.0', md5(m.n::text)
    FROM made AS m JOIN links AS l ON l.place = m.n % ${partners}`;

const scope = `workspace_id, 'test'`;
const conversionStatement = `
  WITH ${links}, made AS MATERIALIZED (
    SELECT uuidv7() AS id, uuidv7() AS commission_id, uuidv7() AS event_id, l.workspace_id,
           l.participant_id, l.program_id, l.id AS link_id
      FROM generate_series(1, $2::int) AS n JOIN links AS l ON l.place = n % ${partners}
  ), alias AS (
    INSERT INTO conversion_aliases (workspace_id, mode, alias, conversion_id)
    SELECT ${scope}, 'order-' || id, id FROM made
  ), decision AS (
    INSERT INTO attribution_decisions (conversion_id, workspace_id, mode, trace, created_at)
    SELECT id, ${scope}, '{}', now() FROM made
  ), event AS (
    INSERT INTO events (id, workspace_id, mode, type, object_id, object, occurred_at)
    SELECT event_id, ${scope}, 'conversion.created', id, '{}'::json, now() FROM made
    UNION ALL
    SELECT uuidv7(), ${scope}, 'commission.created', commission_id, '{}'::json, now() FROM made
  ), commission AS (
    INSERT INTO commissions (id, workspace_id, mode, program_id, participant_id, conversion_id,
      external_transaction_id, status, commission_type, amount_cents, original_amount_cents,
      owed_cents, currency, conversion_amount_cents, terms, auto_approve, hold_until, hold_elapsed,
      created_at, updated_at)
    SELECT commission_id, ${scope}, program_id, participant_id, id, 'order-' || id, 'approved',
           'percentage', 1000, 1000, 1000, 'usd', 5000, '{}', true, now(), true, now(), now()
      FROM made
  ), history AS (
    INSERT INTO commission_history (id, workspace_id, mode, commission_id, from_status, to_status,
      trigger, actor_type, at)
    SELECT uuidv7(), ${scope}, commission_id, NULL, 'pending', 'created', 'system', now() FROM made
  ), ledger AS (
    INSERT INTO ledger_entries (id, workspace_id, mode, program_id, participant_id, commission_id,
      type, amount_cents, currency, created_at)
    SELECT uuidv7(), ${scope}, program_id, participant_id, commission_id, 'accrual', 1000, 'usd', now()
      FROM made
  )
  INSERT INTO conversions (id, workspace_id, mode, external_transaction_id, source, event_type,
    amount_cents, currency, occurred_at, attributed, reason, explanation, matched_by, program_id,
    participant_id, link_id, created_at)
  SELECT id, ${scope}, 'order-' || id, 'api', 'purchase', 5000, 'usd', now(), true, 'ATTRIBUTED',
         'By its click.', 'click', program_id, participant_id, link_id, now() FROM made`;

runBench(main);
