import { startTestApp, type TestApp } from '../../support/app';

const forwarded = { headers: { 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': '203.0.113.9' } };

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

it('behind a trusted proxy each client has its own limit, by the last address', async () => {
  const app = await startTestApp({ RATE_LIMIT_AUTH: '10', TRUSTED_PROXIES: '127.0.0.1,::1' });
  const statuses = await signIns(app, 11);
  await app.close();
  expect(statuses).toEqual(Array(11).fill(401));
});
