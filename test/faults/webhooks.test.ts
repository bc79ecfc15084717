import { setTimeout as pause } from 'node:timers/promises';
import { claimAnyPort } from '../../stack/parts/ports';
import { prepareNamespace } from '../../workers/temporal/namespace';
import type { Scope } from '../../entities/rules/values/mode';
import { query } from '../../entities/database/sql';
import { openTestDeps, testEnvironment, type TestDeps } from '../support/app';
import { buildApiKey, buildMember } from '../support/build/accounts';
import { buildEndpoint, buildEvents, fanOutAll } from '../support/build/webhooks';
import { buildService, startService, type ServiceProcess } from '../support/stack/service-process';
import { startSink, type Sink } from '../support/sink';
import { startTcpProxy, type TcpProxy } from '../support/faults/tcp-proxy';
import { byNight, isNightly } from '../support/run/nightly';

/** Many times as much of all where there is time for it. */
const kills = isNightly ? 20 : 2;
const deliveries = isNightly ? 20_000 : 800;
const restarts = 10;
const endpoints = 10;
const inFlightPerEndpoint = 8;
/** What one of its steps may take beside other suites. */
const stepMs = isNightly ? 180_000 : 60_000;
const namespace = `faults-${process.pid}`;

jest.setTimeout(isNightly ? 1_200_000 : 300_000);

let deps: TestDeps;
let sink: Sink;
let scope: Scope;
let adminPort: number;

beforeAll(async () => {
  buildService();
  deps = await openTestDeps();
  await prepareNamespace({ address: deps.config.temporal.address, namespace });
  adminPort = await claimAnyPort();
}, 180_000);

afterAll(() => deps.close());

beforeEach(async () => {
  const { workspaceId } = await buildMember(deps.db.manager);
  scope = { workspaceId, mode: 'test' };
  sink = await startSink();
});

afterEach(() => sink.close());

/** The environment of the processes: this test's database and a namespace of its own. */
function environment(overrides: Record<string, string> = {}): Record<string, string> {
  const { secrets: _own, ...config } = deps.config;
  return {
    ...testEnvironment(config.databaseUrl),
    REDIS_PREFIX: config.redisPrefix,
    TEMPORAL_NAMESPACE: namespace,
    ADMIN_PORT: String(adminPort),
    WORKER_QUEUES: 'relay,webhooks,dispatcher',
    WEBHOOK_TIMEOUT_MS: '1000',
    WEBHOOK_RETRY_SCHEDULE: '0s,1s,2s,4s,8s',
    LOG_LEVEL: 'warn',
    ...overrides,
  };
}

/** Deliveries by event and endpoint, and how many came more than once. */
function tally(): { distinct: number; repeated: number } {
  const keys = sink.received.map(({ path, headers }) => `${path} ${headers['webhook-id']}`);
  const distinct = new Set(keys).size;
  return { distinct, repeated: keys.length - distinct };
}

async function everythingArrived(total: number, withinMs: number): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (tally().distinct < total) {
    if (Date.now() > deadline) {
      throw new Error(`${tally().distinct} of ${total} arrived; ${await statuses()}`);
    }
    await pause(200);
  }
}

async function statuses(): Promise<string> {
  const rows = await query(
    deps.db.manager,
    `SELECT status, count(*), count(lease_token) AS leased FROM webhook_deliveries
      WHERE workspace_id = $1 GROUP BY status`,
    [scope.workspaceId],
  );
  return JSON.stringify(rows);
}

async function everythingIsWrittenDown(total: number): Promise<void> {
  const expected = JSON.stringify([{ status: 'succeeded', count: total, leased: 0 }]);
  for (let turn = 0; turn < 400 && (await statuses()) !== expected; turn += 1) await pause(200);
  expect(await statuses()).toBe(expected);
}

async function buildBacklog(total: number): Promise<void> {
  for (let index = 0; index < endpoints; index += 1) {
    await buildEndpoint(deps, scope, { url: `${sink.url}/${index}` });
  }
  const events = await buildEvents(deps, scope, total / endpoints);
  expect(await fanOutAll(deps, events)).toBe(total);
}

describe('a worker that is killed again and again', () => {
  it(`loses none of ${deliveries} deliveries, and repeats no more than was under way`, async () => {
    await buildBacklog(deliveries);
    sink.answer((_request, response) => setTimeout(() => response.end(), 5));
    let worker: ServiceProcess = await startService('workers/main.js', environment());
    for (let kill = 1; kill <= kills; kill += 1) {
      // Evenly over the drain, each while attempts are under way.
      const threshold = Math.floor((deliveries * kill) / (kills + 2));
      await sink.waitFor(threshold, stepMs);
      await worker.kill();
      worker = await startService('workers/main.js', environment());
    }
    await everythingArrived(deliveries, 2 * stepMs);
    await everythingIsWrittenDown(deliveries);
    expect(tally().repeated).toBeLessThanOrEqual(kills * endpoints * inFlightPerEndpoint);
    await worker.stop();
  });
});

