import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type Koa from 'koa';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import {
  AffiliateClient,
  signForTest,
  verifyWebhook,
  verifyWebhookAsync,
  WebhookSetupError,
  type VerifiedEvent,
} from '../../../packages/client/src';
import { affiliateWebhook as forExpress } from '../../../packages/client/src/express';
import { withClick } from '../../../packages/client/src/stripe';
import { startTestApp, type TestApp } from '../../support/app';
import { serverExample } from '../../browser/integrate/examples';
import { buildMember, signIn } from '../../support/build/accounts';

const secret = `whsec_${'0123456789abcdef'.repeat(4)}`;
const other = `whsec_${'f'.repeat(64)}`;

/** The headers of a delivery as Standard Webhooks' own library signs it. */
function signed(body: string, at = new Date(), by = secret): Record<string, string> {
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(by).sign('msg_1', at, body),
  };
}

describe('verifyWebhook', () => {
  const body = '{"type":"webhook.test","text":"Zoë 🎉"}';

  it('returns the event of a good signature, whatever form body and headers have', () => {
    const headers = signed(body);
    const event = { ...(JSON.parse(body) as object), isTest: true };
    expect(verifyWebhook({ body, headers, secrets: secret })).toEqual(event);
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
    );
    const bytes = new TextEncoder().encode(body);
    expect(verifyWebhook({ body: bytes, headers: upper, secrets: [other, secret] })).toEqual(event);
    const both = {
      ...headers,
      'webhook-signature': `v2,x v1,%% v1,AAAA ${headers['webhook-signature']}`,
    };
    expect(verifyWebhook({ body, headers: new Headers(both), secrets: [secret] })).toEqual(event);
  });

  const late = new Date(Date.now() - 600_000);
  const early = new Date(Date.now() + 600_000);
  it.each<[string, Parameters<typeof verifyWebhook>[0]]>([
    ['another secret', { body, headers: signed(body, new Date(), other), secrets: secret }],
    ['no secret', { body, headers: signed(body), secrets: [] }],
    ['a changed body', { body: `${body} `, headers: signed(body), secrets: secret }],
    ['an old time', { body, headers: signed(body, late), secrets: secret }],
    ['a time to come', { body, headers: signed(body, early), secrets: secret }],
    ['another id', { body, headers: { ...signed(body), 'webhook-id': 'msg_2' }, secrets: secret }],
    ['no headers', { body, headers: {}, secrets: secret }],
    [
      'a time that is none',
      { body, headers: { ...signed(body), 'webhook-timestamp': 'NaN' }, secrets: secret },
    ],
    [
      'half a signature',
      {
        body,
        headers: {
          ...signed(body),
          'webhook-signature': signed(body)['webhook-signature']!.slice(0, 20),
        },
        secrets: secret,
      },
    ],
  ])('throws at %s', (_, delivery) => {
    expect(() => verifyWebhook(delivery)).toThrow('not verified');
  });

  it.each([
    '',
    'whsec_',
    'whsec_%%',
    `"${secret}"`,
    `${secret},${other}`,
    [secret, ''],
    ['', secret],
    [secret, undefined as unknown as string],
  ])(
    'throws for the secret %p, which proves nothing, and says that it is the secret',
    async (secrets) => {
      const empty = createHmac('sha256', '').update(`msg_1.${signed(body)['webhook-timestamp']}.`);
      const signature = `v1,${empty.update(body).digest('base64')}`;
      const headers = { ...signed(body), 'webhook-signature': signature };
      expect(() => verifyWebhook({ body, headers, secrets })).toThrow(WebhookSetupError);
      const sentence = typeof secrets === 'string' ? /webhook's secret (is|has)/ : /secrets\[\d\]/;
      expect(() => verifyWebhook({ body, headers, secrets })).toThrow(sentence);
      expect(() => verifyWebhook({ body, headers, secrets })).not.toThrow(/0123456789/);
      await expect(verifyWebhookAsync({ body, headers, secrets })).rejects.toThrow(sentence);
    },
  );

  it('does the same by WebCrypto, where there is no module of Node', async () => {
    const { getBuiltinModule } = process;
    Object.assign(process, { getBuiltinModule: undefined });
    try {
      const event = { ...(JSON.parse(body) as object), isTest: true };
      for (const given of [body, new TextEncoder().encode(body)]) {
        const delivery = { body: given, headers: signed(body), secrets: [other, secret] };
        expect(await verifyWebhookAsync(delivery)).toEqual(event);
      }
      const delivery = { body: `${body} `, headers: signed(body), secrets: secret };
      await expect(verifyWebhookAsync(delivery)).rejects.toThrow('not verified');
      expect(() => verifyWebhook({ ...delivery, body })).toThrow('verifyWebhookAsync');
    } finally {
      Object.assign(process, { getBuiltinModule });
    }
  });

  it('verifies what signForTest makes, as the libraries of others do', () => {
    const event = { type: 'payout.created' as const, data: { object: { id: 'p-1' } } };
    const delivery = signForTest({ secret, event });
    const verified = verifyWebhook({ ...delivery, secrets: secret });
    expect(verified).toMatchObject({ ...event, mode: 'test', isTest: false });
    expect(new Webhook(secret).verify(delivery.body, delivery.headers)).toMatchObject(event);
    const old = signForTest({ secret, event, at: late });
    expect(() => verifyWebhook({ ...old, secrets: secret })).toThrow('the time');
    const ping = signForTest({ secret, event: { ...event, test: true } });
    expect(verifyWebhook({ ...ping, secrets: secret }).isTest).toBe(true);
  });

  it('takes another tolerance', () => {
    const headers = signed(body, late);
    expect(
      verifyWebhook({ body, headers, secrets: secret, toleranceSeconds: 3_600 }),
    ).toBeDefined();
  });
});

