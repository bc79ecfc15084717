import { query } from '../../../entities/database/sql';
import { startTestApp, type TestApp } from '../../support/app';
import type { Caller } from '../../support/api-client';
import { buildMember, signIn, type BuiltMember } from '../../support/build/accounts';
import { buildTwoFactor, codeAt } from '../../support/build/two-factor';
import { client, startPayPalStandIn, type PayPalStandIn } from '../../support/paypal/stand-in';

let app: TestApp;
let paypal: PayPalStandIn;
const path = '/api/v1/workspace/payout-providers';

beforeAll(async () => {
  paypal = await startPayPalStandIn();
  app = await startTestApp({ PAYPAL_API_BASE: paypal.url });
});
afterAll(async () => {
  await app.close();
  await paypal.close();
});
beforeEach(() => paypal.reset());

interface Owner {
  member: BuiltMember;
  api: Caller;
  code: () => string;
}

async function owner(role: BuiltMember['role'] = 'owner'): Promise<Owner> {
  const member = await buildMember(app.deps.db.manager, { role });
  const { secret } = await buildTwoFactor(app.deps, member);
  const { accessToken } = await signIn(app.deps, member);
  let steps = -1;
  // Each code counts once: those of the step before, of now and of the next one are good.
  const code = (): string => {
    steps += 1;
    return codeAt(secret, new Date(app.deps.clock.now().getTime() + steps * 30_000));
  };
  return { member, api: app.client.as(accessToken, 'test'), code };
}

async function providerOf(api: Caller): Promise<unknown> {
  const { body } = await api.get<{ data: unknown[] }>(path);
  return body.data[0];
}

async function securityMailsTo({ workspaceId }: BuiltMember): Promise<string[]> {
  const rows = await query<{ type: string }>(
    app.deps.db.manager,
    `SELECT type FROM notifications WHERE workspace_id = $1 AND type LIKE 'security.payout%' ORDER BY id`,
    [workspaceId],
  );
  return rows.map(({ type }) => type);
}

