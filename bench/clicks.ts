import { queryOne, type Db } from '../entities/database/sql';
import { claimAnyPort } from '../stack/parts/ports';
import { buildShops, fillClicks, type Shop } from './support/click-world';
import { withCpu, type CpuPerRequest } from './support/cpu';
import { load, type LoadResult, type Shot } from './support/load';
import { openStage, type Stage } from './support/stage';

/**
 * Clicks per second against a bare Koa that parses and answers the same, in one run on one machine:
 * 1,000 public keys, limits on, CORS, one log line each, durable commits, every 201 looked up.
 *
 *   node bench/run.mjs clicks [seconds per point, default 4] [stored clicks to begin with, default 0]
 */
const seconds = Number(process.argv[2] ?? 4);
const storedBefore = Number(process.argv[3] ?? 0);

async function main(): Promise<void> {
  const stage = await openStage();
  try {
    const shops = await buildShops(stage.db.manager, 1_000);
    if (storedBefore > 0) await fillClicks(stage.db.manager, storedBefore);

    const adminPort = String(await claimAnyPort());
    const bare = await stage.serve('bench/support/bare-koa.js');
    const api = await stage.serve('api/main.js', {
      // High enough not to refuse; each request is counted all the same.
      RATE_LIMIT_TRACKING: '100000000',
      LOG_LEVEL: 'info',
      ADMIN_PORT: adminPort,
    });
    await compare({ stage, bare, api, shops, adminPort });
    await verify(stage.db.manager);
  } finally {
    await stage.close();
  }
}

let created = 0;

const countCreated = (status: number): void => {
  if (status === 201) created += 1;
};

function shot(shops: Shop[], index: number): Shot {
  const shop = shops[index % shops.length];
  return {
    path: '/v1/clicks',
    headers: {
      'Content-Type': 'text/plain;charset=UTF-8',
      Origin: 'https://shop.example',
      'User-Agent':
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    },
    body: JSON.stringify({
      key: shop?.key,
      ref: shop?.ref,
      url: `https://shop.example/?ref=${shop?.ref}`,
      referrer: 'https://blog.example/post',
    }),
  };
}

interface Setting {
  stage: Stage;
  /** Origins. */
  bare: string;
  api: string;
  shops: Shop[];
  adminPort: string;
}

async function compare({ stage, bare, api, shops, adminPort }: Setting): Promise<void> {
  const makeRequest = (index: number): Shot => shot(shops, index);
  const measure = async (server: string, connections: number, rate?: number): Promise<Measured> => {
    const { result, cpu } = await withCpu({ server: stage.pidOf(server), ...stage.pids }, () =>
      load({
        url: server,
        connections,
        seconds,
        makeRequest,
        ...(rate === undefined ? {} : { rate }),
        ...(server === api ? { onAnswer: countCreated } : {}),
      }),
    );
    return { ...result, cpu };
  };

  for (const server of [bare, api]) await measure(server, 64);
  print(
    'connections',
    'bare Koa /s',
    'clicks /s',
    'share',
    'p99 bare',
    'p99 clicks',
    'API MiB',
    cpuColumn,
  );
  let half = 0;
  for (const connections of [1, 16, 64, 256]) {
    const limit = await measure(bare, connections);
    const clicks = await measure(api, connections);
    if (connections === 64) half = clicks.rps / 2;
    row(String(connections), { limit, clicks, memory: await residentMiB(adminPort) });
  }
  const limit = await measure(bare, 64, half);
  const clicks = await measure(api, 64, half);
  row(`64 at ${Math.round(half)}/s`, { limit, clicks, memory: await residentMiB(adminPort) });
  print('p99 at half the rate', `${(clicks.p99 / limit.p99).toFixed(2)} x bare Koa`);
}

/** With what each process spends on a request, in microseconds of CPU. */
type Measured = LoadResult & { cpu: CpuPerRequest<'server' | 'postgres' | 'redis'> };

const cpuColumn = 'CPU us: Koa, API + Postgres + Redis';

function row(
  name: string,
  { limit, clicks, memory }: { limit: Measured; clicks: Measured; memory: number },
): void {
  const others = Object.keys(clicks.statuses).filter((status) => status !== '201');
  print(
    name,
    String(limit.rps),
    String(clicks.rps),
    `${Math.round((100 * clicks.rps) / limit.rps)} %`,
    `${limit.p99.toFixed(2)} ms`,
    `${clicks.p99.toFixed(2)} ms`,
    String(memory),
    `${limit.cpu.server}, ${clicks.cpu.server} + ${clicks.cpu.postgres} + ${clicks.cpu.redis}`,
    ...others.map((status) => `${status}: ${clicks.statuses[Number(status)]}`),
  );
}

async function residentMiB(adminPort: string): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
  const bytes = /^process_resident_memory_bytes\S* (\S+)$/m.exec(metrics)?.[1];
  return Math.round(Number(bytes) / 1_048_576);
}

async function verify(db: Db): Promise<void> {
  const row = await queryOne<{ count: number }>(db, 'SELECT count(*) AS count FROM clicks');
  const stored = (row?.count ?? 0) - storedBefore;
  print(
    'answered 201',
    String(created),
    'stored',
    String(stored),
    stored === created ? 'equal' : 'DIFFERENT',
  );
}

function print(...columns: string[]): void {
  process.stdout.write(`${columns.map((column) => column.padEnd(15)).join(' ')}\n`);
}

void main();