/** This runs by night only: further processes start and die. */
describe('API and worker killed while conversions come in', () => {
  byNight?.('every conversion that was answered is received', async () => {
    const port = await claimAnyPort();
    const apiEnvironment = environment({ PORT: String(port), ADMIN_PORT: '0' });
    const start = () =>
      Promise.all([
        startService('api/main.js', apiEnvironment),
        startService('workers/main.js', environment()),
      ]);
    const { key } = await buildApiKey(deps.db.manager, { ...scope, kind: 'secret' });
    await buildEndpoint(deps, scope, { url: sink.url, events: ['conversion.created'] });
    let processes = await start();
    const report = async (number: number): Promise<void> => {
      for (;;) {
        const answer = await fetch(`http://127.0.0.1:${port}/api/v1/conversions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            external_transaction_id: `order-${number}`,
            event_type: 'purchase',
            promo_code: 'NOBODY',
          }),
        }).catch(() => undefined);
        // A repeat after an answer that the crash swallowed is told that the first one stands.
        if (answer?.status === 201 || answer?.status === 409) return;
        await pause(50);
      }
    };

    const total = 40 * restarts;
    for (let number = 0; number < total; number += 1) {
      await report(number);
      if (number % 40 === 20) {
        await Promise.all(processes.map((process) => process.kill()));
        processes = await start();
      }
    }
    await everythingArrived(total, stepMs);
    await everythingIsWrittenDown(total);
    await Promise.all(processes.map((process) => process.stop()));
  });
});

describe('parts that go away in the middle of a drain', () => {
  let proxies: Record<'postgres' | 'redis' | 'temporal', TcpProxy>;

  beforeAll(async () => {
    const database = new URL(deps.config.databaseUrl);
    const redis = new URL(deps.config.redisUrl);
    const [host = '127.0.0.1', port] = deps.config.temporal.address.split(':');
    const to = (name: string, at: string) => startTcpProxy({ host: name, port: Number(at) });
    proxies = {
      postgres: await to(database.hostname, database.port || '5432'),
      redis: await to(redis.hostname, redis.port || '6379'),
      temporal: await to(host, port ?? '7233'),
    };
  });

  afterAll(() => Promise.all(Object.values(proxies).map((proxy) => proxy.close())));

  function throughProxies(): Record<string, string> {
    const database = new URL(deps.config.databaseUrl);
    const redis = new URL(deps.config.redisUrl);
    database.host = `127.0.0.1:${proxies.postgres.port}`;
    redis.host = `127.0.0.1:${proxies.redis.port}`;
    return environment({
      DATABASE_URL: database.toString(),
      REDIS_URL: redis.toString(),
      TEMPORAL_ADDRESS: `127.0.0.1:${proxies.temporal.port}`,
    });
  }

  it('Postgres, Redis and Temporal, one after the other: all arrive, retries too', async () => {
    const total = deliveries / 2;
    await buildBacklog(total);
    const seen = new Set<string>();
    sink.answer(({ path, headers }, response) => {
      // The first attempt of every twentieth delivery fails, so that retries are under way as well.
      const delivery = `${path} ${headers['webhook-id']}`;
      const isFirst = !seen.has(delivery);
      seen.add(delivery);
      if (isFirst && seen.size % 20 === 0) {
        response.writeHead(503).end();
        return;
      }
      setTimeout(() => response.end(), 5);
    });
    const worker = await startService('workers/main.js', throughProxies());
    for (const [index, part] of (['postgres', 'redis', 'temporal'] as const).entries()) {
      await sink.waitFor(Math.floor((total * (index + 1)) / 5), stepMs);
      proxies[part].cut();
      await pause(1_500);
      proxies[part].restore();
    }
    await everythingArrived(total, 2 * stepMs);
    await everythingIsWrittenDown(total);
    expect(tally().repeated).toBeGreaterThanOrEqual(total / 20);
    await worker.stop();
  });

  byNight?.('first attempts go on without Temporal, and retries when it is back', async () => {
    await buildEndpoint(deps, scope, { url: sink.url });
    sink.answer((_request, response) => response.writeHead(500).end());
    const worker = await startService('workers/main.js', throughProxies());
    proxies.temporal.cut();
    await fanOutAll(deps, await buildEvents(deps, scope, 5));
    await sink.waitFor(5);
    sink.answer((_request, response) => response.end());
    await fanOutAll(deps, await buildEvents(deps, scope, 5));
    await sink.waitFor(10);
    proxies.temporal.restore();
    await everythingIsWrittenDown(10);
    await worker.stop();
  });
});
