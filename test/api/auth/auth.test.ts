import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from 'jose';
import { newId } from '../../../entities/ids';
import { query } from '../../../entities/database/sql';
import { useApp } from '../../support/app';
import type { ApiResponse } from '../../support/api-client';
import { buildMember, buildPartner, signIn, testPassword } from '../../support/build/accounts';

const app = useApp({ TRUSTED_PROXIES: '127.0.0.1,::1' });

interface Session {
  accessToken: string;
  refreshToken: string;
  tokenType: string;
  expiresIn: number;
  account: Record<string, unknown>;
  apiKeys?: { kind: string; mode: string; key: string }[];
}

const password = 'a long password';
let counter = 0;
const newEmail = (): string => `someone-${(counter += 1)}@example.test`;
const from = (ip: string) => ({ headers: { 'X-Forwarded-For': ip } });

function login(side: string, body: object, ip = '198.51.100.1'): Promise<ApiResponse<Session>> {
  return app.client.post<Session>(`/api/v1/auth/${side}/login`, body, from(ip));
}

describe('registration', () => {
  it('gives a merchant a workspace, tokens and four keys that work', async () => {
    const email = newEmail();
    const answer = await app.client.post<Session>('/api/v1/auth/merchant/register', {
      email: `  ${email.toUpperCase()} `,
      password,
      name: ' Mia ',
      workspaceName: 'Acme',
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe('/api/v1/auth/merchant/account');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body).toMatchObject({
      tokenType: 'Bearer',
      expiresIn: 900,
      account: {
        email,
        name: 'Mia',
        emailVerified: false,
        workspaceName: 'Acme',
        role: 'owner',
      },
    });
    const kinds = answer.body.apiKeys?.map(({ kind, mode, key }) => [kind, mode, key.slice(0, 8)]);
    expect(kinds?.sort()).toEqual([
      ['public', 'live', 'pk_live_'],
      ['public', 'test', 'pk_test_'],
      ['secret', 'live', 'sk_live_'],
      ['secret', 'test', 'sk_test_'],
    ]);
    for (const { key } of answer.body.apiKeys ?? []) expect(key).toMatch(/_[0-9A-Za-z]{32}$/);

    const account = await app.client
      .as(answer.body.accessToken)
      .get('/api/v1/auth/merchant/account');
    expect(account.body).toEqual(answer.body.account);
  });

  it('keeps the two sides apart: one address may have an account on each', async () => {
    const email = newEmail();
    const body = { email, password, name: 'Pat' };
    const partner = await app.client.post('/api/v1/auth/partner/register', body);
    const merchant = await app.client.post('/api/v1/auth/merchant/register', {
      ...body,
      workspaceName: 'Acme',
    });
    expect([partner.status, merchant.status]).toEqual([201, 201]);
    const again = await app.client.post('/api/v1/auth/partner/register', body);
    expect([again.status, again.body['code']]).toEqual([409, 'EMAIL_TAKEN']);
  });

  it('knows one address by each of its spellings', async () => {
    const local = `andr\u00e9.${newEmail().split('@', 1).join('')}`;
    const register = (email: string) =>
      app.client.post<Session>('/api/v1/auth/partner/register', { email, password, name: 'Pat' });
    const first = await register(`${local}@M\u00dcNCHEN.example`);
    expect([first.status, first.body.account['email']]).toEqual([
      201,
      `${local}@xn--mnchen-3ya.example`,
    ]);
    const spellings = [
      `${local.normalize('NFD')}@xn--mnchen-3ya.example`,
      `\u200b${local.toUpperCase()}@mu\u0308nchen.example `,
    ];
    for (const email of spellings) {
      expect([email, (await register(email)).status]).toEqual([email, 409]);
      expect((await login('partner', { email, password })).status).toBe(200);
    }
    expect((await register(`${local}..x.@docomo.example`)).status).toBe(201);
    expect((await register(`"${local} x"@quoted.example`)).status).toBe(201);
  });

  it.each(['\u200b\u200d', 'Pat\u202egnp', '\u3164', 'Pat\u0007', 'P\u200bat'])(
    'takes no name that nobody sees, or that turns what stands beside it: %j',
    async (name) => {
      const email = newEmail();
      const fields = { email, password, name: 'Mia', workspaceName: 'Acme' };
      for (const field of ['name', 'workspaceName']) {
        const path = '/api/v1/auth/merchant/register';
        const refused = await app.client.post(path, { ...fields, [field]: name });
        expect([refused.status, refused.body['details']]).toEqual([
          400,
          [expect.objectContaining({ field })],
        ]);
      }
    },
  );

  it('lets exactly one of eight parallel registrations win and leaves no half workspace', async () => {
    const email = newEmail();
    const body = { email, password, name: 'Mia', workspaceName: `Race ${email}` };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => app.client.post('/api/v1/auth/merchant/register', body)),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
    const workspaces = await query(
      app.deps.db.manager,
      'SELECT 1 FROM workspaces WHERE name = $1',
      [body.workspaceName],
    );
    expect(workspaces).toHaveLength(1);
  });

  it.each([
    ['a short password', { password: 'short' }, 'password'],
    ['a long password', { password: 'x'.repeat(129) }, 'password'],
    ['no e-mail address', { email: 'nobody' }, 'email'],
    ['an address that is too long', { email: `${'x'.repeat(320)}@example.com` }, 'email'],
    ['a blank name', { name: '   ' }, 'name'],
    ['a name with NUL', { name: 'a\0b' }, 'name'],
    ['an unknown field', { admin: true }, 'admin'],
    ['a password that is a number', { password: 1234567890 }, 'password'],
  ])('refuses %s', async (_name, change, field) => {
    const body = { email: newEmail(), password, name: 'Pat', ...change };
    const answer = await app.client.post<{ code: string; details: { field: string }[] }>(
      '/api/v1/auth/partner/register',
      body,
    );
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.details.map((detail) => detail.field)).toContain(field);
  });

  it('stores neither password nor tokens in plain', async () => {
    const secret = `unmistakable ${newEmail()}`;
    const answer = await app.client.post<Session>('/api/v1/auth/partner/register', {
      email: newEmail(),
      password: secret,
      name: 'Pat',
    });
    const rows = await query(
      app.deps.db.manager,
      `SELECT (SELECT json_agg(p) FROM partner_accounts p)::text ||
              (SELECT json_agg(r) FROM refresh_tokens r)::text ||
              (SELECT json_agg(m) FROM mails m)::text AS everything`,
    );
    const text = JSON.stringify(rows);
    expect(text).not.toContain(secret);
    expect(text).not.toContain(answer.body.refreshToken);
    expect(text).toContain('$argon2id$');
  });
});

