import { queryOne } from '../../../entities/database/sql';
import { useApp } from '../../support/app';
import {
  accountRow,
  buildMember,
  buildPartner,
  signIn,
  testPassword,
} from '../../support/build/accounts';
import { deliverQueued, mailsTo, mailTo } from '../../support/stored/mails';

const app = useApp();

const newPassword = 'quite another password';

describe('changing the password', () => {
  const path = '/api/v1/auth/merchant/change-password';

  it('ends the other sessions, keeps this one, and tells by mail', async () => {
    const member = await buildMember(app.deps.db.manager);
    const here = await signIn(app.deps, member);
    const there = await signIn(app.deps, member);
    const me = app.client.as(here.accessToken);

    const wrong = await me.post(path, { currentPassword: 'not it at all', newPassword });
    expect([wrong.status, wrong.body['code']]).toEqual([400, 'PASSWORD_INVALID']);
    const changed = await me.post(path, { currentPassword: testPassword, newPassword });
    expect(changed.status).toBe(204);

    expect((await me.get('/api/v1/auth/merchant/account')).status).toBe(200);
    const other = await app.client.as(there.accessToken).get('/api/v1/auth/merchant/account');
    expect(other.status).toBe(401);
    await deliverQueued(app.deps);
    await mailTo(member.email, 'password was changed');
  });

  it('lets one of two changes at once win', async () => {
    const partner = await buildPartner(app.deps.db.manager);
    const me = app.client.as((await signIn(app.deps, partner)).accessToken);
    const change = (n: number) =>
      me.post('/api/v1/auth/partner/change-password', {
        currentPassword: testPassword,
        newPassword: `${newPassword} ${n}`,
      });
    const statuses = (await Promise.all([change(1), change(2)])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([204, 400]);
  });
});

describe('changing the address', () => {
  it('needs the password and a free address, and unverifies', async () => {
    const member = await buildMember(app.deps.db.manager);
    const other = await buildMember(app.deps.db.manager);
    const me = app.client.as((await signIn(app.deps, member)).accessToken);
    const change = (email: string, password = testPassword) =>
      me.post('/api/v1/auth/merchant/change-email', { email, password });

    expect((await change('free@example.test', 'wrong')).body['code']).toBe('PASSWORD_INVALID');
    const taken = await change(other.email.toUpperCase());
    expect([taken.status, taken.body['code']]).toEqual([409, 'EMAIL_TAKEN']);

    const changed = await change(' New-Address@Example.test ');
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({ email: 'new-address@example.test', emailVerified: false });
    await deliverQueued(app.deps);
    await mailTo(member.email, 'address was changed');
    await mailTo('new-address@example.test', 'Confirm');
    expect(await mailsTo('new-address@example.test')).toHaveLength(1);
  });

  it('changes nothing when it is the same address', async () => {
    const member = await buildMember(app.deps.db.manager);
    const me = app.client.as((await signIn(app.deps, member)).accessToken);
    const body = { email: member.email, password: testPassword };
    const answer = await me.post('/api/v1/auth/merchant/change-email', body);
    expect(answer.body).toMatchObject({ email: member.email, emailVerified: true });
  });
});

describe('sessions', () => {
  it('are listed with the current one, and ended one by one', async () => {
    const partner = await buildPartner(app.deps.db.manager);
    const stranger = await buildPartner(app.deps.db.manager);
    const here = await signIn(app.deps, partner);
    const there = await signIn(app.deps, partner);
    const path = '/api/v1/auth/partner/sessions';
    const me = app.client.as(here.accessToken);

    const list = await me.get<{ data: Record<string, unknown>[]; total: number }>(path);
    expect(list.body.total).toBe(2);
    expect(list.body.data.map(({ id, current }) => [id, current])).toEqual([
      [there.sessionId, false],
      [here.sessionId, true],
    ]);
    expect(Object.keys(list.body.data[0] ?? {}).sort()).toEqual([
      'createdAt',
      'current',
      'id',
      'lastUsedAt',
      'userAgent',
    ]);

    const foreign = app.client.as((await signIn(app.deps, stranger)).accessToken);
    for (const id of [there.sessionId, 'x', '019a0b1c-2d3e-7f40-8a51-62738495a6b9']) {
      const refused = await foreign.delete(`${path}/${id}`);
      expect([refused.status, refused.body['code']]).toEqual([404, 'NOT_FOUND']);
    }
    expect((await me.delete(`${path}/${there.sessionId}`)).status).toBe(204);
    const ended = app.client.as(there.accessToken);
    expect((await ended.get(path)).status).toBe(401);
    expect((await me.get<{ total: number }>(path)).body.total).toBe(1);
  });
});

describe('the account itself', () => {
  it('of a merchant can be renamed', async () => {
    const member = await buildMember(app.deps.db.manager, { role: 'viewer' });
    const me = app.client.as((await signIn(app.deps, member)).accessToken);
    const renamed = await me.patch('/api/v1/auth/merchant/account', { name: ' Zoë ' });
    expect(renamed.body).toMatchObject({ id: member.id, name: 'Zoë', role: 'viewer' });
    const refused = await me.patch('/api/v1/auth/merchant/account', { role: 'owner' });
    expect(refused.status).toBe(400);
  });

  it('of a partner keeps the VAT id encrypted', async () => {
    const partner = await buildPartner(app.deps.db.manager);
    const me = app.client.as((await signIn(app.deps, partner)).accessToken);
    const path = '/api/v1/partner/account';
    const patched = await me.patch(path, { vatId: ' DE123456789 ' });
    expect(patched.status).toBe(200);
    expect(patched.body).toMatchObject({ id: partner.id, vatId: 'DE123456789' });
    const row = JSON.stringify(await accountRow(app.deps.db.manager, partner));
    expect(row).not.toContain('DE123456789');

    const cleared = await me.patch(path, { vatId: null });
    expect(cleared.body).toMatchObject({ vatId: null });
    for (const bad of [{ payoutDetails: {} }, { vatId: 7 }, { name: '' }]) {
      expect((await me.patch(path, bad)).status).toBe(400);
    }
    expect((await me.get(path)).body).toEqual(cleared.body);
  });

  it('notes when a session was used last, to the minute', async () => {
    const partner = await buildPartner(app.deps.db.manager);
    const { accessToken, sessionId } = await signIn(app.deps, partner);
    app.deps.clock.advance(120_000);
    await app.client.as(accessToken).get('/api/v1/partner/account');
    const row = await queryOne<{ idle: number }>(
      app.deps.db.manager,
      `SELECT extract(epoch FROM last_used_at - created_at)::float AS idle FROM sessions
       WHERE id = $1`,
      [sessionId],
    );
    expect(row?.idle).toBeGreaterThanOrEqual(119);
    app.deps.clock.set(undefined);
  });
});
