import { newId } from '../../../entities/ids';
import type { Role } from '../../../entities/rules/values/roles';
import { useApp } from '../../support/app';
import type { Caller } from '../../support/api-client';
import {
  buildApiKey,
  buildMember,
  buildPartner,
  signIn,
  testPassword,
  type BuiltMember,
} from '../../support/build/accounts';
import { deliverQueued, mailTo, tokenIn } from '../../support/stored/mails';

const app = useApp();
afterEach(() => app.deps.clock.set(undefined));

interface Member extends BuiltMember {
  caller: Caller;
}

async function member(role: Role = 'owner', workspaceId?: string): Promise<Member> {
  const built = await buildMember(app.deps.db.manager, {
    role,
    ...(workspaceId === undefined ? {} : { workspaceId }),
  });
  return { ...built, caller: app.client.as((await signIn(app.deps, built)).accessToken) };
}

interface Row {
  id: string;
  [field: string]: unknown;
}
interface Page {
  data: Row[];
  total: number;
  page: number;
  limit: number;
}

describe('the workspace', () => {
  it('is read by everyone and changed by admins', async () => {
    const viewer = await member('viewer');
    const admin = await member('admin', viewer.workspaceId);
    const read = await viewer.caller.get('/api/v1/workspace');
    expect(read.body).toMatchObject({ id: viewer.workspaceId, testEmailRedirect: null });
    const refused = await viewer.caller.patch('/api/v1/workspace', { nonsense: 1 });
    expect([refused.status, refused.body['code']]).toEqual([403, 'FORBIDDEN']);

    const changed = await admin.caller.patch('/api/v1/workspace', {
      name: ' New name ',
      testEmailRedirect: viewer.email.toUpperCase(),
    });
    expect(changed.body).toMatchObject({ name: 'New name', testEmailRedirect: viewer.email });
    const back = await admin.caller.patch('/api/v1/workspace', { testEmailRedirect: null });
    expect(back.body).toMatchObject({ name: 'New name', testEmailRedirect: null });
    for (const bad of [{ name: null }, { name: '' }, { testEmailRedirect: 'x' }, { id: 'x' }]) {
      expect((await admin.caller.patch('/api/v1/workspace', bad)).status).toBe(400);
    }
  });

  it('redirects test mails to a member with a confirmed address only, and not after they left', async () => {
    const owner = await member();
    const { workspaceId } = owner;
    const path = '/api/v1/workspace';
    const stranger = await member();
    const db = app.deps.db.manager;
    const unconfirmed = await buildMember(db, { workspaceId, role: 'viewer', verifiedAt: null });
    for (const email of [stranger.email, unconfirmed.email, 'nobody@example.test']) {
      const refused = await owner.caller.patch(path, { name: 'X', testEmailRedirect: email });
      expect([refused.status, refused.body['details']]).toEqual([
        400,
        [expect.objectContaining({ field: 'testEmailRedirect' })],
      ]);
    }
    const colleague = await member('viewer', workspaceId);
    const set = { testEmailRedirect: colleague.email };
    expect((await owner.caller.patch(path, set)).body).toMatchObject(set);
    await owner.caller.delete(`/api/v1/workspace/members/${colleague.id}`);
    const left = await owner.caller.get(path);
    expect(left.body).toMatchObject({
      name: expect.not.stringMatching('X'),
      testEmailRedirect: null,
    });
    expect((await owner.caller.patch(path, set)).status).toBe(400);
  });

  it('refuses a senseless X-Mode', async () => {
    const viewer = await member('viewer');
    const headers = { 'X-Mode': 'prod' };
    const answer = await viewer.caller.get<{ details: { field: string }[] }>('/api/v1/workspace', {
      headers,
    });
    expect([answer.status, answer.body.details[0]?.field]).toEqual([400, 'X-Mode']);
  });
});

