import fc from 'fast-check';
import { routes } from '../../../api/routes';
import { fieldsOf } from '../../../api/http/contract/validators/field';
import { startTestApp, type TestApp } from '../../support/app';
import { codeOf, type ApiResponse } from '../../support/api-client';
import { buildMember, buildPartner, testPassword as password } from '../../support/build/accounts';

const dashboard = 'https://app.example.test';
const api = 'https://api.example.test';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({
    PUBLIC_BASE_URL: `${api}/base/`,
    DASHBOARD_URL: `${dashboard}/somewhere`,
    TRUSTED_PROXIES: '127.0.0.1,::1',
    CORS_ORIGINS: 'https://shop.example.test',
  });
});
afterAll(() => app.close());

const sides = ['merchant', 'partner'] as const;
type Side = (typeof sides)[number];
type Headers = Record<string, string>;

const asked = { 'X-Session': 'cookie' };
const overHttps = { ...asked, 'X-Forwarded-Proto': 'https' };

function post(side: Side, path: string, { body = {}, headers = asked as Headers } = {}) {
  return app.client.post(`/api/v1/auth/${side}/${path}`, body, { headers });
}

/** The cookie that an answer sets: its name and value, and its attributes in lower case. */
function cookieOf(answer: ApiResponse): { pair: string; attributes: string[] } {
  const [cookie = '', ...more] = answer.headers.getSetCookie();
  expect(more).toEqual([]);
  const [pair = '', ...attributes] = cookie.split('; ');
  return { pair, attributes: attributes.map((text) => text.toLowerCase()) };
}

async function signInBy(side: Side, headers: Headers = asked): Promise<string> {
  const build = side === 'merchant' ? buildMember : buildPartner;
  const { email } = await build(app.deps.db.manager);
  const answer = await post(side, 'login', { body: { email, password }, headers });
  expect(answer.status).toBe(200);
  return cookieOf(answer).pair;
}

describe.each(sides)('a session in a cookie, %s', (side) => {
  it('is opened by login with no token in the body, and closed to scripts and other sites', async () => {
    const { email } = await buildOf(side);
    const plain = await post(side, 'login', { body: { email, password } });
    expect(Object.keys(plain.body).sort()).toEqual([
      'accessToken',
      'account',
      'expiresIn',
      'tokenType',
    ]);
    const { pair, attributes } = cookieOf(plain);
    expect(pair).toMatch(new RegExp(`^aps_${side}=[\\w-]{108}$`));
    expect(attributes).toEqual([
      'path=/',
      expect.stringMatching(/^expires=/),
      'samesite=strict',
      'httponly',
    ]);

    const secure = await post(side, 'login', { body: { email, password }, headers: overHttps });
    const over = cookieOf(secure);
    expect(over.pair).toMatch(new RegExp(`^__Host-aps_${side}=[\\w-]{108}$`));
    expect(over.attributes.filter((text) => text !== 'secure')).toEqual([
      'path=/',
      expect.stringMatching(/^expires=/),
      'samesite=strict',
      'httponly',
    ]);
    expect(over.attributes).toContain('secure');
  });

  it('is opened by register too', async () => {
    const body = { email: `${side}-cookie@example.test`, password, name: 'A' };
    const more = side === 'merchant' ? { workspaceName: 'W' } : {};
    const answer = await post(side, 'register', { body: { ...body, ...more } });
    expect([answer.status, answer.body['refreshToken']]).toEqual([201, undefined]);
    expect(answer.text).not.toContain(cookieOf(answer).pair.split('=')[1]);
  });

  it('goes on by refresh, answers two tabs at once, and ends when it is used later', async () => {
    const first = await signInBy(side);
    const headers = { ...asked, Cookie: `other=1; ${first}` };
    const [one, two] = await Promise.all([
      post(side, 'refresh', { headers }),
      post(side, 'refresh', { headers }),
    ]);
    expect([one.status, two.status]).toEqual([200, 200]);
    expect(one.body).not.toHaveProperty('refreshToken');
    for (const answer of [one, two]) {
      const next = await post(side, 'refresh', {
        headers: { ...asked, Cookie: cookieOf(answer).pair },
      });
      expect(next.status).toBe(200);
    }
    const replayed = await post(side, 'refresh', { headers });
    expect(codeOf(replayed)).toEqual([401, 'REFRESH_TOKEN_REUSED']);
  });

  it('ends by logout, which takes the cookie away', async () => {
    const Cookie = await signInBy(side, overHttps);
    const out = await post(side, 'logout', { headers: { ...overHttps, Cookie } });
    expect([out.status, cookieOf(out).pair]).toEqual([204, `__Host-aps_${side}=`]);
    expect(cookieOf(out).attributes).toContain('expires=thu, 01 jan 1970 00:00:00 gmt');
    const after = await post(side, 'refresh', { headers: { ...overHttps, Cookie } });
    expect(codeOf(after)).toEqual([401, 'INVALID_REFRESH_TOKEN']);
  });

  it('is not there without its cookie, and logout does not mind', async () => {
    expect(codeOf(await post(side, 'refresh'))).toEqual([401, 'INVALID_REFRESH_TOKEN']);
    expect((await post(side, 'logout')).status).toBe(204);
  });

  it('wants the header: a cookie by itself is nothing', async () => {
    const headers = { Cookie: await signInBy(side) };
    const refresh = await post(side, 'refresh', { headers });
    expect(codeOf(refresh)).toEqual([400, 'VALIDATION_ERROR']);
    expect(codeOf(await post(side, 'logout', { headers }))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('takes the token from one place, the name that fits the scheme and the own side', async () => {
    const Cookie = await signInBy(side);
    const both = { headers: { ...asked, Cookie }, body: { refreshToken: 'x' } };
    expect(codeOf(await post(side, 'refresh', both))).toEqual([400, 'VALIDATION_ERROR']);
    const https = await post(side, 'refresh', { headers: { ...overHttps, Cookie } });
    expect(https.status).toBe(401);
    const other = side === 'merchant' ? 'partner' : 'merchant';
    const crossed = Cookie.replace(`aps_${side}`, `aps_${other}`);
    const foreign = await post(other, 'refresh', { headers: { ...asked, Cookie: crossed } });
    expect(codeOf(foreign)).toEqual([401, 'INVALID_REFRESH_TOKEN']);
    expect((await post(side, 'refresh', { headers: { ...asked, Cookie } })).status).toBe(200);
  });

  it('has one form of the header', async () => {
    const { email } = await buildOf(side);
    const headers = { 'X-Session': 'body' };
    const answer = await post(side, 'login', { body: { email, password }, headers });
    expect(answer.body).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field: 'X-Session' }],
    });
    expect(answer.headers.getSetCookie()).toEqual([]);
  });
});

