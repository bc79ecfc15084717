import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { startTestApp, type TestApp } from '../../support/app';
import type { Caller } from '../../support/api-client';
import { buildMember, signIn } from '../../support/build/accounts';
import { paddleSecret, paddleSignature, paddleTransaction } from '../../support/billers/paddle';
import { polarHeaders, polarOrderEvent, polarSecret } from '../../support/billers/polar';
import { startBillerStandIn, type BillerStandIn } from '../../support/billers/stand-in';

let app: TestApp;
let vendor: BillerStandIn;
let api: Caller;
const path = (biller: string): string => `/api/v1/workspace/billers/${biller}`;

beforeAll(async () => {
  vendor = await startBillerStandIn();
  app = await startTestApp({ PADDLE_API_BASE: vendor.url, POLAR_API_BASE: vendor.url });
});
afterAll(async () => {
  await app.close();
  await vendor.close();
});
beforeEach(async () => {
  vendor.reset();
  const member = await buildMember(app.deps.db.manager, { role: 'admin' });
  api = app.client.as((await signIn(app.deps, member)).accessToken, 'test');
});

interface Connection {
  connectionId: string;
  url: string;
  status: string;
}

const connect = async (biller: string, body: object) =>
  (await api.put<Connection & Record<string, unknown>>(path(biller), body)).body;

async function deliver(url: string, body: string, headers: Record<string, string>) {
  const response = await fetch(app.url + new URL(url).pathname, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  });
  return { status: response.status, body: (await response.json()) as { code?: string } };
}

