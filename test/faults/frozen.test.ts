import { newId } from '../../entities/ids';
import { routes } from '../../api/routes';
import { connectAsOwner, createTestDatabase, type TestDatabase } from '../support/database';
import { startTestApp, type TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import {
  changingRequests,
  send,
  type Prepared,
  type Setup,
} from '../support/faults/changing-requests';
import { openEffects, type Effect, type Effects } from '../support/faults/effects';
import { startTcpProxy, type TcpProxy } from '../support/faults/tcp-proxy';

/** One of each kind: with a key of a page, a server and a person, alone and in shared commits. */
const ofEachKind = [
  'recordClick',
  'reportConversion',
  'signUpCustomer',
  'refundConversion',
  'approveCommission',
  'bulkRejectCommissions',
  'adjustBalance',
  'createPayout',
  'completePayout',
  'createWebhook',
];
const answeredWithinMs = 30_000;

interface Sent extends Prepared {
  name: string;
  key: string;
}

async function prepare(app: TestApp, names: readonly string[]): Promise<Sent[]> {
  const sent: Sent[] = [];
  for (const name of names) {
    const setup = changingRequests[name] as Setup;
    sent.push({ ...(await setup(app)), name, key: newId() });
  }
  return sent;
}

async function sendTimed(app: TestApp, { name, key, ...prepared }: Sent) {
  const route = routes.find((known) => known.name === name);
  if (!route) throw new Error(`no route is called ${name}`);
  const began = Date.now();
  const answer = await send(app, route, prepared, key);
  return { name, answer, ms: Date.now() - began };
}

type Answered = Awaited<ReturnType<typeof sendTimed>>;

function expectOutage({ name, answer, ms }: Answered): void {
  expect([name, answer.status, answer.body['code']]).toEqual([name, 503, 'SERVICE_UNAVAILABLE']);
  expect([name, answer.headers.get('retry-after')]).toEqual([name, expect.stringMatching(/^\d+$/)]);
  expect([name, ms < answeredWithinMs]).toEqual([name, true]);
}

/** Undefined while the outage lasts; any other refusal is a failure. */
async function isDone(app: TestApp, request: Sent): Promise<true | undefined> {
  const { name, answer } = await sendTimed(app, request);
  if (answer.status === 503) return undefined;
  expect([name, answer.status < 300, answer.text]).toEqual([name, true, answer.text]);
  return true;
}

const proxyTo = (host: string): Promise<TcpProxy> => {
  const { hostname, port } = new URL(`tcp://${host}`);
  return startTcpProxy({ host: hostname, port: Number(port) });
};

/** Looks into a database past whatever stands before it. */
async function openLook(databaseUrl: string): Promise<{ effects: Effects; end(): Promise<void> }> {
  const client = await connectAsOwner(databaseUrl);
  const effects = await openEffects(
    async <T>(text: string, values?: unknown[]) => (await client.query(text, values)).rows as T[],
  );
  return { effects, end: () => client.end() };
}

/** What the requests do where nothing is in their way. */
async function effectOfEachOnce(): Promise<Effect> {
  const app = await startTestApp();
  const { effects, end } = await openLook(app.deps.config.databaseUrl);
  const requests = await prepare(app, ofEachKind);
  const before = await effects.mark();
  for (const request of requests) expect(await isDone(app, request)).toBe(true);
  const effect = await effects.since(before);
  await end();
  await app.close();
  return effect;
}

describe('a Postgres that neither answers nor ends its connections (running.md, Outages)', () => {
  let proxy: TcpProxy;
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await createTestDatabase();
    const url = new URL(database.url);
    proxy = await proxyTo(url.host);
    url.host = `127.0.0.1:${proxy.port}`;
    app = await startTestApp({ DATABASE_URL: url.toString() });
  });
  afterAll(async () => {
    await app.close();
    await proxy.close();
    await database.drop();
  });

  it('is told to each kind of request as 503 in time, and a repeat has each effect once', async () => {
    const { effects, end } = await openLook(database.url);
    const requests = await prepare(app, ofEachKind);
    const before = await effects.mark();
    proxy.freeze();
    const outages = await Promise.all(requests.map((request) => sendTimed(app, request)));
    outages.forEach(expectOutage);
    proxy.thaw();

    for (const request of requests) await eventually(() => isDone(app, request));
    expect(await effects.since(before)).toEqual(await effectOfEachOnce());
    await end();
  }, 120_000);
});

describe('a Temporal that neither answers nor ends its connections', () => {
  let proxy: TcpProxy;
  let app: TestApp;

  beforeAll(async () => {
    proxy = await proxyTo(process.env['TEST_TEMPORAL_ADDRESS'] ?? '');
    app = await startTestApp({ TEMPORAL_ADDRESS: `127.0.0.1:${proxy.port}` });
  });
  afterAll(async () => {
    proxy.thaw();
    await app.close();
    await proxy.close();
  });

  it('holds up nothing but what it has to do itself, which leaves nothing behind', async () => {
    const needed = await prepare(app, ['resetTestData', 'eraseParticipant']);
    const others = await prepare(app, ofEachKind);
    proxy.freeze();
    const [outages, answered] = await Promise.all([
      Promise.all(needed.map((request) => sendTimed(app, request))),
      Promise.all(others.map((request) => sendTimed(app, request))),
    ]);
    for (const { name, answer } of answered) {
      expect([name, answer.status < 300, answer.text]).toEqual([name, true, answer.text]);
    }
    outages.forEach(expectOutage);
    const begun = await app.deps.db.query(
      `SELECT (SELECT count(*) FROM test_data_resets)::int AS resets,
              (SELECT count(*) FROM erasures WHERE status <> 'cancelled')::int AS erasures`,
    );
    expect(begun).toEqual([{ resets: 0, erasures: 0 }]);

    proxy.thaw();
    await eventually(() => isDone(app, needed[0] as Sent));
  }, 120_000);
});
