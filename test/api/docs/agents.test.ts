import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import Stripe from 'stripe';
import { AffiliateClient, type ConversionDto } from '../../../packages/client/src';
import { moduleOf } from '../../browser/integrate/examples';
import { useApp } from '../../support/app';
import { buildApiKey } from '../../support/build/accounts';

interface Order {
  id: string;
  clickId: string | null;
  amountCents: number;
  customerId: string;
}
interface Guide {
  reportSale(order: Order): Promise<ConversionDto | null>;
  reportRefund(id: string, refund: { id: string; amountCents: number }): Promise<unknown>;
  createCheckout(stripe: Stripe, price: string, clickId: string | null): Promise<unknown>;
  setUp(name: string): Promise<{ programId: string; referralCode: string }>;
  openCents(programId: string): Promise<number>;
  createApp(secrets: string[]): Express;
}

const app = useApp();

/** All blocks of the page, with a service and keys that are there. */
async function guideWith(keys: { secret: string; management: string }): Promise<Guide> {
  const page = await (await fetch(`${app.url}/api/docs/agents.md`)).text();
  const [, served = ''] = /baseUrl: '(.*)'/.exec(page) ?? [];
  const code = page
    .replaceAll(`'${served}'`, `'${app.url}'`)
    .replaceAll('sk_test_YOUR_KEY', keys.secret)
    .replaceAll('mk_test_YOUR_KEY', keys.management);
  const blocks = [...code.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, block = '']) => block);
  return Object.assign({}, ...blocks.map((block) => moduleOf<object>(block))) as Guide;
}

it('the guide for coding agents works as it stands', async () => {
  const db = app.deps.db.manager;
  const secret = await buildApiKey(db, { mode: 'test' });
  const { workspaceId } = secret;
  const kind = { workspaceId, mode: 'test' as const };
  const management = await buildApiKey(db, { ...kind, kind: 'management', role: 'admin' });
  const { key: apiKey } = await buildApiKey(db, { ...kind, kind: 'public' });
  const manager = new AffiliateClient({ apiKey: management.key, baseUrl: app.url });

  const log = jest.spyOn(console, 'log').mockImplementation(() => undefined);
  const site = createServer().listen(0, '127.0.0.1');
  await once(site, 'listening');
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/webhooks`;
  const endpoint = await manager.webhooks.create({ url, events: ['*'] });
  const guide = await guideWith({ secret: secret.key, management: management.key });
  site.on('request', guide.createApp([endpoint.signingSecret]));
  expect(await manager.webhooks.ping({ id: endpoint.id })).toMatchObject({ success: true });
  site.close();
  log.mockRestore();

  const { programId, referralCode } = await guide.setUp('Agents');
  const pages = new AffiliateClient({ apiKey, baseUrl: app.url });
  const { click_id: clickId } = await pages.tracking.recordClick(
    { ref: referralCode },
    { headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0 Safari/537.36' } },
  );
  const order = { id: 'order_1', clickId, amountCents: 5_000, customerId: 'customer_1' };
  const sale = await guide.reportSale(order);
  expect(sale).toMatchObject({ attributed: true });
  expect(await guide.reportSale(order)).toBeNull();
  expect(await guide.reportSale({ ...order, id: 'order_2', clickId: null })).not.toBeNull();
  const stranger = { ...order, id: 'order_3', clickId: null, customerId: 'customer_2' };
  expect(await guide.reportSale(stranger)).toBeNull();
  await guide.reportRefund(sale?.id ?? '', { id: 're_1', amountCents: 2_500 });
  expect(await guide.openCents(programId)).toBe(500);

  let sent = '';
  const httpClient = Stripe.createFetchHttpClient((_url, options) => {
    sent = String(options?.body);
    return Promise.resolve(Response.json({ id: 'cs_test_1', object: 'checkout.session' }));
  });
  await guide.createCheckout(new Stripe('sk_test_x', { httpClient }), 'price_1', 'c-1');
  expect(new URLSearchParams(sent).get('subscription_data[metadata][aff_click_id]')).toBe('c-1');
});
