import { keyFor } from '../../../activities/billing/stripe/check-key';
import { eventsApiVersion } from '../../../activities/billing/stripe/endpoint';
import { queryOne } from '../../../entities/database/sql';
import { stripeEventTypes } from '../../../entities/rules/stripe/read-event';
import { startTestApp, type TestApp } from '../../support/app';
import type { Caller } from '../../support/api-client';
import { buildMember, signIn, type BuiltMember } from '../../support/build/accounts';
import { checkoutCompleted } from '../../support/stripe/events';
import { signatureOf } from '../../support/stripe/shop';
import { startStripeStandIn, type StripeStandIn } from '../../support/stripe/stand-in';

let app: TestApp;
let stripe: StripeStandIn;
const path = '/api/v1/workspace/stripe';
const testKey = `rk_test_${'a'.repeat(24)}`;
const otherKey = `rk_test_${'b'.repeat(24)}`;
const strangerKey = 'sk_test_of_another_account';

beforeAll(async () => {
  stripe = await startStripeStandIn();
  app = await startTestApp({
    STRIPE_API_BASE: stripe.url,
    PUBLIC_BASE_URL: 'https://api.shop.test',
  });
});
afterAll(async () => {
  await app.close();
  await stripe.close();
});
beforeEach(() => stripe.reset());

interface Connection extends Record<string, unknown> {
  connectionId: string;
  status: string;
  url: string;
}

async function admin(): Promise<{ member: BuiltMember; api: Caller }> {
  const member = await buildMember(app.deps.db.manager, { role: 'admin' });
  const { accessToken } = await signIn(app.deps, member);
  return { member, api: app.client.as(accessToken, 'test') };
}

/** Status of an event that is sent to a connection's path under a secret. */
async function sendEvent(url: string, secret: string): Promise<number> {
  const body = JSON.stringify(checkoutCompleted());
  const { pathname } = new URL(url);
  const response = await fetch(app.url + pathname, {
    method: 'POST',
    headers: {
      'Stripe-Signature': signatureOf(body, { secret }),
      'Content-Type': 'application/json',
    },
    body,
  });
  return response.status;
}