describe('API keys', () => {
  const path = '/api/v1/workspace/api-keys';

  it('shows a secret key once and a public key always, of both modes', async () => {
    const { caller } = await member('admin');
    const secret = await caller.post<Row>(path, { kind: 'secret', mode: 'test', name: 'Shop' });
    expect(secret.status).toBe(201);
    expect(secret.headers.get('location')).toBe(`${path}/${secret.body.id}`);
    expect(secret.headers.get('cache-control')).toBe('no-store');
    expect(secret.body['key']).toMatch(/^sk_test_[0-9A-Za-z]{32}$/);
    const { key: _shown, ...kept } = secret.body;
    const read = await caller.get<Row>(`${path}/${secret.body.id}`);
    expect([read.status, read.body]).toEqual([200, expect.objectContaining(kept)]);
    expect((await caller.get(`${path}/${newId()}`)).status).toBe(404);
    const open = await caller.post<Row>(path, { kind: 'public', mode: 'live' });

    const list = await caller.get<Page>(path);
    expect(list.body).toMatchObject({ total: 2, page: 1, limit: 20 });
    const [first, second] = list.body.data;
    expect(first).toEqual(open.body);
    const { key, ...shown } = secret.body;
    expect(second).toEqual(shown);
    expect(String(key).startsWith(String(shown['prefix']))).toBe(true);
    expect(String(key).endsWith(String(shown['last4']))).toBe(true);
    expect(String(shown['prefix']).length).toBeLessThanOrEqual(16);

    const listed = async (query: string) =>
      (await caller.get<Page>(`${path}?${query}`)).body.data.map(({ id }) => id);
    expect(await listed('mode=test')).toEqual([secret.body.id]);
    expect(await listed('mode=live')).toEqual([open.body.id]);
    await caller.post(`${path}/${open.body.id}/revoke`);
    expect(await listed('revoked=false')).toEqual([secret.body.id]);
    expect(await listed('mode=test&revoked=true')).toEqual([]);
    expect((await caller.get(`${path}?mode=prod`)).status).toBe(400);

    for (const bad of [{}, { kind: 'x', mode: 'test' }, { kind: 'secret', mode: 'test', a: 1 }]) {
      expect((await caller.post(path, bad)).status).toBe(400);
    }
  });

  it('say who made them, and outlive who leaves, whose removal names them', async () => {
    const owner = await member();
    const leaving = await member('admin', owner.workspaceId);
    const body = { kind: 'management', mode: 'live', role: 'viewer', name: 'Shop' };
    const made = await leaving.caller.post<Row>(path, body);
    const createdBy = { id: leaving.id, email: leaving.email };
    expect(made.body).toMatchObject({ createdBy });
    await owner.caller.delete(`/api/v1/workspace/members/${leaving.id}`);
    const [key] = (await owner.caller.get<Page>(path)).body.data;
    expect(key).toMatchObject({ id: made.body.id, createdBy: { ...createdBy, email: null } });
    const programs = await app.client.as(String(made.body['key'])).get('/api/v1/programs');
    expect(programs.status).toBe(200);
    await deliverQueued(app.deps);
    const { text } = await mailTo(owner.email, 'A member was removed');
    expect(text).toContain(`${String(made.body['prefix'])}...${String(made.body['last4'])} (Shop)`);
  });

  it('replays a creation, secret included, under its Idempotency-Key', async () => {
    const { caller } = await member('admin');
    const headers = { 'Idempotency-Key': 'once' };
    const body = { kind: 'secret', mode: 'live' };
    const first = await caller.post<Row>(path, body, { headers });
    const again = await caller.post<Row>(path, body, { headers });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const other = await caller.post(path, { ...body, mode: 'test' }, { headers });
    expect(other.body['code']).toBe('IDEMPOTENCY_KEY_REUSED');
    expect((await caller.get<Page>(path)).body.total).toBe(1);
  });

  it('revokes once and for all, and only in its own workspace', async () => {
    const { caller, workspaceId } = await member('admin');
    const { id } = await buildApiKey(app.deps.db.manager, { workspaceId });
    const foreign = await member('owner');
    for (const target of [id, 'x']) {
      const refused = await foreign.caller.post(`${path}/${target}/revoke`);
      expect([refused.status, refused.body['code']]).toEqual([404, 'NOT_FOUND']);
    }
    expect((await caller.post(`${path}/${id}/revoke`)).status).toBe(204);
    expect((await caller.post(`${path}/${id}/revoke`)).status).toBe(204);
    const [row] = (await caller.get<Page>(path)).body.data;
    expect(row?.['revokedAt']).not.toBeNull();
    const log = await caller.get<Page>('/api/v1/workspace/audit-log?action=api_key.revoked');
    expect(log.body.total).toBe(1);
  });
});