describe('login (accounts.md, Signing in)', () => {
  it('signs in with a token that the published key verifies', async () => {
    const member = await buildMember(app.deps.db.manager);
    const answer = await login('merchant', { email: member.email, password: testPassword });
    expect(answer.status).toBe(200);
    const jwks = await app.client.get('/.well-known/jwks.json');
    const keys = createLocalJWKSet(jwks.body as unknown as JSONWebKeySet);
    const { payload } = await jwtVerify(answer.body.accessToken, keys);
    expect(payload).toMatchObject({
      sub: member.id,
      typ: 'merchant',
      workspaceId: member.workspaceId,
      role: 'owner',
      iss: expect.any(String),
      aud: expect.any(String),
    });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(900);
    expect(decodeProtectedHeader(answer.body.accessToken)).toMatchObject({ alg: 'EdDSA' });
    expect(JSON.stringify(jwks.body)).not.toContain('"d"');
  });

  it.each([{ accountId: 'nobody' }, { sessionId: 'nothing' }])(
    'refuses a token of our own key that says nonsense: %o',
    async (claims) => {
      const { accessTokens, clock } = app.deps;
      const session = { side: 'merchant', accountId: newId(), sessionId: newId() } as const;
      const token = await accessTokens.sign({ ...session, ...claims }, clock.now());
      const answer = await app.client.as(token).get('/api/v1/auth/merchant/account');
      expect([answer.status, answer.body['code']]).toEqual([401, 'UNAUTHORIZED']);
    },
  );

  it('answers an unknown address and a wrong password alike', async () => {
    const partner = await buildPartner(app.deps.db.manager);
    const unknown = await login('partner', { email: newEmail(), password });
    const wrong = await login('partner', { email: partner.email, password });
    const otherSide = await login('merchant', { email: partner.email, password: testPassword });
    for (const answer of [unknown, wrong, otherSide]) {
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual(unknown.body);
      expect(answer.body).toMatchObject({ code: 'INVALID_CREDENTIALS' });
    }
  });

  it('stops strangers after ten wrong passwords, for the right one too, but no known address', async () => {
    const { email } = await buildPartner(app.deps.db.manager);
    const home = '203.0.113.7';
    expect((await login('partner', { email, password: testPassword }, home)).status).toBe(200);
    for (let guess = 0; guess < 10; guess += 1) {
      const answer = await login('partner', { email, password }, `198.51.100.${guess}`);
      expect(answer.status).toBe(401);
    }
    const stranger = await login('partner', { email, password: testPassword }, '198.51.100.99');
    expect([stranger.status, stranger.body]).toEqual([
      429,
      expect.objectContaining({ code: 'RATE_LIMIT_EXCEEDED' }),
    ]);
    expect(Number(stranger.headers.get('retry-after'))).toBeGreaterThan(800);
    expect((await login('partner', { email, password: testPassword }, home)).status).toBe(200);

    for (let guess = 0; guess < 10; guess += 1) {
      expect((await login('partner', { email, password }, home)).status).toBe(401);
    }
    expect((await login('partner', { email, password: testPassword }, home)).status).toBe(429);
  });

  it('counts wrong passwords of addresses without an account in the same way', async () => {
    const email = newEmail();
    for (let guess = 0; guess < 10; guess += 1) await login('partner', { email, password });
    expect((await login('partner', { email, password })).status).toBe(429);
  });

  it('lets a burst of parallel guesses get no further than ten in a row', async () => {
    const { email } = await buildPartner(app.deps.db.manager);
    // No more than one address may have waiting for a hash: beyond that the answer is 503.
    const answers = await Promise.all(
      Array.from({ length: 24 }, () => login('partner', { email, password })),
    );
    const refused = answers.filter(({ status }) => status === 401);
    expect(refused).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(14);
  });

  it('does not mind many right passwords at once', async () => {
    const { email } = await buildPartner(app.deps.db.manager);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => login('partner', { email, password: testPassword })),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
  });
});

