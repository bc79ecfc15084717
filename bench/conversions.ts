import { newApiKey } from '../activities/runtime/crypto/tokens';
import { tokenHash } from '../activities/runtime/crypto/vault';
import { newId } from '../entities/ids';
import { execute, query, type Db } from '../entities/database/sql';
import { commitRows, type CommitResult } from './support/commits';
import { withCpu, type CpuPerRequest } from './support/cpu';
import { load, type LoadResult } from './support/load';
import { openStage, type Stage } from './support/stage';

/**
 * Conversions per second and their latency, against two limits of the same run: a bare Koa handler
 * that parses the same JSON, and single-row commits by plain pg.
 *
 *   node bench/run.mjs conversions [seconds a step]
 */
const seconds = Number(process.argv[2] ?? 4);
const steps = [1, 16, 64];

/** High enough not to refuse; each request is counted all the same. */
const highLimits = { RATE_LIMIT_CONVERSIONS: '100000000', RATE_LIMIT_GENERAL: '100000000' };

interface Step {
  connections: number;
  conversions: LoadResult;
  koa: LoadResult;
  commits: CommitResult;
  /** Microseconds of CPU a request, or a commit. */
  cpu: CpuPerRequest<'api' | 'postgres' | 'redis'> & { koa: number; commit: number };
}

async function main(): Promise<void> {
  const stage = await openStage();
  try {
    const shop = await seedShop(stage.db.manager);
    const api = await stage.serve('api/main.js', highLimits);
    const koa = await stage.serve('bench/support/bare-koa.js');
    // The first thousands are slower: code is compiled and statements are planned.
    await report(api, shop, { connections: 16, seconds: 2 * seconds });
    const rows: Step[] = [];
    for (const connections of steps)
      rows.push(await measure({ stage, shop, api, koa }, connections));
    print(rows);
    await assertConsistent(stage.db.manager, shop);
  } finally {
    await stage.close();
  }
}

interface Shop {
  workspaceId: string;
  key: string;
  clickIds: string[];
}

interface Setting {
  stage: Stage;
  shop: Shop;
  api: string;
  koa: string;
}

async function measure({ stage, shop, api, koa }: Setting, connections: number): Promise<Step> {
  const { postgres, redis } = stage.pids;
  const commits = await withCpu({ commit: postgres }, () =>
    commitRows(stage.databaseUrl, { connections, seconds }),
  );
  const conversions = await withCpu({ api: stage.pidOf(api), postgres, redis }, () =>
    report(api, shop, { connections, seconds }),
  );
  const bare = await withCpu({ koa: stage.pidOf(koa) }, () =>
    report(koa, shop, { connections, seconds }),
  );
  return {
    connections,
    commits: commits.result,
    conversions: conversions.result,
    koa: bare.result,
    cpu: { ...conversions.cpu, ...bare.cpu, ...commits.cpu },
  };
}

let reported = 0;

function report(
  url: string,
  { key, clickIds }: Shop,
  { connections, seconds: duration }: { connections: number; seconds: number },
): Promise<LoadResult> {
  return load({
    url,
    connections,
    seconds: duration,
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
          metadata: { plan: 'pro', seats: 3 },
        }),
      };
    },
  });
}

function print(rows: Step[]): void {
  const ratio = (a: number, b: number): string => `${Math.round((a / b) * 100)} %`;
  const ms = (value: number): string => value.toFixed(2);
  console.table(
    rows.map(({ connections, conversions, koa, commits }) => ({
      connections,
      'conversions/s': conversions.rps,
      'p50 ms': ms(conversions.p50),
      'p99 ms': ms(conversions.p99),
      statuses: JSON.stringify(conversions.statuses),
      'commits/s': commits.rps,
      'commit p50': ms(commits.p50),
      'of commits': ratio(conversions.rps, commits.rps),
      'p50 / commit': (conversions.p50 / commits.p50).toFixed(1),
      'koa/s': koa.rps,
      'of koa': ratio(conversions.rps, koa.rps),
    })),
  );
  console.log('microseconds of CPU a request, of a bare Koa request and of a bare commit:');
  console.table(rows.map(({ connections, cpu }) => ({ connections, ...cpu })));
}

/** Programme, approved partner, clicks of the last days and a secret key. */
async function seedShop(db: Db): Promise<Shop> {
  const [workspaceId, programId, participantId, linkId] = [newId(), newId(), newId(), newId()];
  const key = newApiKey('secret', 'live');
  const clickIds = Array.from({ length: 1_000 }, (_, index) =>
    newId(new Date(Date.now() - 3_600_000 * (1 + (index % 240)))),
  );
  await execute(db, `INSERT INTO workspaces VALUES ($1, 'Bench', NULL, now(), now())`, [
    workspaceId,
  ]);
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
  return { workspaceId, key, clickIds };
}

/** A fast answer is worth nothing unless everything that it promised is there. */
async function assertConsistent(db: Db, { workspaceId }: Shop): Promise<void> {
  const [counts] = await query<Record<string, number>>(
    db,
    `SELECT (SELECT count(*) FROM conversions WHERE workspace_id = $1) AS conversions,
            (SELECT count(*) FROM commissions WHERE workspace_id = $1) AS commissions,
            (SELECT count(*) FROM ledger_entries WHERE workspace_id = $1) AS "ledgerEntries",
            (SELECT count(*) FROM events WHERE workspace_id = $1) AS events`,
    [workspaceId],
  );
  console.log(JSON.stringify(counts));
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
