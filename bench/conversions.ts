import { queryOne, type Db } from '../entities/database/sql';
import { buildShops, fillClicks, type Shop } from './support/click-world';
import { seedCommissions, seedProgram, withoutTimeouts } from './support/commission-world';
import { commitRows, type CommitResult } from './support/commits';
import { withCpu, type CpuPerRequest } from './support/cpu';
import { load, type LoadResult } from './support/load';
import type { Look } from './support/probe';
import { runSame, statementsOf, type SameResult } from './support/same-statements';
import { runBench, type Stage } from './support/stage';
import { expectEqual, printFigures } from './support/verdict';
import { startWorker } from './support/worker';
import { busySettings, conversionOf } from './support/workloads';

/**
 * Conversions per second over 1,000 keys, on a database of many clicks and commissions, against
 * what writes the same rows without the service: pgbench, one transaction each, prepared. Beside
 * them a bare Koa handler that parses the same JSON, and single-row commits. At last a worker runs
 * beside, which carries events and folds sums.
 *
 *   node bench/run.mjs conversions [seconds a step] [clicks and commissions to begin with]
 */
const seconds = Number(process.argv[2] ?? 5);
const before = Number(process.argv[3] ?? 1_000_000);
const steps = [1, 32, 64];

interface Setting {
  stage: Stage;
  shops: Shop[];
  api: string;
  koa: string;
  /** What pgbench runs for one conversion. */
  statements: string[];
}

interface Step {
  conversions: LoadResult;
  look: Look;
  koa: LoadResult;
  same: SameResult;
  commits: CommitResult;
  /** Microseconds of CPU a request, or a commit. */
  cpu: CpuPerRequest<'api' | 'postgres' | 'redis'> & CpuPerRequest<'koa' | 'same' | 'commit'>;
}

/** Conversions while a worker runs, with its own share. */
interface Beside {
  conversions: LoadResult;
  cpu: CpuPerRequest<'api' | 'postgres' | 'redis' | 'worker'>;
}

let answered = 0;
let byOthers = 0;

async function main(stage: Stage): Promise<void> {
  const db = stage.db.manager;
  const shops = await buildShops(db, 1_000);
  const api = await stage.serve('api/main.js', busySettings);
  const koa = await stage.serve('bench/support/bare-koa.js');
  const statements = await statementsOf(db, await reportOne(api, shops));
  await fill(stage);
  const setting = { stage, shops, api, koa, statements };
  for (const server of [koa, api, api]) await report(setting, server, 32);
  const rows: Record<string, Step> = {};
  for (const connections of steps)
    rows[`${connections} connections`] = await measure(setting, connections);
  print(rows);
  const beside = await besideWorker(setting);
  printBeside(beside);
  printTargets(rows, beside);
  await verify(db);
}

async function reportOne(api: string, shops: readonly Shop[]): Promise<string> {
  const { path, headers, body } = conversionOf(shops);
  const answer = await fetch(api + path, { method: 'POST', headers, body });
  answered += 1;
  return ((await answer.json()) as { id: string }).id;
}

async function fill({ databaseUrl }: Stage): Promise<void> {
  if (before === 0) return;
  await withoutTimeouts(databaseUrl, async (db) => {
    await fillClicks(db, before);
    const row = await queryOne<{ id: string }>(db, 'SELECT id FROM workspaces LIMIT 1');
    await seedCommissions(db, await seedProgram(db, row?.id ?? '', 200), { count: before });
    // Tables that are still empty are left out: they would be planned as empty while they fill.
    await db.query('ANALYZE clicks, commissions, participants, programs');
  });
}

async function measure(setting: Setting, connections: number): Promise<Step> {
  const { stage, api, koa, statements } = setting;
  const { postgres, redis } = stage.pids;
  const commits = await withCpu({ commit: postgres }, () =>
    commitRows(stage.databaseUrl, { connections, seconds }),
  );
  const same = await withCpu({ same: postgres }, () =>
    runSame({ url: stage.databaseUrl, statements, connections, seconds }, stage.db.manager),
  );
  byOthers += same.result.requests;
  const looked = await stage.lookAt({ origin: api, kind: 'collections' }, () =>
    withCpu({ api: stage.pidOf(api), postgres, redis }, () => report(setting, api, connections)),
  );
  const bare = await withCpu({ koa: stage.pidOf(koa) }, () => report(setting, koa, connections));
  return {
    commits: commits.result,
    same: same.result,
    conversions: looked.result.result,
    look: looked.look,
    koa: bare.result,
    cpu: { ...looked.result.cpu, ...bare.cpu, ...commits.cpu, ...same.cpu },
  };
}

