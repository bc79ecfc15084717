import { setTimeout as pause } from 'node:timers/promises';
import type { Route } from '../../api/http/contract/route';
import { routes } from '../../api/routes';
import { migrate } from '../../entities/database/migrate';
import { queryOne, type Db } from '../../entities/database/sql';
import { newId } from '../../entities/ids';
import { loadConfig } from '../../runtime/config/config';
import { openDeps } from '../../runtime/process/deps';
import { claimAnyPort } from '../../stack/parts/ports';
import { prepareNamespace } from '../../workers/temporal/namespace';
import { createApiClient } from '../support/api-client';
import { testEnvironment, type TestApp, type TestDeps } from '../support/app';
import { buildEndpoint } from '../support/build/webhooks';
import { until } from '../support/eventually';
import {
  changingRequests,
  send,
  type Prepared,
  type Setup,
} from '../support/faults/changing-requests';
import { program } from '../support/faults/changing-requests/worlds';
import {
  startStoppablePostgres,
  type Stop,
  type StoppablePostgres,
} from '../support/faults/stoppable-postgres';
import { isNightly } from '../support/run/nightly';
import { startSink, type Sink } from '../support/sink';
import { newStackDir, removeStackDir } from '../support/stack/local-stack';
import { buildService, startService, type ServiceProcess } from '../support/stack/service-process';

jest.setTimeout(isNightly ? 1_200_000 : 180_000);

/**
 * Requests with a key of a page, a server and a person, alone and in shared commits, and while a
 * worker decides, too.
 */
const ofEachKind = [
  'recordClick',
  'reportConversion',
  'signUpCustomer',
  'refundConversion',
  'approveCommissionOverride',
  'elapseCommissionHold',
  'adjustBalance',
  'createPayout',
  'completePayout',
  'createWebhook',
];
const preparedOfEach = isNightly ? 20 : 8;
/** All rounds end before the sessions of those who ask do. */
const rounds = isNightly ? 4 : 1;
const answeredWithinMs = 30_000;
const namespace = `postgres-stops-${process.pid}`;

interface Request extends Prepared {
  name: string;
  key: string;
  /** It met an outage: what has no key may be done all the same. */
  isDoubtful: boolean;
  isDone: boolean;
}

const dir = newStackDir();
let postgres: StoppablePostgres;
let sink: Sink;
let environment: Record<string, string>;
let app: TestApp;
let services: { api: ServiceProcess; worker: ServiceProcess };
let adminUrls: { api: string; worker: string };

beforeAll(async () => {
  buildService();
  postgres = await startStoppablePostgres(dir);
  await migrate(postgres.url);
  sink = await startSink();
  const [api, apiAdmin, workerAdmin] = [
    await claimAnyPort(),
    await claimAnyPort(),
    await claimAnyPort(),
  ];
  environment = {
    ...testEnvironment(postgres.url),
    // The URL leads past any pooler of the run.
    DATABASE_URL: postgres.url,
    DATABASE_POOLER: 'none',
    TEMPORAL_NAMESPACE: namespace,
    MIGRATE_AT_START: 'false',
    PORT: String(api),
    LOG_LEVEL: 'warn',
  };
  adminUrls = { api: `http://127.0.0.1:${apiAdmin}`, worker: `http://127.0.0.1:${workerAdmin}` };
  const config = loadConfig(environment);
  await prepareNamespace({ address: config.temporal.address, namespace });
  const url = `http://127.0.0.1:${api}`;
  const deps = (await openDeps(config, 'test')) as TestDeps;
  app = { deps, url, client: createApiClient(url), close: () => deps.close() };
  await startBoth();
  const { scope } = await program(app);
  await buildEndpoint(app.deps, scope, { url: sink.url });
}, 180_000);

afterAll(async () => {
  await stopBoth();
  await app.close();
  await postgres.stop('immediate');
  await sink.close();
  removeStackDir(dir);
});

async function startBoth(): Promise<void> {
  const adminPort = (url: string) => ({ ADMIN_PORT: new URL(url).port });
  services = {
    api: await startService('api/main.js', { ...environment, ...adminPort(adminUrls.api) }),
    worker: await startService('workers/main.js', {
      ...environment,
      ...adminPort(adminUrls.worker),
    }),
  };
}

async function stopBoth(): Promise<void> {
  await Promise.all([services.api.stop(), services.worker.stop()]);
}

const isReady = async (): Promise<boolean> =>
  (await fetch(`${app.url}/api/v1/health/ready`)).status === 200;

/** The connections of the test itself have met the outage too. */
async function prepare(count: number): Promise<Request[]> {
  await until(isReady);
  const looks = Array.from({ length: 10 }, () => queryOne(app.deps.db, 'SELECT 1'));
  await Promise.allSettled(looks);
  const requests: Request[] = [];
  for (const name of ofEachKind) {
    const setup = changingRequests[name] as Setup;
    for (let made = 0; made < count; made += 1) {
      requests.push({
        ...(await setup(app)),
        name,
        key: newId(),
        isDoubtful: false,
        isDone: false,
      });
    }
  }
  return requests;
}

function routeOf(name: string): Route {
  const route = routes.find((known) => known.name === name);
  if (!route) throw new Error(`no route is called ${name}`);
  return route;
}

const isKeyed = (name: string): boolean => routeOf(name).method === 'post';

