import { countFrom } from '../../../entities/database/sql';
import { useApp } from '../../support/app';
import type { Caller } from '../../support/api-client';
import { buildApiKey, buildMember, signIn, testPassword } from '../../support/build/accounts';

const app = useApp({ TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT_AUTH: '4' });
let admin: Caller;
let workspaceId: string;

beforeEach(async () => {
  const member = await buildMember(app.deps.db.manager);
  ({ workspaceId } = member);
  admin = app.client.as((await signIn(app.deps, member)).accessToken);
});

describe('an address', () => {
  const guess = async (ip: string): Promise<number> => {
    const body = { email: 'nobody@example.test', password: 'wrong password' };
    const headers = { 'X-Forwarded-For': ip };
    return (await app.client.post('/api/v1/auth/merchant/login', body, { headers })).status;
  };

  it('of version 6 counts by its network', async () => {
    const statuses = [];
    for (let host = 1; host <= 5; host += 1) statuses.push(await guess(`2001:db8:0:7::${host}`));
    expect(statuses).toEqual([401, 401, 401, 401, 429]);
    expect(await guess('2001:db8:0:8::1')).toBe(401);
  });

  it('is the same with a port beside it', async () => {
    const ips = ['203.0.113.1:1', '203.0.113.1:2', '203.0.113.1', '203.0.113.1:65535'];
    for (const ip of ips) expect(await guess(ip)).toBe(401);
    expect(await guess('203.0.113.1:9')).toBe(429);
    expect(await guess('[2001:db8:0:9::1]:443')).toBe(401);
  });
});

describe('a wrong password with a bearer', () => {
  const path = '/api/v1/auth/merchant/change-password';
  const change = (currentPassword: string, headers = {}) =>
    admin.post(path, { currentPassword, newPassword: 'quite another password' }, { headers });

  it('counts per account, at both changes, and is audited; then the right one waits too', async () => {
    for (let count = 0; count < 5; count += 1) {
      const keyed = await change('wrong password', { 'Idempotency-Key': `guess ${count}` });
      expect(keyed.body['code']).toBe('PASSWORD_INVALID');
      const email = { email: 'new@example.test', password: 'wrong password' };
      const answer = await admin.post('/api/v1/auth/merchant/change-email', email);
      expect(answer.body['code']).toBe('PASSWORD_INVALID');
    }
    const late = await change(testPassword);
    expect([late.status, late.body['code']]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
    const audited = await countFrom(
      app.deps.db.manager,
      `audit_log WHERE workspace_id = $1 AND action = 'account.password_check_failed'`,
      [workspaceId],
    );
    expect(audited).toBe(10);
    app.deps.clock.advance(16 * 60_000);
    try {
      expect((await change(testPassword)).status).not.toBe(429);
    } finally {
      app.deps.clock.advance(-16 * 60_000);
    }
  });

  it('lets ten at once through and no more', async () => {
    const answers = await Promise.all(Array.from({ length: 15 }, () => change('wrong password')));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array<number>(10).fill(400), ...Array<number>(5).fill(429)]);
  });
});

describe('keys', () => {
  it('are at most twenty of a kind and mode, also when two come at once', async () => {
    const create = (mode: string, kind = 'secret') =>
      admin.post('/api/v1/workspace/api-keys', { kind, mode, name: 'more' });
    const answers = await Promise.all(Array.from({ length: 22 }, () => create('test')));
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused.map(({ body }) => body['code'])).toEqual(['API_KEY_LIMIT', 'API_KEY_LIMIT']);
    expect((await create('live')).status).toBe(201);
    expect((await create('test', 'public')).status).toBe(201);

    const live = answers.find(({ status }) => status === 201)?.body['id'] as string;
    await admin.post(`/api/v1/workspace/api-keys/${live}/revoke`);
    expect((await create('test')).status).toBe(201);
  });
});

describe('a body', () => {
  const raw = async (path: string, body: Buffer, token?: string): Promise<number> => {
    const response = await fetch(app.url + path, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        'Idempotency-Key': 'one',
      },
      body: new Uint8Array(body),
    });
    const { details } = (await response.json()) as { details?: { field: string }[] };
    expect(details?.map(({ field }) => field)).toEqual(['body']);
    return response.status;
  };

  it('that is no UTF-8 is refused and not mended', async () => {
    const text = Buffer.from('{"key":"x","ref":"caf\xe9"}', 'latin1');
    const key = await buildApiKey(app.deps.db.manager, { kind: 'public', mode: 'test' });
    const secret = await buildApiKey(app.deps.db.manager, { kind: 'secret', mode: 'test' });
    expect(await raw('/v1/clicks', text, key.key)).toBe(400);
    expect(await raw('/api/v1/conversions', text, secret.key)).toBe(400);
    expect(await raw('/api/v1/auth/merchant/login', text)).toBe(400);
  });

  it('of any depth costs no stack', async () => {
    const { key } = await buildApiKey(app.deps.db.manager, { kind: 'public', mode: 'test' });
    const deep = `${'['.repeat(120_000)}${']'.repeat(120_000)}`;
    const body = Buffer.from(`{"key":"${key}","ref":"x","z":${deep}}`);
    expect(await raw('/v1/clicks', body)).toBe(400);
  });
});