describe('the connection to Stripe', () => {
  it('has an id and a url before it has any secret', async () => {
    const { api } = await admin();

    const { status, body } = await api.get<Connection>(path);

    expect(status).toBe(200);
    expect(body).toEqual({
      connectionId: body.connectionId,
      mode: 'test',
      status: 'not_connected',
      url: `https://api.shop.test/webhooks/stripe/${body.connectionId}`,
      hasRestrictedKey: false,
      hasWebhookSecret: false,
      lastEventAt: null,
      lastEventType: null,
      lastError: null,
      missingKinds: [],
    });
    expect((await api.get<Connection>(path)).body.url).toBe(body.url);
    expect(await sendEvent(body.url, 'whsec_guess_0123456789')).toBe(401);
  });

  it('is another one in the other mode and in another workspace', async () => {
    const [one, two] = [await admin(), await admin()];
    const urls = await Promise.all([
      one.api.get<Connection>(path),
      one.api.get<Connection>(path, { mode: 'live' }),
      two.api.get<Connection>(path),
    ]);

    expect(new Set(urls.map(({ body }) => body.connectionId)).size).toBe(3);
  });

  it('takes a secret alone, then a key alone, and each stays', async () => {
    const { api } = await admin();

    const first = await api.put<Connection>(path, { webhookSecret: 'whsec_mine_0123456789' });
    expect(first.body).toMatchObject({
      status: 'connected',
      hasWebhookSecret: true,
      hasRestrictedKey: false,
    });
    const second = await api.put<Connection>(path, { restrictedKey: testKey });

    expect(second.body).toMatchObject({
      status: 'connected',
      hasWebhookSecret: true,
      hasRestrictedKey: true,
    });
    expect(stripe.endpoints.size).toBe(0);
    expect(await sendEvent(second.body.url, 'whsec_mine_0123456789')).toBe(200);
  });

  it('is an error without a key beside promo codes, and says what it never hears of', async () => {
    const { api } = await admin();
    const commission = { type: 'percentage', rateBps: 2_000 };
    const program = { name: 'Tea', websiteUrl: 'https://tea.example', commission };
    const partners = `/api/v1/programs/${String((await api.post('/api/v1/programs', program)).body['id'])}/partners`;
    const ada = await api.post(partners, { email: 'ada-by-hand@example.com', name: 'Ada' });
    await api.post(`${partners}/${String(ada.body['id'])}/promo-codes`, { code: 'BYHAND10' });

    const { body } = await api.put<Connection>(path, { webhookSecret: 'whsec_mine_0123456789' });

    expect(body).toMatchObject({
      status: 'error',
      lastError: expect.stringContaining('promotion codes'),
    });
  });

  it('registers our endpoint with a key alone, once however often it is put', async () => {
    const { api } = await admin();

    const puts = await Promise.all(
      [1, 2, 3].map(() => api.put<Connection>(path, { restrictedKey: testKey })),
    );
    await api.put(path, { restrictedKey: testKey });

    expect(puts.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect([...stripe.endpoints.values()]).toMatchObject([
      {
        url: puts[0]?.body.url,
        events: expect.arrayContaining(['checkout.session.completed', 'refund.failed']),
      },
    ]);
    const [endpoint] = stripe.endpoints.values();
    expect(await sendEvent(puts[0]?.body.url ?? '', endpoint?.secret ?? '')).toBe(200);
  });

  it('registers it again with the same key when it is gone at Stripe', async () => {
    const { api } = await admin();
    await api.put(path, { restrictedKey: testKey });
    const [lost] = stripe.endpoints.values();
    stripe.endpoints.clear();

    const { body } = await api.put<Connection>(path, { restrictedKey: testKey });

    const [endpoint] = stripe.endpoints.values();
    expect(stripe.endpoints.size).toBe(1);
    expect(await sendEvent(body.url, endpoint?.secret ?? '')).toBe(200);
    expect(endpoint?.secret).not.toBe(lost?.secret);
    const registrations = stripe.calls.filter(
      ({ method, path: called }) => method === 'POST' && called === '/v1/webhook_endpoints',
    );
    const keys = registrations.map(({ idempotencyKey = '' }) => idempotencyKey);
    expect(new Set(keys).size).toBe(2);
    const kinds = keyFor('', [eventsApiVersion, ...stripeEventTypes]);
    for (const key of keys) expect(key.endsWith(kinds)).toBe(true);
  });

  it('brings an endpoint of ours up to date whenever a key is put', async () => {
    const { api } = await admin();
    await api.put(path, { restrictedKey: testKey });
    const [[id = '', made] = []] = [...stripe.endpoints];
    expect(made).toMatchObject({ apiVersion: eventsApiVersion, events: [...stripeEventTypes] });
    Object.assign(made ?? {}, { events: ['invoice.paid'], status: 'disabled' });

    await api.put(path, { restrictedKey: testKey });

    expect([...stripe.endpoints.keys()]).toEqual([id]);
    expect(stripe.endpoints.get(id)).toMatchObject({
      events: [...stripeEventTypes],
      status: 'enabled',
    });
  });

  it('replaces one that sends another version of events, and takes the new secret', async () => {
    const { api } = await admin();
    await api.put(path, { restrictedKey: testKey });
    const [[id = '', made] = []] = [...stripe.endpoints];
    Object.assign(made ?? {}, { apiVersion: '2020-08-27' });

    const { body } = await api.put<Connection>(path, { restrictedKey: testKey });

    const [renewed] = [...stripe.endpoints.values()];
    expect(stripe.endpoints.has(id)).toBe(false);
    expect(renewed).toMatchObject({ apiVersion: eventsApiVersion, url: body.url });
    expect(await sendEvent(body.url, renewed?.secret ?? '')).toBe(200);
  });

  it('asks with another idempotency key for other kinds of events', () => {
    const keys = [['charge.updated'], ['charge.updated', 'charge.captured']].map((types) =>
      keyFor('connect', types),
    );
    expect(new Set(keys).size).toBe(2);
    expect(keyFor('connect', ['charge.updated'])).toBe(keys[0]);
  });

  it('registers nothing when both are given', async () => {
    const { api } = await admin();

    const { body } = await api.put<Connection>(path, {
      restrictedKey: testKey,
      webhookSecret: 'whsec_own_0123456789',
    });

    expect(stripe.endpoints.size).toBe(0);
    expect(await sendEvent(body.url, 'whsec_own_0123456789')).toBe(200);
  });

  it('keeps its endpoint for a new key of the same account, and makes one for another account', async () => {
    const { api } = await admin();
    await api.put(path, { restrictedKey: testKey });
    await api.put(path, { restrictedKey: testKey.slice(0, -1) + 'z' });
    expect(stripe.endpoints.size).toBe(1);

    const { body } = await api.put<Connection>(path, { restrictedKey: strangerKey });

    const endpoints = [...stripe.endpoints.values()];
    expect(endpoints.map(({ key }) => key)).toEqual([testKey, strangerKey]);
    expect(await sendEvent(body.url, endpoints[1]?.secret ?? '')).toBe(200);
  });

  it.each([
    ['neither field', {}],
    ['an unknown field', { apiKey: testKey }],
    ['a secret of another form', { webhookSecret: 'secret' }],
    ['an empty secret', { webhookSecret: '' }],
    ['a secret that is its beginning alone', { webhookSecret: 'whsec_' }],
    ['a publishable key', { restrictedKey: 'pk_test_abc' }],
    ['a key of the other mode', { restrictedKey: 'rk_live_abc' }],
    ['a number for a key', { restrictedKey: 7 }],
    ['null', { restrictedKey: null }],
    ['a good key beside a bad secret', { restrictedKey: testKey, webhookSecret: 'x' }],
  ])('refuses %s', async (_name, body) => {
    const { api } = await admin();

    const answer = await api.put(path, body);

    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(stripe.calls).toEqual([]);
  });

  it.each([
    ['that Stripe does not know', () => stripe.unknownKeys.add(otherKey), /restrictedKey/],
    [
      'that may not read charges',
      () => stripe.forbidden.add('/v1/charges'),
      /charges.*rak_charge_read/,
    ],
    [
      'that may not register endpoints',
      () => stripe.forbidden.add('/v1/webhook_endpoints'),
      /rak_webhook_write/,
    ],
  ])('refuses a key %s, naming it, and changes nothing', async (_name, refuse, message) => {
    const { api } = await admin();
    const before = (await api.get<Connection>(path)).body;
    refuse();

    const answer = await api.put(path, { restrictedKey: otherKey });

    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({
      code: 'STRIPE_KEY_REJECTED',
      message: expect.stringMatching(message),
    });
    expect(answer.text).not.toContain(otherKey);
    expect((await api.get<Connection>(path)).body).toEqual(before);
  });

  it('answers 503 with Retry-After when Stripe cannot be asked', async () => {
    const { api } = await admin();
    stripe.broken = true;

    const answer = await api.put(path, { restrictedKey: testKey });

    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await api.get<Connection>(path)).body.hasRestrictedKey).toBe(false);
  });

  it('ends: its path answers 404, the endpoint at Stripe is gone, a new url comes', async () => {
    const { api } = await admin();
    const { body } = await api.put<Connection>(path, { restrictedKey: testKey });
    const [endpoint] = stripe.endpoints.values();

    expect((await api.delete(path)).status).toBe(204);
    expect((await api.delete(path)).status).toBe(204);

    expect(stripe.endpoints.size).toBe(0);
    expect(await sendEvent(body.url, endpoint?.secret ?? '')).toBe(404);
    const after = (await api.get<Connection>(path)).body;
    expect(after).toMatchObject({
      status: 'not_connected',
      hasRestrictedKey: false,
      hasWebhookSecret: false,
    });
    expect(after.url).not.toBe(body.url);
  });

  it('keeps no secret in plain', async () => {
    const { member, api } = await admin();
    await api.put(path, { restrictedKey: testKey, webhookSecret: 'whsec_plain_0123456789' });

    const row = await queryOne<Record<string, string>>(
      app.deps.db.manager,
      'SELECT * FROM stripe_connections WHERE workspace_id = $1',
      [member.workspaceId],
    );

    expect(JSON.stringify(row)).not.toContain(testKey);
    expect(JSON.stringify(row)).not.toContain('whsec_plain_0123456789');
    const place = ['stripe_connections.restricted_key', row?.['id'] ?? ''] as const;
    expect(app.deps.vault.decrypt(row?.['restricted_key'] ?? '', place)).toBe(testKey);
  });

  it('is read by viewers and changed by admins', async () => {
    const { member } = await admin();
    for (const role of ['viewer', 'member'] as const) {
      const other = await buildMember(app.deps.db.manager, {
        role,
        workspaceId: member.workspaceId,
      });
      const api = app.client.as((await signIn(app.deps, other)).accessToken, 'test');

      expect((await api.get(path)).status).toBe(200);
      expect((await api.get(`${path}/events`)).status).toBe(200);
      expect((await api.put(path, { webhookSecret: 'whsec_0123456789abcdef' })).status).toBe(403);
      expect((await api.delete(path)).status).toBe(403);
      expect((await api.post(`${path}/events/no-id/replay`)).status).toBe(403);
    }
    expect((await app.client.get(path)).status).toBe(401);
  });

  it('leaves a trace in the audit log', async () => {
    const { api } = await admin();
    await api.put(path, { webhookSecret: 'whsec_0123456789abcdef' });
    await api.delete(path);

    const { body } = await api.get<{ data: { action: string }[] }>('/api/v1/workspace/audit-log');

    expect(body.data.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['stripe.connected', 'stripe.disconnected']),
    );
  });
});