async function besideWorker(setting: Setting): Promise<Beside> {
  const { stage, api } = setting;
  const worker = await startWorker(stage);
  const { result, cpu } = await withCpu({ api: stage.pidOf(api), ...stage.pids, worker }, () =>
    report(setting, api, 32),
  );
  return { conversions: result, cpu };
}

function report({ shops, api }: Setting, url: string, connections: number): Promise<LoadResult> {
  return load({
    url,
    connections,
    seconds,
    makeRequest: () => conversionOf(shops),
    onAnswer: (status) => {
      if (url === api && status === 201) answered += 1;
    },
  });
}

function print(steps: Record<string, Step>): void {
  const rows = Object.entries(steps).map(([name, step]) => {
    const { conversions, koa, same, commits, cpu, look } = step;
    return [
      name,
      {
        'conversions /s': conversions.rps,
        p50: ms(conversions.p50),
        p99: ms(conversions.p99),
        [`${same.by} /s`]: same.rps,
        'commits /s': commits.rps,
        'commit p50': ms(commits.p50),
        'Koa /s': koa.rps,
        'CPU us API': cpu.api,
        Postgres: cpu.postgres,
        Redis: cpu.redis,
        [`Postgres by ${same.by}`]: cpu.same,
        Koa: cpu.koa,
        'a commit': cpu.commit,
        'kB API': ms(look.allocated / conversions.requests / 1_000),
        'paused %': ms((100 * look.pausedMs) / look.ms),
        statuses: JSON.stringify(conversions.statuses),
      },
    ];
  });
  console.table(Object.fromEntries(rows));
}

function printBeside({ conversions, cpu }: Beside): void {
  const { rps, p50, p99, statuses } = conversions;
  const row = {
    'conversions /s': rps,
    p50: ms(p50),
    p99: ms(p99),
    'CPU us API': cpu.api,
    Postgres: cpu.postgres,
    Redis: cpu.redis,
    worker: cpu.worker,
    statuses: JSON.stringify(statuses),
  };
  console.table({ '32 connections beside a worker': row });
}

function printTargets(steps: Record<string, Step>, beside: Beside): void {
  const [one, full] = [steps['1 connections'], steps['32 connections']];
  if (!one || !full) return;
  printFigures([
    {
      what: 'rate, 32 connections',
      seen: full.conversions.rps,
      unit: '/s',
      beside: { what: `same rows by ${full.same.by}`, value: full.same.rps },
      target: { least: 0.45 },
    },
    { what: 'p50 of a lone one', seen: one.conversions.p50, unit: 'ms', target: { most: 1.5 } },
    { what: 'API CPU, 32 connections', seen: full.cpu.api, unit: 'us', target: { most: 250 } },
    {
      what: 'Postgres CPU, 32 connections',
      seen: full.cpu.postgres,
      unit: 'us',
      target: { most: 250 },
    },
    {
      what: 'p99 beside a worker, 32 connections',
      seen: beside.conversions.p99,
      unit: 'ms',
      beside: { what: 'without', value: full.conversions.p99 },
      target: { most: 2 },
    },
  ]);
}

function ms(value: number): number {
  return Number(value.toFixed(2));
}

/** A fast answer is worth nothing unless everything that it promised is there. */
async function verify(db: Db): Promise<void> {
  for (const [table, per] of [
    ['conversions', 1],
    ['attribution_decisions', 1],
    ['ledger_entries', 1],
    ['commission_history', 1],
    ['events', 2],
  ] as const) {
    const row = await queryOne<{ count: number }>(db, `SELECT count(*) AS count FROM ${table}`);
    expectEqual(table, row?.count ?? 0, per * (answered + byOthers));
  }
}

runBench(main);
