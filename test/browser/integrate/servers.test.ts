import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Paddle, type Environment } from '@paddle/paddle-node-sdk';
import { createPolar } from '@polar-sh/sdk/2026-04';
import type { Page } from 'playwright-core';
import Stripe from 'stripe';
import { claimAnyPort } from '../../../stack/parts/ports';
import { startTestApp, type TestApp } from '../../support/app';
import { startBillerStandIn } from '../../support/billers/stand-in';
import { describeInBrowser, launchProfile } from '../../support/browser';
import { buildApiKey } from '../../support/build/accounts';
import { buildTrackedShop, type TrackedShop } from '../../support/shops/tracked-shop';
import { startSite, type FakeSite } from '../stage';
import { example, serverExample, type Setting } from './examples';

interface Sale {
  attributed: boolean;
  attribution: { reason: string; click_id: string };
}
type ReportSale = (
  service: { apiUrl: string; secretKey: string },
  order: Record<string, unknown>,
) => Promise<Sale | null>;
type SetUp = (
  service: Record<'apiUrl' | 'managementKey', string>,
) => Promise<Record<'programId' | 'link', string>>;
type RedirectServer = (options: Record<string, string>) => Server;
type CreateCheckout = (stripe: Stripe, order: Record<string, unknown>) => Promise<unknown>;

const { reportSale } = serverExample<{ reportSale: ReportSale }>('report-sale.mjs');
const { reportSignUp } = serverExample<{ reportSignUp: ReportSale }>('sign-up.mjs');
const { setUp } = serverExample<{ setUp: SetUp }>('set-up.mjs');
const { redirectServer } = serverExample<{ redirectServer: RedirectServer }>('redirect.mjs');
const { createCheckout } = serverExample<{ createCheckout: CreateCheckout }>('stripe-checkout.mjs');
type Order = Record<'clickId' | 'userId', string | null>;
type CreateTransaction = (paddle: Paddle, order: Order & { priceId: string }) => Promise<unknown>;
type PolarCheckout = (
  polar: ReturnType<typeof createPolar>,
  order: Order & { productId: string },
) => Promise<unknown>;
const atPaddle = serverExample<{ createTransaction: CreateTransaction }>('paddle-checkout.mjs');
const atPolar = serverExample<{ createCheckout: PolarCheckout }>('polar-checkout.mjs');

const day = 24 * 3_600_000;