describe('a receiver of the real deliveries', () => {
  let app: TestApp;
  let client: AffiliateClient;
  let server: Server | undefined;
  const events: VerifiedEvent[] = [];
  const secrets: string[] = [];
  let fails = false;
  const onEvent = (event: VerifiedEvent): void => {
    if (fails) throw new Error('not now');
    events.push(event);
  };

  beforeAll(async () => {
    app = await startTestApp();
    const member = await buildMember(app.deps.db.manager, { role: 'admin' });
    const { accessToken } = await signIn(app.deps, member);
    client = new AffiliateClient({ accessToken, mode: 'test', baseUrl: app.url });
  });
  beforeEach(() => {
    events.splice(0);
    secrets.splice(0);
    fails = false;
  });
  afterEach(() => server?.close());
  afterAll(() => app.close());

  type CreateApp<App> = (options: { secrets: string[]; onEvent: typeof onEvent }) => App;

  /** The guide's own examples, but for the second one of Express. */
  const frameworks: [string, () => RequestListener][] = [
    [
      'Express',
      () => {
        const { createApp } = serverExample<{ createApp: CreateApp<express.Express> }>(
          'express-webhook.mjs',
        );
        const site = createApp({ secrets, onEvent });
        site.use((_: unknown, _request: unknown, response: express.Response, _next: unknown) =>
          response.sendStatus(500),
        );
        return site;
      },
    ],
    [
      'Express, after express.raw()',
      () => {
        const site = express();
        site.use(express.raw({ type: 'application/json' }));
        return site.post('/webhooks', forExpress({ secrets }, onEvent));
      },
    ],
    [
      'Koa',
      () => {
        const { createApp } = serverExample<{ createApp: CreateApp<Koa> }>('koa-webhook.mjs');
        const site = createApp({ secrets, onEvent });
        site.silent = true;
        return site.callback();
      },
    ],
  ];

  const listen = async (site: RequestListener): Promise<string> => {
    server = createServer(site).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
  };

  it.each(frameworks)('%s: events, refusals, and failures that come again', async (_, site) => {
    const url = await listen(site());
    const { id, signingSecret } = await client.webhooks.create({
      url,
      events: ['commission.created'],
    });
    expect(await client.webhooks.ping({ id })).toMatchObject({
      success: false,
      httpStatusCode: 400,
    });
    secrets.push(signingSecret);
    expect(await client.webhooks.ping({ id })).toMatchObject({
      success: true,
      httpStatusCode: 204,
    });
    expect(events).toEqual([expect.objectContaining({ type: 'webhook.test', mode: 'test' })]);
    fails = true;
    expect(await client.webhooks.ping({ id })).toMatchObject({
      success: false,
      httpStatusCode: 500,
    });
  });

  // Next.js itself runs by night: it is half as large as all that this service installs.
  it('Next.js: its route handler answers the deliveries that came', async () => {
    const deliveries: Request[] = [];
    const url = await listen((request, response) => {
      void (async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        const headers = new Headers(request.headers as Record<string, string>);
        deliveries.push(new Request(url, { method: 'POST', headers, body: Buffer.concat(chunks) }));
        response.end();
      })();
    });
    const { id, signingSecret } = await client.webhooks.create({
      url,
      events: ['commission.approved'],
    });
    await client.webhooks.ping({ id });
    process.env['AFFILIATE_WEBHOOK_SECRET'] = signingSecret;
    const booked: unknown[] = [];
    const { POST } = serverExample<{ POST: (request: Request) => Promise<Response> }>(
      'nextjs-webhook.mjs',
      { '../../lib/book': { book: (event: string) => booked.push(event) } },
    );
    delete process.env['AFFILIATE_WEBHOOK_SECRET'];
    const approved = JSON.stringify({ id: 'evt_1', type: 'commission.approved', data: {} });
    const signedBy = (text: string, by: string) =>
      new Request(url, { method: 'POST', headers: signed(text, new Date(), by), body: text });
    deliveries.push(signedBy(approved, signingSecret), signedBy(approved, other));
    const answers = await Promise.all(deliveries.map((delivery) => POST(delivery)));
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 400]);
    expect(booked).toEqual(['evt_1']);
  });
});