/** Sends it; 503 says when to come again, and nothing else is in its way. */
async function attempt(request: Request): Promise<void> {
  const { name, key } = request;
  const began = performance.now();
  const answer = await send(app, routeOf(name), request, key);
  expect([name, performance.now() - began < answeredWithinMs]).toEqual([name, true]);
  // A repeat may also meet its own first try, which still waits for Postgres.
  if (answer.status === 503 || answer.body['code'] === 'IDEMPOTENCY_IN_PROGRESS') {
    expect([name, answer.headers.get('retry-after')]).toEqual([
      name,
      expect.stringMatching(/^\d+$/),
    ]);
    request.isDoubtful = true;
    return;
  }
  if (request.isDoubtful && !isKeyed(name)) {
    expect([name, answer.status < 500]).toEqual([name, true]);
    request.isDone = true;
    return;
  }
  expect([name, answer.status < 300, answer.text]).toEqual([name, true, answer.text]);
  request.isDone = true;
}

/** One lane a kind, each with its requests until all are done, and then again with their keys. */
function startLoad(requests: readonly Request[]) {
  let isOver = false;
  const failures: unknown[] = [];
  const lane = async (own: readonly Request[]): Promise<void> => {
    while (!isOver) {
      for (const request of own) {
        if (isOver) return;
        if (!request.isDone || isKeyed(request.name)) await attempt(request);
        await pause(30);
      }
    }
  };
  const health = async (): Promise<void> => {
    while (!isOver) {
      expect((await fetch(`${app.url}/api/v1/health`)).status).toBe(200);
      expect((await fetch(`${adminUrls.api}/ready`)).status).toBe(200);
      expect((await fetch(`${adminUrls.worker}/ready`)).status).toBe(200);
      await pause(100);
    }
  };
  const lanes = [
    ...ofEachKind.map((name) => lane(requests.filter((request) => request.name === name))),
    health(),
  ].map((running) => running.catch((error: unknown) => failures.push(error)));
  return {
    async stop() {
      isOver = true;
      await Promise.all(lanes);
      expect(failures).toEqual([]);
    },
  };
}

/** All that was asked for is done once it is there again, by each of the worker's loops. */
async function everythingGoesOn(requests: readonly Request[]): Promise<void> {
  for (const request of requests) {
    await until(async () => {
      if (!request.isDone) await attempt(request);
      return request.isDone;
    });
  }
  const db = app.deps.db.manager;
  await until(async () => (await countOf(db, 'outbox WHERE available_at <= now()')) === 0);
  await until(async () => (await countOf(db, 'analytics_facts')) === 0);
  await until(
    async () =>
      (await countOf(db, `webhook_deliveries WHERE status IN ('pending', 'retrying')`)) === 0,
  );
}

async function countOf(db: Db, from: string): Promise<number> {
  const row = await queryOne<{ count: number }>(db, `SELECT count(*) AS count FROM ${from}`);
  return row?.count ?? 0;
}

function expectBothRun(): void {
  expect([services.api.isRunning(), services.api.output()]).toEqual([true, expect.any(String)]);
  expect([services.worker.isRunning(), services.worker.output()]).toEqual([
    true,
    expect.any(String),
  ]);
  // A bug would be told as one.
  expect(services.api.output()).not.toContain('a request failed unexpectedly');
}

const stops: Stop[] = ['smart', 'fast', 'immediate'];

/** It is stopped, and again twice while it starts. */
async function stopAndFlap(how: Stop): Promise<void> {
  await postgres.stop(how);
  await postgres.flap(how, 60);
  await postgres.flap(how, 200);
  await postgres.start();
}

async function freezeFor(ms: number): Promise<void> {
  postgres.freeze();
  await pause(ms);
  postgres.thaw();
}

const outages: [name: string, happens: () => Promise<void>][] = [
  ...stops.map((how): [string, () => Promise<void>] => [
    `a ${how} stop, twice more while it starts`,
    () => stopAndFlap(how),
  ]),
  ['the end of one session by a signal that it cannot catch', () => postgres.crash()],
  ['a freeze', () => freezeFor(4_000)],
];

/** The outages; by day the same requests meet all of them, one after the other. */
const stories: typeof outages = isNightly
  ? outages
  : [
      [
        outages.map(([name]) => name).join(', '),
        async () => {
          for (const [, happens] of outages) {
            await happens();
            await until(isReady);
          }
        },
      ],
    ];

it.each(stories)('no process ends and 503 is all that is told by %s', async (_name, happens) => {
  for (let round = 0; round < rounds; round += 1) {
    const requests = await prepare(preparedOfEach);
    const load = startLoad(requests);
    await until(() => requests.some(({ isDone }) => isDone));
    await happens();
    await until(isReady);
    await load.stop();
    expectBothRun();
    await everythingGoesOn(requests);
  }
});

it('processes start while Postgres is away, answer 503, and go on when it comes', async () => {
  const requests = await prepare(1);
  await stopBoth();
  await postgres.stop('fast');
  await startBoth();
  expect(await isReady()).toBe(false);
  for (const url of Object.values(adminUrls)) {
    const answer = await fetch(`${url}/ready`);
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { status: 'ready', dependencies: { database: 'down' } },
    ]);
  }
  for (const request of requests) await attempt(request);
  expect(requests.filter(({ isDone }) => isDone)).toEqual([]);

  await postgres.start();
  await until(isReady);
  await everythingGoesOn(requests);
  expectBothRun();
});
