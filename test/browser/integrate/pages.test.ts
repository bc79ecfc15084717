import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startTestApp, type TestApp } from '../../support/app';
import { describeInBrowser, launchBrowser, visitorUserAgent } from '../../support/browser';
import { buildTrackedShop, type TrackedShop } from '../../support/shops/tracked-shop';
import { startSite, type FakeSite } from '../stage';
import { bundledPage, example, type Setting } from './examples';

describeInBrowser('the examples of docs/integrate.md, in a browser', () => {
  let app: TestApp;
  let browser: Browser;
  let site: FakeSite;
  let shop: TrackedShop;
  let setting: Setting;
  let context: BrowserContext;
  let page: Page;
  let errors: string[];

  beforeAll(async () => {
    [app, browser, site] = await Promise.all([startTestApp(), launchBrowser(), startSite()]);
    shop = await buildTrackedShop(app);
    setting = { apiUrl: app.url, publicKey: shop.key.key };
  }, 90_000);
  afterAll(() => Promise.all([browser.close(), site.close(), app.close()]));
  beforeEach(async () => {
    errors = [];
    context = await browser.newContext({ userAgent: visitorUserAgent });
    // Stripe's own scripts are no part of this.
    await context.route('https://js.stripe.com/**', (route) => route.abort());
    page = await context.newPage();
    page.on('pageerror', (error) => errors.push(String(error)));
  });
  afterEach(async () => {
    expect(errors).toEqual([]);
    await context.close();
  });

  const show = async (body: string, headers: Record<string, string> = {}, host = 'www') => {
    site.put('/', `<!doctype html><title>Shop</title><body>${body}`, headers);
    await page.goto(`${site.at(`${host}.shop.example`)}/?ref=acme`);
  };
  const clickArrives = () =>
    page
      .waitForFunction(() => sessionStorage.getItem('__selgeo_cid'))
      .then((found) => found.jsonValue());
  const isStored = async (id: unknown) =>
    expect((await shop.storedClicks()).map((click) => click.id)).toContain(id);

  it.each(['plain.html', 'tag-manager.html', 'single-page.html', 'pinned.html'])(
    'records the click: %s, without a cookie',
    async (name) => {
      await show(example(name, setting));
      await isStored(await clickArrives());
      expect(await context.cookies()).toEqual([]);
    },
  );

  it.each(['keep.html', 'wordpress.html'])('keeps the click: %s', async (name) => {
    await show(example(name, setting));
    const id = await clickArrives();
    await isStored(id);
    expect(await context.cookies()).toMatchObject([{ value: id, domain: '.shop.example' }]);
  });

  it.each(['form.html', 'wordpress.html'])('takes the click into an order: %s', async (name) => {
    const form =
      '<form action="/orders" method="post"><input name="click_id" class="aff-click-id"><button>Order</button></form>';
    const tag = example('plain.html', setting);
    await show(name === 'form.html' ? tag + example(name) : form + example(name, setting));
    const id = await clickArrives();
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('[name=click_id]')?.value,
    );
    const order = site.nextPost();
    await page.click('button');
    expect(await order).toBe(`click_id=${String(id)}`);
  });

  it('Next.js: the layout records, the button hands over', async () => {
    await show(
      bundledPage('nextjs-layout.jsx', setting, 'default') +
        bundledPage('nextjs-buy-button.jsx', setting, 'BuyButton'),
    );
    const id = await clickArrives();
    await isStored(id);
    const order = site.nextPost();
    await page.click('text=Buy');
    expect(JSON.parse(await order)).toEqual({ clickId: id });
  });

  it('consent: nothing before it, the click after it', async () => {
    await show(example('consent.html', setting));
    await page.waitForFunction('window.__selgeo');
    await page.waitForLoadState('networkidle');
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    expect(await context.cookies()).toEqual([]);

    await page.evaluate(() => history.replaceState({}, '', '/later'));
    await page.click('#agree');
    await isStored(await clickArrives());
    expect(await context.cookies()).toHaveLength(1);
  });

  it('Content Security Policy: the two directives are enough', async () => {
    const [name = '', policy = ''] = example('csp.txt', setting).split(/: (.*)/);
    await show(example('plain.html', setting), { [name]: policy });
    await isStored(await clickArrives());
  });

  it('single-page apps: the click outlives the routes', async () => {
    await show(example('single-page.html', setting));
    const id = await clickArrives();
    await page.click('#to-cart');
    expect(new URL(page.url()).search).toBe('');
    const order = site.nextPost();
    await page.click('#pay');
    expect(JSON.parse(await order)).toEqual({ clickId: id });
  });

  it('Payment Links, Buy Button, Pricing Table', async () => {
    await show(example('stripe-pages.html', setting));
    const id = String(await clickArrives());
    const link = `https://buy.stripe.com/test_YOUR_LINK?client_reference_id=${id}`;
    await page.waitForSelector(`a[href="${link}"]`);
    await page.waitForSelector(`stripe-buy-button[client-reference-id="${id}"]`, {
      state: 'attached',
    });
    await page.waitForSelector(`stripe-pricing-table[client-reference-id="${id}"]`, {
      state: 'attached',
    });

    await context.route('https://buy.stripe.com/**', (route) => route.abort());
    const left = page.waitForRequest(/buy\.stripe\.com/);
    await page.click('#upgrade');
    expect((await left).url()).toBe(link);
  });

  it('Paddle.js, which takes the click along', async () => {
    await context.route('https://cdn.paddle.com/**', (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: `window.opened = [];
          window.Paddle = {
            Environment: { set() {} }, Initialize() {},
            Checkout: { open: (options) => window.opened.push(options) },
          };`,
      }),
    );
    await show(example('paddle-pages.html', setting));
    const id = String(await clickArrives());
    await page.click('#buy');
    expect(await page.evaluate('window.opened')).toEqual([
      {
        items: [{ priceId: 'pri_YOUR_PRICE', quantity: 1 }],
        customData: { aff_click_id: id },
      },
    ]);
  });

  it('Checkout Links of Polar', async () => {
    await show(example('polar-pages.html', setting));
    const id = String(await clickArrives());
    await page.waitForSelector(
      `a[href="https://buy.polar.sh/polar_cl_YOUR_LINK?reference_id=${id}"]`,
    );
  });
});