function buildOf(side: Side): Promise<{ email: string }> {
  return side === 'merchant' ? buildMember(app.deps.db.manager) : buildPartner(app.deps.db.manager);
}

describe('origins of a session in a cookie (accounts.md, Sessions in cookies)', () => {
  it.each([api, dashboard])('%s is ours', async (Origin) => {
    const Cookie = await signInBy('merchant');
    const answer = await post('merchant', 'refresh', { headers: { ...asked, Cookie, Origin } });
    expect(answer.status).toBe(200);
    const next = { ...asked, Cookie: cookieOf(answer).pair, Origin };
    expect((await post('merchant', 'logout', { headers: next })).status).toBe(204);
  });

  const host = new URL(dashboard).host;
  const near = fc.constantFrom(
    'null',
    `${dashboard}/`,
    `${dashboard}/somewhere`,
    `${dashboard}:443`,
    `${dashboard}:8443`,
    `${dashboard}.evil.test`,
    `https://evil.test#${host}`,
    `https://${host}@evil.test`,
    `https://evil-${host}`,
    `https://sub.${host}`,
    `http://${host}`,
    `${dashboard}, https://evil.test`,
    `https://evil.test, ${dashboard}`,
    dashboard.toUpperCase(),
    'https://shop.example.test',
    host,
  );
  const any = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 40 });
  const foreign = fc
    .oneof(near, any, fc.webUrl())
    .map((text) => text.trim())
    .filter((text) => text !== '' && text !== api && text !== dashboard);

  it('refuses every other one, and leaves the session as it is', async () => {
    const Cookie = await signInBy('partner');
    await fc.assert(
      fc.asyncProperty(foreign, fc.constantFrom('refresh', 'logout'), async (Origin, path) => {
        const answer = await post('partner', path, { headers: { ...asked, Cookie, Origin } });
        expect(codeOf(answer)).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
        expect(answer.headers.getSetCookie()).toEqual([]);
      }),
      { numRuns: 150 },
    );
    const answer = await post('partner', 'refresh', { headers: { ...asked, Cookie } });
    expect(answer.status).toBe(200);
  });

  it('says nothing to pages of other origins, whose browsers may not send the header', async () => {
    const response = await fetch(`${app.client.url}/api/v1/auth/merchant/refresh`, {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://shop.example.test',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'x-session,content-type',
      },
    });
    expect(response.headers.get('access-control-allow-headers')?.toLowerCase()).not.toContain(
      'x-session',
    );
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
  });
});

describe('no other endpoint', () => {
  it('reads a cookie', async () => {
    const Cookie = [await signInBy('merchant'), await signInBy('partner')].join('; ');
    const guarded = routes.filter(({ spec }) => spec.auth.kind !== 'open');
    expect(guarded.length).toBeGreaterThan(100);
    for (const { method, path } of guarded) {
      const url = path.replace(/:\w+/g, '01890a5d-ac96-774b-bcce-b302099a8057');
      const response = await fetch(app.client.url + url, {
        method: method.toUpperCase(),
        headers: { ...asked, Cookie, 'Content-Type': 'application/json' },
        ...(method === 'get' || method === 'delete' ? {} : { body: '{}' }),
      });
      expect([method, path, response.status]).toEqual([method, path, 401]);
      expect(response.headers.getSetCookie()).toEqual([]);
      await response.body?.cancel();
    }
  });

  it('sets one, and no address of an answer holds a token', async () => {
    const { email } = await buildOf('merchant');
    const body = { email, password };
    const answer = await app.client.post<{ accessToken: string; refreshToken: string }>(
      '/api/v1/auth/merchant/login',
      body,
    );
    expect(answer.headers.getSetCookie()).toEqual([]);
    const headers = [...answer.headers].map(([, value]) => value).join('\n');
    expect(headers).not.toContain(answer.body.refreshToken);
    expect(headers).not.toContain(answer.body.accessToken);
    const named = routes.flatMap(({ spec }) =>
      spec.query ? [...fieldsOf(spec.query).keys()] : [],
    );
    expect(named).toContain('limit');
    expect(named.filter((name) => /refresh|access|session/i.test(name))).toEqual([]);
  });
});
