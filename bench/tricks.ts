import path from 'node:path';
import { withCpu } from './support/cpu';
import { load } from './support/load';
import { openStage } from './support/stage';
import { runAlone } from './support/verdict';
import { busySettings, workloads, type WorkloadName } from './support/workloads';

/**
 * What is less readable for the sake of speed, beside its plain form: the whole request, in turns,
 * judged by the CPU time of the API. What saves less than 5 % is not worth its lines.
 *
 *   node bench/run.mjs tricks [turns] [requests a turn] [name of one trick]
 */
const turns = Number(process.argv[2] ?? 5);
const perTurn = Number(process.argv[3] ?? 3_000);
const only = process.argv[4];
const connections = 32;

interface Trick {
  name: string;
  /** Script of bench/plain that puts the plain form in its place. */
  plain: string;
  workload: WorkloadName;
}

const tricks: Trick[] = [
  { name: 'clicks around Koa', plain: 'direct', workload: 'clicks' },
  { name: 'conversions around Koa', plain: 'direct', workload: 'conversions' },
];

async function main(): Promise<void> {
  const chosen = tricks.filter(({ plain }) => only === undefined || plain === only);
  const rows: Record<string, object> = {};
  for (const trick of chosen) rows[trick.name] = await compare(trick);
  console.table(rows);
}

async function compare({ plain, workload }: Trick): Promise<object> {
  const stage = await openStage();
  try {
    const script = path.join(__dirname, 'plain', `${plain}.js`);
    const servers = {
      trick: await stage.serve('api/main.js', busySettings),
      plain: await stage.serve('api/main.js', busySettings, [script]),
    };
    const { makeRequest, expects } = await workloads[workload](stage, servers.trick, 0);
    const spent = { trick: [] as number[], plain: [] as number[] };
    const run = async (kind: 'trick' | 'plain'): Promise<number> => {
      const url = servers[kind];
      const { result, cpu } = await withCpu({ api: stage.pidOf(url) }, () =>
        load({ url, connections, amount: perTurn, makeRequest }),
      );
      const good = result.statuses[expects] ?? 0;
      if (good !== result.requests) throw new Error(JSON.stringify(result.statuses));
      return cpu.api;
    };
    for (const kind of ['trick', 'plain', 'trick', 'plain'] as const) await run(kind);
    for (let turn = 0; turn < turns; turn += 1) {
      for (const kind of ['trick', 'plain'] as const) spent[kind].push(await run(kind));
    }
    return summary(workload, spent);
  } finally {
    await stage.close();
  }
}

function summary(
  workload: WorkloadName,
  { trick, plain }: Record<'trick' | 'plain', readonly number[]>,
): object {
  const savings = plain.map((cost, turn) => 100 * (1 - (trick[turn] ?? 0) / cost));
  const saved = 100 * (1 - mean(trick) / mean(plain));
  return {
    requests: workload,
    'CPU us with it': Math.round(mean(trick)),
    plain: Math.round(mean(plain)),
    'saved %': Number(saved.toFixed(1)),
    'least and most of a turn': `${Math.min(...savings).toFixed(0)} to ${Math.max(...savings).toFixed(0)}`,
    'worth it': saved >= 5 ? 'yes' : 'no',
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

runAlone(main);