describe('members (accounts.md, Who left)', () => {
  const path = '/api/v1/workspace/members';
  const accept = (token: string, name = 'Max') =>
    app.client.post<{ account: Row; accessToken: string }>('/api/v1/auth/merchant/accept-invite', {
      token,
      name,
      password: testPassword,
    });

  it('join by the mailed link, once', async () => {
    const owner = await member();
    const email = `joins-${owner.id}@example.test`;
    const invited = await owner.caller.post<Row>(path, { email, role: 'member' });
    expect(invited.status).toBe(201);
    expect(Object.keys(invited.body).sort()).toEqual([
      'email',
      'id',
      'inviteUrl',
      'role',
      'status',
    ]);
    const open = await owner.caller.get<Page>(path);
    expect(open.body.data.map(({ status }) => status)).toEqual(['active', 'invited']);
    const one = await owner.caller.get<Row>(invited.headers.get('location') ?? '');
    expect(one.body).toEqual(open.body.data[1]);
    expect((await owner.caller.get(`${path}/${newId()}`)).status).toBe(404);

    await deliverQueued(app.deps);
    const token = tokenIn((await mailTo(email, 'Join')).text);
    expect(token).toBe(tokenIn(String(invited.body['inviteUrl'])));
    const joined = await accept(token);
    expect(joined.status).toBe(201);
    expect(joined.body.account).toMatchObject({
      email,
      role: 'member',
      workspaceId: owner.workspaceId,
    });
    const again = await accept(token);
    expect([again.status, (again.body as unknown as Row)['code']]).toEqual([410, 'INVITE_EXPIRED']);
    const list = await owner.caller.get<Page>(path);
    expect(list.body.data.map(({ status }) => status)).toEqual(['active', 'active']);
    await deliverQueued(app.deps);
    await mailTo(owner.email, 'joined');
  });

  it('join with the refresh token in a cookie when the page asks for it', async () => {
    const owner = await member();
    const email = `cookie-${owner.id}@example.test`;
    const invited = await owner.caller.post<Row>(path, { email, role: 'viewer' });
    const body = {
      token: tokenIn(String(invited.body['inviteUrl'])),
      name: 'Max',
      password: testPassword,
    };
    const page = { headers: { 'X-Session': 'cookie' } };
    const joined = await app.client.post('/api/v1/auth/merchant/accept-invite', body, page);
    expect([joined.status, joined.body['refreshToken']]).toEqual([201, undefined]);
    const [cookie = ''] = joined.headers.getSetCookie();
    expect(cookie).toMatch(/^aps_merchant=/);
    const Cookie = cookie.split(';')[0] ?? '';
    const refreshed = await app.client.post(
      '/api/v1/auth/merchant/refresh',
      {},
      { headers: { ...page.headers, Cookie } },
    );
    expect(refreshed.status).toBe(200);
  });

  it('cannot join by a link that is withdrawn, replaced, late or garbled', async () => {
    const owner = await member();
    const invite = async (email: string): Promise<{ id: string; token: string }> => {
      const answer = await owner.caller.post<Row>(path, { email, role: 'viewer' });
      return { id: answer.body.id, token: tokenIn(String(answer.body['inviteUrl'])) };
    };
    const first = await invite(`a-${owner.id}@example.test`);
    const second = await invite(`a-${owner.id}@example.test`);
    expect(second.id).toBe(first.id);
    const withdrawn = await invite(`b-${owner.id}@example.test`);
    expect((await owner.caller.delete(`${path}/${withdrawn.id}`)).status).toBe(204);
    expect((await owner.caller.delete(`${path}/${withdrawn.id}`)).status).toBe(404);
    for (const token of [first.token, withdrawn.token, 'x', '', 'x'.repeat(10_000)]) {
      expect((await accept(token)).status).toBe(410);
    }
    app.deps.clock.advance(14 * 24 * 3_600_000 + 1_000);
    expect((await accept(second.token)).status).toBe(410);
    app.deps.clock.set(undefined);
    expect((await accept(second.token)).status).toBe(201);
  });

  it('are invited alike whether the address has an account or not, and told at accept', async () => {
    const owner = await member();
    const taken = await member();
    const invited = await owner.caller.post<Row>(path, { email: taken.email, role: 'member' });
    expect(invited.status).toBe(201);
    const answer = await accept(tokenIn(String(invited.body['inviteUrl'])));
    expect([answer.status, (answer.body as unknown as Row)['code']]).toEqual([409, 'EMAIL_TAKEN']);
  });

  it('change roles and leave, with effect on the next request, and free their address', async () => {
    const owner = await member();
    const admin = await member('admin', owner.workspaceId);
    const keys = '/api/v1/workspace/api-keys';
    expect((await admin.caller.patch(`${path}/${owner.id}`, { role: 'viewer' })).status).toBe(403);
    expect((await admin.caller.post(keys, { kind: 'public', mode: 'test' })).status).toBe(201);

    const demoted = await owner.caller.patch(`${path}/${admin.id}`, { role: 'viewer' });
    expect(demoted.body).toMatchObject({ id: admin.id, role: 'viewer', status: 'active' });
    expect((await admin.caller.post(keys, { kind: 'public', mode: 'test' })).status).toBe(403);

    expect((await owner.caller.delete(`${path}/${admin.id}`)).status).toBe(204);
    expect((await admin.caller.get(keys)).status).toBe(401);
    const login = { email: admin.email, password: testPassword };
    expect((await app.client.post('/api/v1/auth/merchant/login', login)).status).toBe(401);
    const anew = { ...login, name: 'Anew', workspaceName: 'Anew' };
    expect((await app.client.post('/api/v1/auth/merchant/register', anew)).status).toBe(201);
  });

  it('keep one owner, also when two step down at once', async () => {
    const owner = await member();
    for (const attempt of [
      owner.caller.patch(`${path}/${owner.id}`, { role: 'admin' }),
      owner.caller.delete(`${path}/${owner.id}`),
    ]) {
      const answer = await attempt;
      expect([answer.status, answer.body['code']]).toEqual([409, 'LAST_OWNER']);
    }
    const second = await member('owner', owner.workspaceId);
    const both = await Promise.all([
      owner.caller.patch(`${path}/${owner.id}`, { role: 'admin' }),
      second.caller.delete(`${path}/${second.id}`),
    ]);
    expect(
      both
        .map(({ status }) => status)
        .sort()
        .at(-1),
    ).toBe(409);
    expect(both.map(({ status }) => status).sort()[0]).toBeLessThan(300);
  });

  it('of another workspace are not there', async () => {
    const owner = await member();
    const stranger = await member();
    for (const id of [stranger.id, 'x']) {
      expect((await owner.caller.patch(`${path}/${id}`, { role: 'viewer' })).status).toBe(404);
      expect((await owner.caller.delete(`${path}/${id}`)).status).toBe(404);
    }
    expect((await owner.caller.patch(`${path}/${owner.id}`, { role: 'king' })).status).toBe(400);
  });
});

