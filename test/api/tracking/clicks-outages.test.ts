import { query } from '../../../entities/database/sql';
import { startTestApp, type TestApp } from '../../support/app';
import { visitorUserAgent } from '../../support/browser';
import { buildApiKey, type BuiltApiKey } from '../../support/build/accounts';
import { buildParticipant } from '../../support/build/programs';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { startTcpProxy, type TcpProxy } from '../../support/faults/tcp-proxy';
import { within } from '../../support/eventually';

interface Answer {
  click_id: string;
  visitor_token: string;
  code?: string;
}

async function setUp(app: TestApp): Promise<BuiltApiKey> {
  const key = await buildApiKey(app.deps.db.manager, { kind: 'public', mode: 'test' });
  await buildParticipant(app.deps.db.manager, {
    workspaceId: key.workspaceId,
    mode: 'test',
    referralCode: 'acme',
  });
  return key;
}

const sender =
  (app: TestApp, key: BuiltApiKey) =>
  (fields: Record<string, unknown> = {}) =>
    app.client.post<Answer>(
      '/v1/clicks',
      { key: key.key, ref: 'acme', ...fields },
      { headers: { 'User-Agent': visitorUserAgent } },
    );

const storedIds = async (app: TestApp) =>
  (await query<{ id: string }>(app.deps.db.manager, 'SELECT id FROM clicks')).map(({ id }) => id);

const proxyTo = (variable: string): Promise<TcpProxy> => {
  const { hostname, port } = new URL(process.env[variable] ?? '');
  return startTcpProxy({ host: hostname, port: Number(port) });
};

describe('clicks while Redis is away', () => {
  let proxy: TcpProxy;
  let app: TestApp;
  let click: ReturnType<typeof sender>;

  beforeAll(async () => {
    proxy = await proxyTo('TEST_REDIS_URL');
    app = await startTestApp({
      REDIS_URL: `redis://127.0.0.1:${proxy.port}`,
      REDIS_TIMEOUT_MS: '50',
      RATE_LIMIT_TRACKING: '20',
    });
  });
  afterAll(async () => {
    await app.close();
    await proxy.close();
  });
  beforeEach(async () => {
    click = sender(app, await setUp(app));
    await click();
  });
  afterEach(() => {
    proxy.thaw();
    proxy.restore();
  });

  it.each([
    ['cut off', () => proxy.cut()],
    ['frozen', () => proxy.freeze()],
  ])('are recorded and known again by the same process: %s', async (_name, away) => {
    away();
    const first = await within(2_000, click());
    const again = await within(2_000, click({ visitor_token: first.body.visitor_token }));

    expect(first.status).toBe(201);
    expect(again.status).toBe(200);
    expect(again.body.click_id).toBe(first.body.click_id);
    expect(await storedIds(app)).toContain(first.body.click_id);
  });

  it('are still limited', async () => {
    proxy.cut();
    click = sender(app, await setUp(app));
    const answers = await Promise.all(Array.from({ length: 25 }, () => click()));
    const statuses = answers.map(({ status }) => status);

    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
    expect(statuses.filter((status) => status === 201)).toHaveLength(20);
    expect(answers.find(({ status }) => status === 429)?.headers.get('retry-after')).toMatch(
      /^\d+$/,
    );
  });
});

describe('clicks while Postgres is away', () => {
  let proxy: TcpProxy;
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    proxy = await proxyTo('TEST_DATABASE_URL');
    database = await createTestDatabase();
    const through = new URL(database.url);
    through.host = `127.0.0.1:${proxy.port}`;
    app = await startTestApp({ DATABASE_URL: through.toString() });
  });
  afterAll(async () => {
    await app.close();
    await proxy.close();
    await database.drop();
  });

  it('are refused with Retry-After, and go on when it is back', async () => {
    const click = sender(app, await setUp(app));
    const before = await click();
    proxy.cut();
    const during = await Promise.all([click(), click()]);
    proxy.restore();
    const after = await click({ visitor_token: before.body.visitor_token });

    expect(before.status).toBe(201);
    for (const { status, body, headers } of during) {
      expect([status, body.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
    }
    expect([after.status, after.body.click_id]).toEqual([200, before.body.click_id]);
    expect(await storedIds(app)).toEqual([before.body.click_id]);
  });
});