describe('withClick', () => {
  const sent: URLSearchParams[] = [];
  const stripe = new Stripe('sk_test_x', {
    httpClient: Stripe.createFetchHttpClient((_url, options) => {
      sent.push(new URLSearchParams(String(options?.body)));
      return Promise.resolve(Response.json({ id: 'cs_test_1', object: 'checkout.session' }));
    }),
  });
  const create = async (params: Stripe.Checkout.SessionCreateParams, clickId: string | null) => {
    await stripe.checkout.sessions.create(withClick(params, clickId));
    return Object.fromEntries(sent.pop() ?? []);
  };

  it('puts the click beside what is there', async () => {
    const params: Stripe.Checkout.SessionCreateParams = {
      mode: 'subscription',
      metadata: { cart: '1' },
      subscription_data: { trial_period_days: 7, metadata: { plan: 'a' } },
    };
    expect(await create(params, 'c-1')).toEqual({
      mode: 'subscription',
      client_reference_id: 'c-1',
      'metadata[cart]': '1',
      'metadata[aff_click_id]': 'c-1',
      'subscription_data[trial_period_days]': '7',
      'subscription_data[metadata][plan]': 'a',
      'subscription_data[metadata][aff_click_id]': 'c-1',
    });
  });

  it('leaves a reference of your own, a session without a click, and one-off payments alone', async () => {
    const params = { mode: 'payment', client_reference_id: 'cart-1' } as const;
    expect(await create(params, 'c-1')).toEqual({
      mode: 'payment',
      client_reference_id: 'cart-1',
      'metadata[aff_click_id]': 'c-1',
    });
    expect(await create(params, null)).toEqual(params);
  });
});
