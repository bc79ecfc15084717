import type { Shares } from './support/shares';
import { withCpu } from './support/cpu';
import { load } from './support/load';
import { runBench, type Stage } from './support/stage';
import type { LookKind } from './support/probe';
import { busySettings, workloads, type WorkloadName } from './support/workloads';

/**
 * Where the API spends its time, or what it allocates, under one kind of request.
 *
 *   node bench/run.mjs profile [clicks | conversions | reads | decisions] [cpu | heap] [requests] [connections] [requests per second]
 */
const [name = 'clicks', kind = 'cpu', amount = '20000', connections = '64', rate] =
  process.argv.slice(2);

async function main(stage: Stage): Promise<void> {
  const build = workloads[name as WorkloadName] as (typeof workloads)[WorkloadName] | undefined;
  if (!build) throw new Error(`Which requests? ${Object.keys(workloads).join(', ')}`);
  const api = await stage.serve('api/main.js', busySettings);
  const { makeRequest } = await build(stage, api, 2 * Number(amount));
  const run = () =>
    load({
      url: api,
      connections: Number(connections),
      amount: Number(amount),
      makeRequest,
      ...(rate === undefined ? {} : { rate: Number(rate) }),
    });
  await run();
  const looked = await stage.lookAt({ origin: api, kind: kind as LookKind }, () =>
    withCpu({ server: stage.pidOf(api), ...stage.pids }, run),
  );
  const { look } = looked;
  const { result, cpu } = looked.result;
  print(`${result.rps} a second, p99 ${result.p99.toFixed(2)} ms`, JSON.stringify(result.statuses));
  print(`${cpu.server} us of CPU a request, Postgres ${cpu.postgres}, Redis ${cpu.redis}`);
  print(`${(look.allocated / result.requests / 1_000).toFixed(1)} kB a request`);
  print(`${((100 * look.pausedMs) / look.ms).toFixed(2)} % of the time paused for collections`);
  printShares(look.cpu ?? look.heap);
}

function printShares(shares: Shares | undefined): void {
  for (const [place, percent] of shares?.areas ?? []) print(`${percent} %`, place);
  print('');
  for (const [place, percent] of shares?.functions ?? []) print(`${percent} %`, place);
}

function print(...columns: string[]): void {
  process.stdout.write(`${columns.map((column) => column.padEnd(8)).join(' ')}\n`);
}

runBench(main);