describeInBrowser('the examples of docs/integrate.md, on a server', () => {
  let app: TestApp;
  let site: FakeSite;
  let shop: TrackedShop;
  let setting: Setting;
  let service: { apiUrl: string; secretKey: string };
  let profile: string;

  beforeAll(async () => {
    [app, site] = await Promise.all([startTestApp(), startSite()]);
    shop = await buildTrackedShop(app);
    const { workspaceId } = shop.key;
    const secret = await buildApiKey(app.deps.db.manager, { workspaceId, mode: 'test' });
    setting = { apiUrl: app.url, publicKey: shop.key.key };
    service = { apiUrl: app.url, secretKey: secret.key };
    profile = mkdtempSync(join(tmpdir(), 'selgeo-profile-'));
  }, 90_000);
  afterEach(() => app.deps.clock.set(undefined));
  afterAll(async () => {
    rmSync(profile, { recursive: true, force: true });
    await Promise.all([site.close(), app.close()]);
  });

  const order = (id: string, clickId: unknown) =>
    reportSale(service, {
      id,
      clickId,
      amountCents: 4_900,
      currency: 'usd',
      customerId: `customer-${id}`,
    });
  const known = (page: Page) =>
    page.evaluate<string | null>('new Promise((resolve) => __selgeo.ready(resolve))');

  it('reports a sale once, and is content where nobody is to be credited', async () => {
    const { body } = await shop.click();
    expect(await order('once', body.click_id)).toMatchObject({ attributed: true });
    expect(await order('once', body.click_id)).toBeNull();
    expect(await order('nobody', null)).toBeNull();
    const nobody = { id: 'nobody', clickId: null, billerIds: [] };
    expect(await reportSignUp(service, nobody)).toBeNull();
    const user = { id: 'customer-later', clickId: body.click_id, billerIds: ['cus_later'] };
    expect(await reportSignUp(service, user)).toMatchObject({ attributed: true });
    expect(await order('later', null)).toMatchObject({ attributed: true });
    await expect(
      reportSale({ ...service, secretKey: 'sk_test_wrong' }, { id: 'x', amountCents: 1 }),
    ).rejects.toMatchObject({ code: 'INVALID_API_KEY' });
  });

  it('takes the click of an order in Next.js to its report', async () => {
    const { body } = await shop.click();
    process.env['AFFILIATE_SECRET_KEY'] = service.secretKey;
    const reported: unknown[] = [];
    const { POST } = serverExample<{ POST: (request: Request) => Promise<Response> }>(
      'nextjs-orders.mjs',
      {
        '../../lib/payments': {
          takePayment: ({ clickId }: { clickId: string }) => ({
            ...{ id: 'next-order', clickId, amountCents: 4_900, currency: 'usd' },
          }),
        },
        '../../lib/report-sale': {
          reportSale: async ({ secretKey }: { secretKey: string }, sold: Record<string, unknown>) =>
            reported.push(await reportSale({ apiUrl: app.url, secretKey }, sold)),
        },
      },
    );
    delete process.env['AFFILIATE_SECRET_KEY'];
    const order = JSON.stringify({ clickId: body.click_id });
    const answer = await POST(new Request('http://localhost/', { method: 'POST', body: order }));
    expect(await answer.json()).toEqual({ id: 'next-order' });
    expect(reported).toMatchObject([{ attributed: true }]);
  });

  it('sets up a programme whose first link counts', async () => {
    const { workspaceId } = shop.key;
    const { key: managementKey } = await buildApiKey(app.deps.db.manager, {
      ...{ workspaceId, mode: 'test', kind: 'management', role: 'admin' },
    });
    const { link } = await setUp({ apiUrl: app.url, managementKey });
    const ref = new URL(link).searchParams.get('ref');
    const { body } = await shop.click({ ref });
    expect(await order('set up', body.click_id)).toMatchObject({ attributed: true });
  });

  it.each([
    ['keep.html', true],
    ['plain.html', false],
  ])(
    'a click on www, the browser closed, a sale on app the next day: %s, credited: %p',
    async (name, isCredited) => {
      site.put('/', `<!doctype html>${example(name, setting)}`);
      const first = await launchProfile(profile);
      const landing = await first.newPage();
      await landing.goto(`${site.at(`www.${name}.example`)}/?ref=acme`);
      const clicked = await known(landing);
      expect(clicked).toMatch(/^[0-9a-f-]{36}$/);
      await first.close();

      app.deps.clock.advance(day);
      const second = await launchProfile(profile);
      const checkout = await second.newPage();
      await checkout.goto(site.at(`app.${name}.example`));
      const brought = await known(checkout);
      await second.close();
      expect(brought).toBe(isCredited ? clicked : null);
      const sale = await order(name, brought);

      expect(sale).toEqual(
        isCredited
          ? expect.objectContaining({
              attributed: true,
              attribution: expect.objectContaining({ reason: 'ATTRIBUTED', click_id: clicked }),
            })
          : null,
      );
    },
  );

  it('counts a link on its own domain, whose cookie the pages know', async () => {
    const port = await claimAnyPort();
    const server = redirectServer({
      ...service,
      shopUrl: `${site.at('www.redirect.example')}/`,
      cookie: 'Domain=redirect.example; Path=/; SameSite=Lax',
    }).listen(port, '127.0.0.1');
    site.put('/', `<!doctype html>${example('keep.html', setting)}`);
    const context = await launchProfile(mkdtempSync(join(profile, 'visitor-')));
    const page = await context.newPage();
    await page.goto(`http://go.redirect.example:${port}/acme`);
    const clickId = await known(page);
    const headers = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0' };
    const again = async (more: object) => {
      const answer = await fetch(`http://127.0.0.1:${port}/acme`, {
        ...{ redirect: 'manual', headers: { ...headers, ...more } },
      });
      return answer.headers.getSetCookie().map((one) => one.split(';')[0] ?? '');
    };
    const first = await again({});
    const second = await again({ Cookie: first.join('; ') });
    const other = await again({});
    const unknown = await fetch(`http://127.0.0.1:${port}/nobody`, { redirect: 'manual' });
    await context.close();
    server.closeAllConnections();
    server.close();

    // The same visitor within half an hour is one click; another one is another.
    expect(first).toHaveLength(2);
    expect([second, other[0] === first[0]]).toEqual([first, false]);
    expect([unknown.status, unknown.headers.get('set-cookie')]).toEqual([302, null]);
    expect(page.url()).toBe(`${site.at('www.redirect.example')}/`);
    const click = (await shop.storedClicks()).find(({ id }) => id === clickId);
    expect(click?.userAgent).toContain('Chrome/');
    expect(await order('redirected', clickId)).toMatchObject({ attributed: true });
  });

  it('hands the click to Stripe with the session and the subscription', async () => {
    const sent: URLSearchParams[] = [];
    const stripe = new Stripe('sk_test_x', {
      httpClient: Stripe.createFetchHttpClient((_url, options) => {
        sent.push(new URLSearchParams(String(options?.body)));
        return Promise.resolve(Response.json({ id: 'cs_test_1', object: 'checkout.session' }));
      }),
    });
    await createCheckout(stripe, { priceId: 'price_1', clickId: 'c-1', successUrl: 'https://a/' });
    await createCheckout(stripe, { priceId: 'price_1', clickId: null, successUrl: 'https://a/' });

    expect(sent[0]?.get('metadata[aff_click_id]')).toBe('c-1');
    expect(sent[0]?.get('subscription_data[metadata][aff_click_id]')).toBe('c-1');
    expect([...(sent[1]?.keys() ?? [])].filter((field) => field.includes('aff'))).toEqual([]);
  });

  it("hands the click to Paddle and Polar by their own libraries, with the shop's id of the customer", async () => {
    const vendor = await startBillerStandIn();
    const paddle = new Paddle('pdl_sdbx_key', { environment: vendor.url as Environment });
    const polar = createPolar({ accessToken: 'polar_oat_key', baseUrl: vendor.url });
    vendor.set('POST /v1/checkouts', {});
    // What the vendor answers is no part of this.
    const sent = async (call: Promise<unknown>) => {
      await call.catch(() => undefined);
      return vendor.calls.at(-1)?.body;
    };
    const known = { clickId: 'c-1', userId: 'user-1' };
    const unknown = { clickId: null, userId: null };
    const bought = { priceId: 'pri_1', productId: 'product-1' };
    const items = [{ price_id: 'pri_1', quantity: 1 }];
    expect(await sent(atPaddle.createTransaction(paddle, { ...bought, ...known }))).toEqual({
      items,
      custom_data: { aff_click_id: 'c-1', customer_id: 'user-1' },
    });
    expect(await sent(atPaddle.createTransaction(paddle, { ...bought, ...unknown }))).toEqual({
      items,
    });
    expect(await sent(atPolar.createCheckout(polar, { ...bought, ...known }))).toMatchObject({
      products: ['product-1'],
      metadata: { aff_click_id: 'c-1' },
      external_customer_id: 'user-1',
    });
    const bare = await sent(atPolar.createCheckout(polar, { ...bought, ...unknown }));
    expect(Object.keys(bare ?? {}).sort()).toEqual(['products', 'success_url']);
    await vendor.close();
  });
});
