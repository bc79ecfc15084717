import { countFrom } from '../entities/database/sql';
import { buildShops, fillClicks, settle, type Shop } from './support/click-world';
import { withoutTimeouts } from './support/commission-world';
import { withCpu, type CpuPerRequest } from './support/cpu';
import { load, type LoadResult } from './support/load';
import type { Look } from './support/probe';
import { runBench, type Stage } from './support/stage';
import { expectEqual, printFigures } from './support/verdict';
import { startWorker } from './support/worker';
import { clickOf, clickSettings } from './support/workloads';

/**
 * Clicks per second against a bare Koa that parses and answers the same, in one run on one machine:
 * 1,000 public keys, limits on, CORS, one log line each, durable commits, every 201 looked up; at
 * last with a worker that folds them beside it.
 *
 *   node bench/run.mjs clicks [seconds a point] [stored clicks to begin with]
 */
const seconds = Number(process.argv[2] ?? 5);
const storedBefore = Number(process.argv[3] ?? 1_000_000);

/** The load, with what each process spends on a request, in microseconds of CPU, and what the server did. */
type Measured = LoadResult & { cpu: CpuPerRequest<'server' | 'postgres' | 'redis'>; look: Look };

interface Setting {
  stage: Stage;
  /** Origins. */
  bare: string;
  api: string;
  shops: Shop[];
}

let created = 0;

async function main(stage: Stage): Promise<void> {
  const shops = await buildShops(stage.db.manager, 1_000);
  await withoutTimeouts(stage.databaseUrl, (db) => fillClicks(db, storedBefore));
  await settle(stage.databaseUrl);
  const bare = await stage.serve('bench/support/bare-koa.js');
  const api = await stage.serve('api/main.js', clickSettings);
  const before = await countFrom(stage.db.manager, 'clicks');
  await compare({ stage, bare, api, shops });
  expectEqual('clicks', (await countFrom(stage.db.manager, 'clicks')) - before, created);
}

interface Pair {
  limit: Measured;
  clicks: Measured;
}

async function compare(setting: Setting): Promise<void> {
  const { stage, bare, api } = setting;
  for (const server of [bare, api, api]) await measure(setting, server, { connections: 64 });
  const pairs: Record<string, Pair> = {};
  const pair = async (name: string, at: At): Promise<Pair> => {
    const limit = await measure(setting, bare, at);
    return (pairs[name] = { limit, clicks: await measure(setting, api, at) });
  };
  const one = await pair('1 connection', { connections: 1 });
  await pair('16 connections', { connections: 16 });
  const full = await pair('64 connections', { connections: 64 });
  await pair('256 connections', { connections: 256 });
  const at = { connections: 64, rate: full.clicks.rps / 2 };
  const half = await pair('64 at half that rate', at);

  await startWorker(stage);
  await settle(stage.databaseUrl);
  // Meanwhile the API has had no requests and forgot its keys.
  await measure(setting, api, { connections: 64 });
  const beside = await pair('the same beside a worker', at);
  printPairs(pairs);
  printTargets({ one, full, half, beside });
}

interface At {
  connections: number;
  rate?: number;
}

async function measure({ stage, api, shops }: Setting, server: string, at: At): Promise<Measured> {
  const looked = await stage.lookAt({ origin: server, kind: 'collections' }, () =>
    withCpu({ server: stage.pidOf(server), ...stage.pids }, () =>
      load({
        url: server,
        seconds,
        makeRequest: (index) => clickOf(shops, index),
        onAnswer: (status) => {
          if (server === api && status === 201) created += 1;
        },
        ...at,
      }),
    ),
  );
  return { ...looked.result.result, cpu: looked.result.cpu, look: looked.look };
}

function printPairs(pairs: Record<string, Pair>): void {
  const rows = Object.entries(pairs).map(([name, { limit, clicks }]) => [
    name,
    {
      'Koa /s': limit.rps,
      'clicks /s': clicks.rps,
      'Koa p50': ms(limit.p50),
      p50: ms(clicks.p50),
      'Koa p99': ms(limit.p99),
      p99: ms(clicks.p99),
      'CPU us Koa': limit.cpu.server,
      API: clicks.cpu.server,
      Postgres: clicks.cpu.postgres,
      Redis: clicks.cpu.redis,
      'kB Koa': kilobytes(limit),
      'kB API': kilobytes(clicks),
      'paused %': pausedPercent(clicks),
      statuses: JSON.stringify(clicks.statuses),
    },
  ]);
  console.table(Object.fromEntries(rows));
}

function printTargets({
  one,
  full,
  half,
  beside,
}: Record<'one' | 'full' | 'half' | 'beside', Pair>) {
  printFigures([
    {
      what: 'API CPU a click, 64 connections',
      seen: full.clicks.cpu.server,
      unit: 'us',
      target: { most: 80 },
    },
    {
      what: 'rate, 64 connections',
      seen: full.clicks.rps,
      unit: '/s',
      beside: { what: 'bare Koa', value: full.limit.rps },
      target: { least: 0.4 },
    },
    {
      what: 'p99 at half that rate',
      seen: half.clicks.p99,
      unit: 'ms',
      beside: { what: 'bare Koa', value: half.limit.p99 },
      target: { most: 6 },
    },
    { what: 'p50 of a lone click', seen: one.clicks.p50, unit: 'ms', target: { most: 0.8 } },
    { what: 'allocation a click', seen: kilobytes(full.clicks), unit: 'kB', target: { most: 20 } },
    {
      what: 'paused for collections at half rate',
      seen: pausedPercent(half.clicks),
      unit: '%',
      target: { most: 1 },
    },
    {
      what: 'p99 at half rate beside a worker',
      seen: beside.clicks.p99,
      unit: 'ms',
      beside: { what: 'without', value: half.clicks.p99 },
      target: { most: 2 },
    },
  ]);
}

function ms(value: number): number {
  return Number(value.toFixed(2));
}

function kilobytes({ look, requests }: Measured): number {
  return Number((look.allocated / requests / 1_000).toFixed(1));
}

function pausedPercent({ look }: Measured): number {
  return Number(((100 * look.pausedMs) / look.ms).toFixed(2));
}

runBench(main);
