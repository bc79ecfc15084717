import type { Browser, BrowserContext, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser, visitorUserAgent } from '../support/browser';
import {
  clickId,
  recorded,
  startService,
  startSite,
  type FakeService,
  type FakeSite,
} from './stage';

const other = '0199f5a0-1111-7000-8000-00000000000b';
const payment = 'https://buy.stripe.com/abc';
const marked = `${payment}?client_reference_id=${clickId}`;

describeInBrowser('the browser script marks links to payment pages of Stripe and Polar', () => {
  let browser: Browser;
  let service: FakeService;
  let site: FakeSite;
  let context: BrowserContext;
  let page: Page;
  let errors: string[];

  const open = async (body: string, path = '/?ref=acme', attributes = '') => {
    const tag = `<script async src="${service.origin}/v1/selgeo.js" data-merchant="pk_test_x" ${attributes}></script>`;
    site.put('/', `<!doctype html><head>${tag}</head><body>${body}</body>`);
    await page.goto(site.origin + path);
  };
  const clickArrives = (id = clickId) =>
    page.waitForFunction(`window.__selgeo && window.__selgeo.getClickId() === '${id}'`);
  const href = (selector: string) =>
    page.evaluate((found) => document.querySelector(found)?.getAttribute('href'), selector);
  const hrefBecomes = (selector: string, expected: string) =>
    page.waitForFunction(
      ([found, text]) => document.querySelector(found ?? '')?.getAttribute('href') === text,
      [selector, expected],
    );

  beforeAll(async () => {
    [browser, service, site] = await Promise.all([launchBrowser(), startService(), startSite()]);
  });
  afterAll(() => Promise.all([browser.close(), service.close(), site.close()]));

  beforeEach(async () => {
    service.reset();
    errors = [];
    context = await browser.newContext({ userAgent: visitorUserAgent });
    page = await context.newPage();
    page.on('pageerror', (error) => errors.push(String(error)));
  });
  afterEach(async () => {
    expect(errors).toEqual([]);
    await context.close();
  });

  it.each([
    ['a plain one', payment, marked],
    [
      'one with a query',
      `${payment}?a=1&b=%20`,
      `${payment}?a=1&b=%20&client_reference_id=${clickId}`,
    ],
    ['one with a fragment', `${payment}#x`, `${marked}#x`],
    ['one in capitals', 'HTTPS://BUY.STRIPE.COM/abc', marked],
  ])('that are there: %s', async (_name, before, after) => {
    await open(`<a id="pay" href="${before}">Pay</a>`);
    await hrefBecomes('#pay', after);
  });

  it.each([
    ['another host', 'https://stripe.com/abc'],
    ['a subdomain', 'https://x.buy.stripe.com/abc'],
    ['a longer host', 'https://buy.stripe.com.example.org/abc'],
    ['plain http', 'http://buy.stripe.com/abc'],
    ['another port', 'https://buy.stripe.com:8443/abc'],
    ['the host in a query', '/go?to=https://buy.stripe.com/abc'],
    ['a reference of the merchant', `${payment}?client_reference_id=cart-7`],
    ['an empty reference of the merchant', `${payment}?client_reference_id=&a=1`],
    ['an address that is none', 'https://'],
  ])('and leaves alone: %s', async (_name, before) => {
    await open(`<a id="kept" href="${before}">Go</a><a id="pay" href="${payment}">Pay</a>`);
    await hrefBecomes('#pay', marked);

    expect(await href('#kept')).toBe(before);
  });

  it('and leaves alone: links inside a drawing', async () => {
    await open(
      `<svg><a id="kept" href="${payment}"><text>Pay</text></a></svg><a id="pay" href="${payment}">Pay</a>`,
    );
    await hrefBecomes('#pay', marked);

    expect(await href('#kept')).toBe(payment);
  });

  it('that are added later, alone or inside something', async () => {
    await open('<main></main>');
    await clickArrives();
    await page.evaluate((address) => {
      const main = document.querySelector('main')!;
      const link = document.createElement('a');
      link.id = 'alone';
      link.href = address;
      main.append(link, 'text', document.createComment('comment'));
      setTimeout(() => {
        main.insertAdjacentHTML(
          'beforeend',
          `<p><b><a id="inside" href="${address}">Pay</a></b></p>`,
        );
      }, 20);
    }, payment);

    await hrefBecomes('#alone', marked);
    await hrefBecomes('#inside', marked);
  });

  it('that are changed later, or become links only then', async () => {
    await open('<a id="pay" href="/cart">Pay</a><a id="bare">Pay</a>');
    await clickArrives();
    await page.evaluate((address) => {
      document.querySelector<HTMLAnchorElement>('#pay')!.href = address;
      document.querySelector('#bare')!.setAttribute('href', address);
    }, payment);
    await hrefBecomes('#pay', marked);
    await hrefBecomes('#bare', marked);

    await page.evaluate((address) => {
      document.querySelector<HTMLAnchorElement>('#pay')!.href = `${address}-yearly`;
    }, payment);
    await hrefBecomes('#pay', `${payment}-yearly?client_reference_id=${clickId}`);
  });

  it.each(['book', 'donate'])('of other kinds: %s', async (kind) => {
    await open(`<a id="pay" href="https://${kind}.stripe.com/abc">Pay</a>`);
    await hrefBecomes('#pay', `https://${kind}.stripe.com/abc?client_reference_id=${clickId}`);
  });

  it("of domains of one's own, which the page names", async () => {
    await open(
      `<a id="pay" href="https://Pay.shop.example/abc">Pay</a><a id="two" href="https://give.example/1">Give</a>
       <a id="kept" href="https://other.example/">Go</a>`,
      '/?ref=acme',
      'data-stripe-hosts="pay.shop.example, Give.example"',
    );
    await hrefBecomes('#pay', `https://pay.shop.example/abc?client_reference_id=${clickId}`);
    await hrefBecomes('#two', `https://give.example/1?client_reference_id=${clickId}`);
    expect(await href('#kept')).toBe('https://other.example/');
  });

  it.each(['stripe-buy-button', 'stripe-pricing-table'])(
    'and the element %s, there or added later, unless the page gave it a reference',
    async (name) => {
      await open(
        `<${name} id="pay"></${name}><${name} id="kept" client-reference-id="cart-7"></${name}>`,
      );
      const reference = (id: string) =>
        page.waitForFunction(
          ([selector, expected]) =>
            document.querySelector(selector!)?.getAttribute('client-reference-id') === expected,
          [id, clickId],
        );
      await reference('#pay');
      await page.evaluate((tag) => {
        const element = document.createElement(tag);
        element.id = 'later';
        document.body.append(element);
      }, name);
      await reference('#later');

      const kept = await page.evaluate(() =>
        document.querySelector('#kept')?.getAttribute('client-reference-id'),
      );
      expect(kept).toBe('cart-7');
    },
  );

  it('of Polar, whose reference has another name, and of domains that the page names for it', async () => {
    await open(
      `<a id="pay" href="https://buy.polar.sh/polar_cl_x?a=1">Pay</a>
       <a id="own" href="https://Pay.shop.example/x">Pay</a>
       <a id="mine" href="https://buy.polar.sh/polar_cl_x?reference_id=cart-7">Pay</a>
       <a id="kept" href="https://polar.sh/x">Go</a>
       <a id="stripe" href="${payment}?reference_id=cart-7">Pay</a>`,
      '/?ref=acme',
      'data-polar-hosts="pay.shop.example"',
    );
    await hrefBecomes('#pay', `https://buy.polar.sh/polar_cl_x?a=1&reference_id=${clickId}`);
    await hrefBecomes('#own', `https://pay.shop.example/x?reference_id=${clickId}`);
    await hrefBecomes('#stripe', `${payment}?reference_id=cart-7&client_reference_id=${clickId}`);
    expect(await href('#mine')).toBe('https://buy.polar.sh/polar_cl_x?reference_id=cart-7');
    expect(await href('#kept')).toBe('https://polar.sh/x');
    const decorated = await page.evaluate<string>("__selgeo.decorate('https://buy.polar.sh/x')");
    expect(decorated).toBe(`https://buy.polar.sh/x?reference_id=${clickId}`);
  });

  it('and what the page asks it to decorate', async () => {
    const decorate = (url: string) =>
      page.evaluate<string>(`__selgeo.decorate(${JSON.stringify(url)})`);
    await open('', '/');
    await page.waitForFunction('window.__selgeo');
    expect(await decorate(payment)).toBe(payment);

    await open('');
    await clickArrives();
    expect(await decorate(payment)).toBe(marked);
    expect(await decorate(`${payment}?a=1#x`)).toBe(
      `${payment}?a=1&client_reference_id=${clickId}#x`,
    );
    for (const other of [
      'https://shop.example/',
      '/cart',
      '',
      `${payment}?client_reference_id=7`,
    ]) {
      expect(await decorate(other)).toBe(other);
    }
  });

  it('before a click on one leaves the page, also when its address was set in that very click', async () => {
    await open(`<a id="pay" href="#" onclick="this.href='${payment}'">Pay</a>`);
    await clickArrives();
    const left = page.waitForRequest(/buy\.stripe\.com/);
    await page.route('https://buy.stripe.com/**', (route) => route.abort());
    await page.click('#pay');

    expect((await left).url()).toBe(marked);
  });

  it('on later pages without a ref', async () => {
    await open('');
    await clickArrives();
    await open(`<a id="pay" href="${payment}">Pay</a>`, '/');

    await hrefBecomes('#pay', marked);
    expect(await service.clicks(1)).toHaveLength(1);
  });

  it('anew when a later click replaces the one that it wrote', async () => {
    await open('');
    await clickArrives();
    const held: (() => void)[] = [];
    service.onClick((request, response) => {
      held.push(() => recorded(other)(request, response));
    });
    await open(`<a id="pay" href="${payment}?a=1">Pay</a>`, '/?ref=second');

    await hrefBecomes('#pay', `${payment}?a=1&client_reference_id=${clickId}`);
    await service.clicks(2);
    held.forEach((answer) => answer());
    await hrefBecomes('#pay', `${payment}?a=1&client_reference_id=${other}`);
  });

  it('never on a page without a click', async () => {
    await open(`<a id="pay" href="${payment}">Pay</a>`, '/');
    await page.waitForFunction('window.__selgeo');
    await page.evaluate(() => document.body.append(document.createElement('a')));

    expect(await href('#pay')).toBe(payment);
  });

  it('and gives up on a page that keeps undoing it', async () => {
    await open(`<a id="pay" href="${payment}">Pay</a>
      <script>
        var pay = document.querySelector('#pay');
        new MutationObserver(function () {
          if (pay.href !== '${payment}') pay.href = '${payment}';
        }).observe(pay, { attributes: true });
      </script>`);
    await clickArrives();

    expect(await page.evaluate(() => 'still alive')).toBe('still alive');
    expect(await href('#pay')).toBe(payment);
  });
});