describe('the audit log', () => {
  it('tells who did what, to admins, by actor, action and time', async () => {
    const owner = await member();
    const viewer = await member('viewer', owner.workspaceId);
    await owner.caller.patch('/api/v1/workspace', { name: 'Renamed' });
    await app.client.post('/api/v1/auth/merchant/login', { email: owner.email, password: 'wrong' });
    const path = '/api/v1/workspace/audit-log';
    expect((await viewer.caller.get(path)).status).toBe(403);

    const all = await owner.caller.get<Page>(path);
    expect(all.body.data.map(({ action }) => action)).toEqual([
      'login.failed',
      'workspace.updated',
    ]);
    expect(all.body.data[1]).toMatchObject({
      actor: { type: 'member', id: owner.id, email: owner.email },
      target: { type: 'workspace', id: owner.workspaceId },
      requestId: expect.any(String),
    });
    const total = async (query: string) =>
      (await owner.caller.get<Page>(`${path}?${query}`)).body.total;
    expect(await total(`actor=${owner.id}`)).toBe(1);
    expect(await total('action=login.failed')).toBe(1);
    expect(await total('action=login')).toBe(0);
    expect(await total('dateTo=2020-01-01')).toBe(0);
    expect(await total('dateFrom=2020-01-01')).toBe(2);
    expect((await owner.caller.get(`${path}?dateFrom=yesterday`)).status).toBe(400);
    expect((await owner.caller.get(`${path}?actor=x`)).status).toBe(400);
  });

  it('notes the reuse of a refresh token', async () => {
    const owner = await member();
    const { refreshToken } = await signIn(app.deps, owner);
    const refresh = () => app.client.post('/api/v1/auth/merchant/refresh', { refreshToken });
    // The second one is answered with a sibling.
    for (let use = 0; use < 3; use += 1) await refresh();
    const log = await owner.caller.get<Page>(
      '/api/v1/workspace/audit-log?action=refresh_token.reused',
    );
    expect(log.body.total).toBe(1);
  });
});

it('gives partners no way in', async () => {
  const partner = await buildPartner(app.deps.db.manager);
  const caller = app.client.as((await signIn(app.deps, partner)).accessToken);
  for (const path of ['', '/api-keys', '/members', '/audit-log', '/suppressed-addresses']) {
    expect((await caller.get(`/api/v1/workspace${path}`)).status).toBe(403);
  }
});
