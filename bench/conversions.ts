import { query, type Db } from '../entities/database/sql';
import { commitRows, type CommitResult } from './support/commits';
import { withCpu, type CpuPerRequest } from './support/cpu';
import { report, seedShop, type Shop } from './support/conversion-shop';
import type { LoadResult } from './support/load';
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