describe('a payout provider', () => {
  it('is connected by an owner with a code, and its secret is never shown', async () => {
    const { member, api, code } = await owner();
    expect(await providerOf(api)).toEqual({
      provider: 'paypal',
      status: 'not_connected',
      clientId: null,
      lastError: null,
    });

    const answer = await api.put(`${path}/paypal`, { ...client, code: code() });

    const connected = {
      provider: 'paypal',
      status: 'connected',
      clientId: client.clientId,
      lastError: null,
    };
    expect(answer).toMatchObject({ status: 200, body: connected });
    expect(await providerOf(api)).toEqual(connected);
    expect(JSON.stringify(await api.get(path))).not.toContain(client.clientSecret);
    const [row] = await query<{ clientSecret: string }>(
      app.deps.db.manager,
      'SELECT client_secret AS "clientSecret" FROM payout_connections WHERE workspace_id = $1',
      [member.workspaceId],
    );
    expect(row?.clientSecret).not.toContain(client.clientSecret);
    expect(await securityMailsTo(member)).toEqual(['security.payout_provider_connected']);
    expect(paypal.countOf('send')).toBe(0);
  });

  it('that lacks Payouts is refused by name, and nothing changes', async () => {
    const { api, code } = await owner();
    paypal.scope = 'openid';
    const typed = code();

    const lacking = await api.put(`${path}/paypal`, { ...client, code: typed });
    const unknown = await api.put(`${path}/paypal`, { ...client, clientId: 'x', code: typed });

    expect(lacking.status).toBe(422);
    expect(lacking.body).toMatchObject({ code: 'PROVIDER_KEY_REJECTED' });
    expect(JSON.stringify(lacking.body)).toContain('https://uri.paypal.com/payments/payouts');
    expect(unknown.body).toMatchObject({ code: 'PROVIDER_KEY_REJECTED' });
    expect(await providerOf(api)).toMatchObject({ status: 'not_connected' });
    // A code counts for what it led to alone.
    paypal.scope = 'https://uri.paypal.com/payments/payouts';
    expect((await api.put(`${path}/paypal`, { ...client, code: typed })).status).toBe(200);
  });

  it('takes a code, of a member who has a second factor, and no recovery code', async () => {
    const bare = await buildMember(app.deps.db.manager, { role: 'owner' });
    const { accessToken } = await signIn(app.deps, bare);
    const without = app.client.as(accessToken, 'test');
    const { member, api, code } = await owner();
    const put = (body: object) => api.put(`${path}/paypal`, { ...client, ...body });

    const refusals = [
      await without.put(`${path}/paypal`, { ...client, code: '123456' }),
      await put({}),
      await put({ code: '000000' }),
      await put({ code: 'abcd-efgh-jkmn' }),
    ];

    expect(refusals.map(({ body }) => (body as { code: string }).code)).toEqual([
      'TWO_FACTOR_SETUP_REQUIRED',
      'TWO_FACTOR_REQUIRED',
      'TWO_FACTOR_INVALID',
      'TWO_FACTOR_INVALID',
    ]);
    const typed = code();
    expect((await put({ code: typed })).status).toBe(200);
    expect((await put({ code: typed })).body).toMatchObject({ code: 'TWO_FACTOR_INVALID' });
    expect(await securityMailsTo(member)).toHaveLength(1);
  });

  it.each([
    ['clientId', 'with:colon'],
    ['clientId', 'turned\u202eround'],
    ['clientSecret', 'two\nlines'],
  ])('%s is what a header can hold: %j is refused', async (field, value) => {
    const { api, code } = await owner();
    const refused = await api.put(`${path}/paypal`, { ...client, [field]: value, code: code() });
    expect(refused.body).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field }] });
  });

  it('is an owner’s, and there is none of another name', async () => {
    const { api, code } = await owner('admin');
    const { api: owns } = await owner();

    expect((await api.get(path)).status).toBe(200);
    expect((await api.put(`${path}/paypal`, { ...client, code: code() })).status).toBe(403);
    expect((await api.delete(`${path}/paypal`)).status).toBe(403);
    const other = await owns.put(`${path}/wise`, { ...client, code: '123456' });
    expect(other).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect((await owns.delete(`${path}/wise`)).status).toBe(404);
  });

  it('is disconnected without a code, in its mode alone', async () => {
    const { member, api, code } = await owner();
    await api.put(`${path}/paypal`, { ...client, code: code() });

    expect((await api.delete(`${path}/paypal`)).status).toBe(204);

    expect(await providerOf(api)).toMatchObject({ status: 'not_connected' });
    expect(await securityMailsTo(member)).toEqual([
      'security.payout_provider_connected',
      'security.payout_provider_disconnected',
    ]);
    expect((await api.delete(`${path}/paypal`)).status).toBe(204);
  });

  it('that does not answer is an outage', async () => {
    const { api, code } = await owner();
    paypal.moods.token = [{ silence: 'before' }];

    const { status, body } = await api.put(`${path}/paypal`, { ...client, code: code() });

    expect(status).toBe(503);
    expect(body).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});

describe('limits of a day', () => {
  const limits = { payoutDailyLimits: [{ currency: 'USD', amountCents: 100_000 }] };

  it('are set by an owner with a code, and told to all who manage', async () => {
    const { member, api, code } = await owner();
    expect((await api.get('/api/v1/workspace')).body).toMatchObject({
      payoutDailyLimits: [],
      payoutApproval: 'one',
    });

    const { status, body } = await api.patch('/api/v1/workspace', {
      ...limits,
      payoutApproval: 'two',
      code: code(),
    });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      payoutDailyLimits: [{ currency: 'usd', amountCents: 100_000 }],
      payoutApproval: 'two',
    });
    expect(await securityMailsTo(member)).toEqual(['security.payout_limits_changed']);
  });

  it('are refused of an admin, without a code, and with a currency twice', async () => {
    const { api: admin, code: ofAdmin } = await owner('admin');
    const { api, code } = await owner();
    const twice = [...limits.payoutDailyLimits, { currency: 'usd', amountCents: 1 }];

    const answers = [
      await admin.patch('/api/v1/workspace', { ...limits, code: ofAdmin() }),
      await api.patch('/api/v1/workspace', limits),
      await api.patch('/api/v1/workspace', { payoutApproval: 'two', code: '000000' }),
      await api.patch('/api/v1/workspace', { payoutDailyLimits: twice, code: code() }),
      await api.patch('/api/v1/workspace', { name: 'Another name' }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([403, 401, 401, 400, 200]);
    expect((await api.get('/api/v1/workspace')).body).toMatchObject({ payoutDailyLimits: [] });
  });
});
