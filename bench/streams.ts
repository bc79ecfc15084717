import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { openRedis } from '../runtime/connections/redis';
import { loadConfig } from '../runtime/config/config';
import { createLogger } from '../runtime/observe/logger';
import { claimAnyPort } from '../stack/parts/ports';
import { withCpu } from './support/cpu';
import { load } from './support/load';
import { monotonicMs } from './support/sink';
import { runBench, type Stage } from './support/stage';
import { openFilesLimit } from './support/streams/crowd';
import {
  followerOf,
  measureBroadcasts,
  measureTargeted,
  startCrowd,
  type Figure,
  type Setting,
} from './support/streams/times';
import { seedFollowers, type Follower } from './support/streams/world';

/**
 * Open streams on one API process: its memory, the time until one event has reached all of them,
 * and the time of targeted notifications while they are open. Ten streams an account. Fails when a
 * stream misses a notification, or gets one twice or one of others.
 *
 *   node bench/run.mjs streams [streams, default 10,000] [seconds, default 20] [a second, default 200]
 */
const streams = Number(process.argv[2] ?? 10_000);
const seconds = Number(process.argv[3] ?? 20);
const perSecond = Number(process.argv[4] ?? 200);
const streamsOfAccount = 10;
const megabyte = 1024 * 1024;

async function main(stage: Stage): Promise<void> {
  checkLimits();
  const log = createLogger({ level: 'warn', process: 'bench' });
  const { redisPrefix: prefix } = loadConfig({ ...process.env, ...stage.secrets });
  const redis = await openRedis({ url: stage.redisUrl, prefix, commandTimeoutMs: 5_000 }, log);
  const crowd = startCrowd();
  try {
    const accounts = Math.ceil(streams / streamsOfAccount);
    const followers = await seedFollowers(stage.db.manager, accounts, stage.secrets);
    const setting = { stage, redis, streams, followers, crowd };
    const { origin, rows } = await measureMemory(setting);
    const api = stage.pidOf(origin);
    rows.push(...(await withCpuOf(setting, api, () => measureBroadcasts(setting))));
    rows.push(
      ...(await withCpuOf(setting, api, () => measureTargeted(setting, { seconds, perSecond }))),
    );
    console.table(rows);
    const { ended } = await crowd.ask({ kind: 'count' }, 'count');
    if (ended > 0) throw new Error(`${ended} streams ended by themselves`);
  } finally {
    crowd.stop();
    await redis.close();
  }
}

/** Node raises its soft limit to the hard one by itself; both processes hold one end of each. */
function checkLimits(): void {
  const needed = streams + 200;
  if (openFilesLimit() >= needed) return;
  throw new Error(
    `${streams} streams need ${needed} open files a process, and this shell allows ` +
      `${openFilesLimit()}: raise the limit (ulimit -n ${needed}) or measure fewer streams`,
  );
}

async function measureMemory({ stage, followers, crowd }: Setting) {
  const adminPort = String(await claimAnyPort());
  const origin = await stage.serve('api/main.js', {
    ADMIN_PORT: adminPort,
    MAX_CONNECTIONS: String(streams + 1_000),
  });
  // Code is compiled and the nursery has grown before the streams come.
  const [first] = followers;
  const headers = { Authorization: `Bearer ${first?.token ?? ''}` };
  await load({
    url: origin,
    connections: 32,
    seconds: 3,
    makeRequest: () => ({ method: 'GET', path: pathOf(first?.side ?? 'merchant'), headers }),
  });
  const read = () => memoryOf(stage.pidOf(origin), adminPort);
  const before = await read();
  const began = monotonicMs();
  await crowd.ask(
    {
      kind: 'open',
      origin,
      streams: Array.from({ length: streams }, (_, index) => {
        const { side, token } = followerOf(followers, index);
        return { path: `${pathOf(side)}/stream`, token };
      }),
    },
    'opened',
  );
  const took = monotonicMs() - began;
  await pause(5_000);
  const after = await read();
  const perStream = (1024 * (after.rss - before.rss)) / streams;
  const rows: Figure[] = [
    { figure: `${streams} streams open after`, seen: `${(took / 1_000).toFixed(1)} s`, target: '' },
    { figure: 'RSS before -> after', seen: mb(before.rss, after.rss), target: '250 MB more' },
    { figure: 'heap before -> after', seen: mb(before.heap, after.heap), target: '' },
    { figure: 'RSS a stream', seen: `${perStream.toFixed(1)} kB`, target: '25 kB' },
  ];
  return { origin, rows };
}

/** Others may share the machine: what the processes spent says more than how long it took. */
async function withCpuOf(
  { stage }: Setting,
  api: number,
  run: () => Promise<{ receipts: number; rows: Figure[] }>,
): Promise<Figure[]> {
  const pids = { API: api, Postgres: stage.pids.postgres, Redis: stage.pids.redis };
  const { result, cpu } = await withCpu(pids, async () => {
    const { receipts, rows } = await run();
    return { requests: receipts, rows };
  });
  const seen = Object.entries(cpu).map(([name, us]) => `${name} ${us}`);
  return [...result.rows, { figure: '  CPU a receipt, us', seen: seen.join(', '), target: '' }];
}

function mb(before: number, after: number): string {
  return `${before.toFixed(0)} -> ${after.toFixed(0)} MB (+${(after - before).toFixed(0)})`;
}

function pathOf(side: Follower['side']): string {
  return side === 'merchant' ? '/api/v1/notifications' : '/api/v1/partner/notifications';
}

/** The memory of a process in megabytes. */
async function memoryOf(pid: number, adminPort: string): Promise<{ rss: number; heap: number }> {
  const rss = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
  const heap = /^nodejs_heap_size_used_bytes\S* (\S+)/m.exec(metrics)?.[1];
  return { rss: Number(rss) / 1024, heap: Number(heap) / megabyte };
}

runBench(main);