describe('bearer tokens', () => {
  it('are refused when missing, garbled, of another key or expired, and 403 on the other side', async () => {
    const path = '/api/v1/auth/merchant/account';
    const member = await buildMember(app.deps.db.manager);
    const partner = await buildPartner(app.deps.db.manager);
    const { accessToken } = await signIn(app.deps, member);
    const missing = await app.client.get(path);
    expect([missing.status, missing.body['code']]).toEqual([401, 'UNAUTHORIZED']);
    expect(missing.headers.get('www-authenticate')).toContain('Bearer');
    const [header, payload] = accessToken.split('.');
    const bad = [
      'x',
      `${header}.${payload}.AAAA`,
      `${header}.${payload}.`,
      `sk_test_${'x'.repeat(32)}`,
    ];
    for (const token of bad) expect((await app.client.as(token).get(path)).status).toBe(401);

    const other = await signIn(app.deps, partner);
    const wrongSide = await app.client.as(other.accessToken).get(path);
    expect([wrongSide.status, wrongSide.body['code']]).toEqual([403, 'FORBIDDEN']);
    const wrongToo = await app.client.as(accessToken).get('/api/v1/partner/account');
    expect(wrongToo.status).toBe(403);

    app.deps.clock.advance(901_000);
    expect((await app.client.as(accessToken).get(path)).status).toBe(401);
    app.deps.clock.set(undefined);
  });
});
