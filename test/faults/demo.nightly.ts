import {
  newStackDir,
  removeStackDir,
  startLocalStack,
  type LocalStack,
} from '../support/stack/local-stack';

jest.setTimeout(120_000);

const dir = newStackDir();
let stack: LocalStack;

afterAll(async () => {
  await stack.stop();
  removeStackDir(dir);
});

describe('npm start with narrow limits, behind a proxy that speaks TLS', () => {
  it('makes the demo all the same, and leaves the limits whole', async () => {
    stack = await startLocalStack(dir, {
      REQUIRE_HTTPS: 'true',
      TRUSTED_PROXIES: '127.0.0.1',
      RATE_LIMIT_AUTH: '2',
      RATE_LIMIT_GENERAL: '1',
    });
    const { apiUrl, demo } = stack.info();
    const login = await fetch(`${apiUrl}/api/v1/auth/merchant/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-Proto': 'https' },
      body: JSON.stringify(demo?.merchant),
    });
    expect(login.status).toBe(200);
    expect(login.headers.get('ratelimit-remaining')).toBe('1');
    const plain = await fetch(`${apiUrl}/api/v1/programs`);
    expect([plain.status, ((await plain.json()) as { code: string }).code]).toEqual([
      403,
      'HTTPS_REQUIRED',
    ]);
  });
});
