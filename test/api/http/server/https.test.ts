import { startTestApp, type TestApp } from '../../../support/app';

const forwarded = {
  headers: {
    'X-Forwarded-Proto': 'https',
    'X-Forwarded-For': '203.0.113.9',
    'X-Forwarded-Host': 'api.example',
  },
};

/** Sign-ins, each from an address that its sender makes up. */
async function signIns(app: TestApp, count: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const { status } = await app.client.post(
      '/api/v1/auth/merchant/login',
      { email: `nobody-${n}@example.test`, password: 'a long password' },
      { headers: { 'X-Forwarded-For': `203.0.113.${n}` } },
    );
    statuses.push(status);
  }
  return statuses;
}

describe('without a trusted proxy', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ REQUIRE_HTTPS: 'true', RATE_LIMIT_AUTH: '10' });
  });
  afterAll(() => app.close());

  it.each([
    ['POST', '/v1/clicks', {}],
    ['POST', '/api/v1/conversions', {}],
    ['POST', '/api/v1/auth/merchant/login', {}],
  ])('%s %s is refused over plain HTTP, whatever the headers say', async (_method, path, body) => {
    for (const options of [{}, forwarded]) {
      const answer = await app.client.post(path, body, options);
      expect([answer.status, answer.body['code']]).toEqual([403, 'HTTPS_REQUIRED']);
    }
  });

  it.each(['/app', '/portal/links', '/verify-email?token=t'])(
    'the page %s is refused over plain HTTP',
    async (path) => {
      const answer = await fetch(app.url + path, forwarded);
      expect(answer.status).toBe(403);
      expect(await answer.json()).toMatchObject({ code: 'HTTPS_REQUIRED' });
    },
  );

  it('health answers over plain HTTP', async () => {
    expect((await app.client.get('/api/v1/health')).status).toBe(200);
  });
});

it('a made-up address gives nobody further attempts to sign in', async () => {
  const app = await startTestApp({ RATE_LIMIT_AUTH: '10' });
  const statuses = await signIns(app, 11);
  await app.close();
  expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401));
  expect(statuses[10]).toBe(429);
});

it('over two trusted hops it is the last address that neither of them has', async () => {
  const app = await startTestApp({
    RATE_LIMIT_AUTH: '10',
    TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8',
    REQUIRE_HTTPS: 'true',
  });
  const signIn = async (n: number, forwarded: string, proto = 'https') => {
    const { status } = await app.client.post(
      '/api/v1/auth/merchant/login',
      { email: `nobody-${n}@example.test`, password: 'a long password' },
      { headers: { 'X-Forwarded-For': forwarded, 'X-Forwarded-Proto': proto } },
    );
    return status;
  };
  const statuses: number[] = [];
  // What stands before the client's own address is the client's word.
  for (let n = 0; n < 11; n += 1)
    statuses.push(await signIn(n, `192.0.2.${n}, 203.0.113.9, 10.0.0.7`));
  expect(statuses).toEqual([...Array(10).fill(401), 429]);
  expect(await signIn(11, '203.0.113.10, 10.0.0.7')).toBe(401);
  // The hop next to us says what it heard; a client's own word before it counts for nothing.
  expect(await signIn(12, '203.0.113.11, 10.0.0.7', 'https, http')).toBe(403);
  await app.close();
});

it('behind a trusted proxy each client has its own limit, by the last address', async () => {
  const app = await startTestApp({ RATE_LIMIT_AUTH: '10', TRUSTED_PROXIES: '127.0.0.1,::1' });
  const statuses = await signIns(app, 11);
  await app.close();
  expect(statuses).toEqual(Array(11).fill(401));
});