describe('the connection to a biller (billers.md, Connection)', () => {
  it.each([
    ['paddle', paddleSecret, []],
    ['polar', polarSecret, ['disputes']],
  ])('of %s is there before any secret, and takes one', async (biller, webhookSecret, missing) => {
    const before = (await api.get<Connection>(path(biller))).body;
    expect(before).toEqual({
      connectionId: expect.any(String),
      mode: 'test',
      status: 'not_connected',
      url: `${app.deps.config.publicBaseUrl}/webhooks/${biller}/${before.connectionId}`,
      hasApiKey: false,
      hasWebhookSecret: false,
      lastEventAt: null,
      lastEventType: null,
      lastError: null,
      missingKinds: missing,
    });
    expect(await connect(biller, { webhookSecret })).toMatchObject({
      connectionId: before.connectionId,
      status: 'connected',
      hasWebhookSecret: true,
    });
    expect((await api.delete(path(biller))).status).toBe(204);
    expect((await deliver(before.url, '{}', {})).status).toBe(404);
  });

  it('is of Paddle or Polar, by its own path alone', async () => {
    for (const name of ['stripe', 'chargebee']) {
      expect(await api.get(path(name))).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
    const { url } = await connect('polar', { webhookSecret: polarSecret });
    const body = JSON.stringify(paddleTransaction());
    const headers = { 'Paddle-Signature': paddleSignature(body) };
    expect((await deliver(url.replace('polar', 'paddle'), body, headers)).status).toBe(404);
  });

  it.each([
    ['paddle', {}, 'body'],
    ['paddle', { webhookSecret: 'x'.repeat(15) }, 'webhookSecret'],
    ['polar', { webhookSecret: 'x'.repeat(256) }, 'webhookSecret'],
    ['paddle', { apiKey: 'pdl_live_apikey_01' }, 'apiKey'],
  ])('of %s refuses %j', async (biller, body, field) => {
    const answer = await api.put(path(biller), body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    expect(JSON.stringify(answer.body)).toContain(field);
  });

  it('names what a key lacks, and changes nothing', async () => {
    vendor.forbidden.add('/adjustments');
    const refused = await api.put(path('paddle'), { apiKey: 'pdl_sdbx_apikey_01' });
    expect(refused).toMatchObject({ status: 422, body: { code: 'BILLER_KEY_REJECTED' } });
    expect(JSON.stringify(refused.body)).toContain('adjustment.read');
    expect((await api.get(path('paddle'))).body).toMatchObject({ hasApiKey: false });
    vendor.broken = true;
    expect((await api.put(path('polar'), { apiKey: 'polar_oat_1' })).status).toBe(503);
  });

  it('registers its endpoint by a key alone, once', async () => {
    const setting = (id: string) => ({ data: { id, endpoint_secret_key: paddleSecret } });
    vendor.set('POST /notification-settings', setting('ntfset_1'));
    vendor.set('GET /notification-settings/ntfset_1', {
      data: {
        ...{ id: 'ntfset_1', active: true, destination: 'elsewhere' },
        subscribed_events: [{ name: 'transaction.completed' }],
      },
    });
    vendor.set('PATCH /notification-settings/ntfset_1', setting('ntfset_1'));
    const connection = await connect('paddle', { apiKey: 'pdl_sdbx_apikey_01' });
    expect(connection).toMatchObject({ status: 'connected', hasApiKey: true, missingKinds: [] });
    await connect('paddle', { apiKey: 'pdl_sdbx_apikey_01' });
    expect(vendor.countOf('POST', '/notification-settings')).toBe(1);
    const [made] = vendor.calls.filter(({ method }) => method === 'POST');
    expect(made?.body).toMatchObject({ destination: connection.url, type: 'url', api_version: 1 });
    expect(made?.body['subscribed_events']).toContain('adjustment.updated');

    const body = { url: expect.any(String), format: 'raw' };
    vendor.set('POST /v1/webhooks/endpoints', { id: 'whe_1', secret: polarSecret });
    expect(await connect('polar', { apiKey: 'polar_oat_1' })).toMatchObject({ missingKinds: [] });
    expect(vendor.calls.find(({ path: at }) => at.startsWith('/v1/webhooks'))).toBeDefined();
    expect(vendor.calls.findLast(({ method }) => method === 'POST')?.body).toMatchObject(body);
  });
});

describe('events of a biller (billers.md, Intake of events)', () => {
  it('are taken by the signature over their bytes, stored once, and listed', async () => {
    const { url } = await connect('paddle', { webhookSecret: paddleSecret });
    const event = paddleTransaction();
    const body = JSON.stringify(event);
    const good = paddleSignature(body);
    const now = Date.now();
    const tries: [string, number][] = [
      [good, 200],
      [good.replace(';h1=', `;h1=${'0'.repeat(64)};h1=`), 200],
      [`${good};h1=${'0'.repeat(64)}`, 200],
      [paddleSignature(body, new Date(now - 310_000)), 401],
      [paddleSignature(body, new Date(now + 310_000)), 401],
      [paddleSignature(body, new Date(now), paddleSecret.slice('pdl_ntfset_'.length)), 401],
      [paddleSignature(`${body} `), 401],
      ['', 401],
    ];
    for (const [signature, status] of tries) {
      expect([
        signature,
        (await deliver(url, body, { 'Paddle-Signature': signature })).status,
      ]).toEqual([signature, status]);
    }
    const list = (await api.get<{ data: object[] }>(`${path('paddle')}/events`)).body.data;
    expect(list).toEqual([
      {
        id: expect.any(String),
        biller: 'paddle',
        billerEventId: event.event_id,
        type: 'transaction.completed',
        objectId: event.data.id,
        status: 'received',
        error: null,
        attempts: 0,
        recovered: false,
        receivedAt: expect.any(String),
        processedAt: null,
      },
    ]);
    const [{ id } = { id: '' }] = list as { id: string }[];
    expect(await api.post(`${path('paddle')}/events/${id}/replay`)).toMatchObject({
      status: 409,
      body: { code: 'BILLER_EVENT_RUNNING' },
    });
    expect((await api.post(`${path('polar')}/events/${id}/replay`)).status).toBe(404);
    expect((await api.get(`/api/v1/workspace/tracking`)).body).toMatchObject({
      billers: [{ biller: 'paddle', lastEventAt: expect.any(String) }],
    });
  });

  it('of Polar are signed as its server signs, and named by their header', async () => {
    const { url } = await connect('polar', { webhookSecret: polarSecret });
    const { webhookId, ...sent } = polarOrderEvent();
    const body = JSON.stringify(sent);
    // Polar encodes the text of the secret before its library decodes it.
    const signer = new Webhook(Buffer.from(polarSecret).toString('base64'));
    const at = new Date();
    const headers = {
      'webhook-id': webhookId,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': `v1,bad ${signer.sign(webhookId, at, body)}`,
    };
    expect((await deliver(url, body, headers)).status).toBe(200);
    expect((await deliver(url, body, polarHeaders({ webhookId }, body))).status).toBe(200);
    const decoded = polarHeaders({ webhookId: randomUUID() }, body, {
      secret: polarSecret.slice(6),
    });
    expect((await deliver(url, body, decoded)).status).toBe(401);
    const none = polarHeaders({ webhookId: randomUUID() }, '{"data":{}}');
    expect(await deliver(url, '{"data":{}}', none)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR' },
    });
    const list = (await api.get<{ data: object[] }>(`${path('polar')}/events`)).body.data;
    expect(list).toMatchObject([{ billerEventId: webhookId, type: 'order.paid' }]);
  });
});
