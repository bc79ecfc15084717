import type { Browser, BrowserContext, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser, visitorUserAgent } from '../support/browser';
import {
  clickId,
  deadOrigin,
  json,
  recorded,
  startService,
  startSite,
  visitorToken,
  type FakeService,
  type FakeSite,
} from './stage';

const key = 'pk_test_0123456789abcdefghijABCDEFGHIJ01';

const stored = (page: Page) => page.evaluate(() => ({ ...sessionStorage }));
const currentClick = (page: Page) =>
  page.evaluate<string | null>('window.__selgeo ? window.__selgeo.getClickId() : "no script"');
const clickArrives = (page: Page, id = clickId) =>
  page.waitForFunction(`window.__selgeo && window.__selgeo.getClickId() === '${id}'`);

describeInBrowser('the browser script records clicks', () => {
  let browser: Browser;
  let service: FakeService;
  let site: FakeSite;
  let context: BrowserContext;
  let page: Page;
  let errors: string[];

  const tag = (attributes = '') =>
    `<script async src="${service.origin}/v1/selgeo.js" data-merchant="${key}" ${attributes}></script>`;
  const html = (body: string) => `<!doctype html><title>Shop</title>${body}`;
  const open = (path: string) => page.goto(site.origin + path);

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
    site.put('/', html(tag()));
  });

  // What holds on every page, whatever happened there.
  afterEach(async () => {
    expect(errors).toEqual([]);
    expect(await context.cookies()).toEqual([]);
    expect(service.requests.map(({ method }) => method)).not.toContain('OPTIONS');
    await context.close();
  });

  it('sends ref, url and referrer as a simple request and keeps the answer', async () => {
    await page.goto(`${site.origin}/?ref=Acme&x=1#top`, {
      referer: 'https://blog.example/post',
    });
    await clickArrives(page);

    const [click] = await service.clicks(1);
    expect(click?.headers['content-type']).toMatch(/^text\/plain/);
    expect(click?.headers).not.toHaveProperty('cookie');
    expect(click?.headers).not.toHaveProperty('authorization');
    expect(JSON.parse(click?.body ?? '')).toEqual({
      key,
      ref: 'Acme',
      url: `${site.origin}/?ref=Acme&x=1#top`,
      referrer: 'https://blog.example/post',
      visitor_token: expect.stringMatching(/^new(\.\d+){4}$/),
    });
    expect(await stored(page)).toEqual({
      __selgeo_cid: clickId,
      __selgeo_vtk: visitorToken,
    });
  });

  it('adds nothing to the page but globals and storage keys of its name', async () => {
    site.put('/bare', html('<p>Hello</p>'));
    await open('/bare');
    const before = await page.evaluate(() => Object.getOwnPropertyNames(window));

    await open('/?ref=acme');
    await clickArrives(page);

    const added = await page.evaluate(
      (known) => Object.getOwnPropertyNames(window).filter((name) => !known.includes(name)),
      before,
    );
    expect(added).toEqual(['__selgeo', '__selgeoQueue']);
    expect(await page.evaluate(() => ({ ...localStorage }))).toEqual({});
  });

  it('sends the visitor token of an earlier click', async () => {
    await open('/?ref=acme');
    await clickArrives(page);
    service.onClick(recorded('0199f5a0-1111-7000-8000-00000000000b'));
    await open('/?ref=other');
    await clickArrives(page, '0199f5a0-1111-7000-8000-00000000000b');

    const [, second] = await service.clicks(2);
    expect(JSON.parse(second?.body ?? '')).toMatchObject({
      ref: 'other',
      visitor_token: visitorToken,
    });
  });

  it('does nothing without a ref, and still answers for an earlier click', async () => {
    await open('/?ref=acme');
    await clickArrives(page);
    site.put('/later', html(tag()));
    await open('/later?reference=1');
    await clickArrives(page);

    expect(await service.clicks(1)).toHaveLength(1);
  });

  it('keeps an earlier click when a ref is unknown', async () => {
    await open('/?ref=acme');
    await clickArrives(page);
    service.onClick(json(200, { click_id: null, recorded: false, reason: 'unknown_ref' }));
    const answered = page.waitForResponse(/\/v1\/clicks$/);
    await open('/?ref=nobody');
    await (await answered).finished();

    expect(await currentClick(page)).toBe(clickId);
    expect(await stored(page)).toEqual({
      __selgeo_cid: clickId,
      __selgeo_vtk: visitorToken,
    });
  });

  it.each([
    ['a refusal', json(401, { statusCode: 401, code: 'INVALID_PUBLIC_KEY' })],
    ['a click id of another type', json(201, { click_id: 5, visitor_token: {} })],
    ['null', json(200, null)],
  ])('shrugs at %s', async (_name, respond) => {
    service.onClick(respond);
    const answered = page
      .waitForEvent('requestfinished', (request) => request.url().endsWith('/v1/clicks'))
      .catch(() => undefined);
    const failed = page.waitForEvent('requestfailed').catch(() => undefined);
    await open('/?ref=acme');
    await Promise.race([answered, failed]);

    expect(await currentClick(page)).toBeNull();
    expect(await stored(page)).toEqual({});
  });

  it('shrugs when the service is down', async () => {
    site.put('/down', html(tag(`data-api-url="${await deadOrigin()}"`)));
    const failed = page.waitForEvent('requestfailed');
    await open('/down?ref=acme');
    await failed;

    expect(await currentClick(page)).toBeNull();
  });

  it('runs when a page inserts its tag later', async () => {
    site.put(
      '/inserted',
      html(`<script>
        setTimeout(function () {
          var s = document.createElement('script');
          s.src = '${service.origin}/v1/selgeo.js';
          s.dataset.merchant = '${key}';
          document.head.appendChild(s);
          s.remove();
        }, 20);
      </script>`),
    );
    await open('/inserted?ref=acme');
    await clickArrives(page);

    expect(await service.clicks(1)).toHaveLength(1);
  });

  it('runs as a module', async () => {
    site.put('/module', html(tag('type="module"')));
    await open('/module?ref=acme');
    await clickArrives(page);
  });

  it('records one click per page load, with two tags too', async () => {
    site.put('/two', html(tag() + tag() + tag('type="module"')));
    await open('/two?ref=acme');
    await page.waitForLoadState('networkidle');
    await clickArrives(page);

    expect(await service.clicks(1)).toHaveLength(1);
  });

  it('records nothing more while a single-page application navigates', async () => {
    await open('/?ref=acme');
    await clickArrives(page);
    await page.evaluate(() => {
      history.pushState({}, '', '/cart?ref=someone');
      history.replaceState({}, '', '/pay');
      window.dispatchEvent(new PopStateEvent('popstate'));
    });
    await page.waitForLoadState('networkidle');

    expect(await service.clicks(1)).toHaveLength(1);
    expect(await currentClick(page)).toBe(clickId);
  });

  it('takes its origin from data-api-url, with or without a slash at the end', async () => {
    site.put(
      '/override',
      html(
        `<script src="/own.js" data-merchant="${key}" data-api-url="${service.origin}/"></script>`,
      ),
    );
    const code = await (await fetch(`${service.origin}/v1/selgeo.js`)).text();
    site.put('/own.js', code, { 'Content-Type': 'text/javascript' });
    await open('/override?ref=acme');
    await clickArrives(page);

    const [click] = await service.clicks(1);
    expect(click?.path).toBe('/v1/clicks');
  });

  it('sends on data-manual only when the page calls start, and then once', async () => {
    site.put('/manual', html(tag('data-manual')));
    await open('/manual?ref=acme');
    await page.waitForFunction('window.__selgeo');
    await page.waitForLoadState('networkidle');
    expect(service.requests.map(({ path }) => path)).not.toContain('/v1/clicks');

    // A router has rewritten the address before the visitor agreed.
    await page.evaluate(() => history.replaceState({}, '', '/welcome'));
    await page.evaluate('window.__selgeo.start(); window.__selgeo.start()');
    await clickArrives(page);

    const clicks = await service.clicks(1);
    expect(clicks).toHaveLength(1);
    expect(JSON.parse(clicks[0]?.body ?? '')).toMatchObject({ ref: 'acme' });
  });

  it('lives in memory where session storage is blocked', async () => {
    await page.addInitScript(() => {
      Object.defineProperty(window, 'sessionStorage', {
        get() {
          throw new DOMException('denied', 'SecurityError');
        },
      });
    });
    await open('/?ref=acme');
    await clickArrives(page);
  });

  it('lives in memory where session storage is full', async () => {
    await page.addInitScript(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError');
      };
    });
    await open('/?ref=acme');
    await clickArrives(page);

    expect(await stored(page)).toEqual({});
  });

  it('lives in memory inside a sandboxed frame', async () => {
    site.put('/framed', html(`<iframe sandbox="allow-scripts" src="/?ref=acme"></iframe>`));
    await open('/framed');

    await service.clicks(1);
    const frame = page.frames()[1];
    await frame?.waitForFunction(`window.__selgeo && window.__selgeo.getClickId()`);
  });

  it('works under a policy that allows only the service', async () => {
    site.put('/strict', html(tag()), {
      'Content-Security-Policy': `default-src 'none'; script-src ${service.origin}; connect-src ${service.origin}`,
    });
    await open('/strict?ref=acme');
    // The policy also forbids evaluating strings, so ask with a function.
    await page.waitForFunction(() => sessionStorage.getItem('__selgeo_cid'));
  });

  it('shrugs under a policy that forbids to connect', async () => {
    site.put('/closed', html(tag()), {
      'Content-Security-Policy': `default-src 'none'; script-src ${service.origin}`,
    });
    await open('/closed?ref=acme');
    await page.waitForFunction(() => '__selgeo' in window);

    expect(await page.evaluate(() => sessionStorage.getItem('__selgeo_cid'))).toBeNull();
  });

  it('delivers the click of a page that is left at once', async () => {
    site.put('/elsewhere', html('gone'));
    site.put(
      '/leaves',
      html(
        `<script src="${service.origin}/v1/selgeo.js" data-merchant="${key}"></script>
         <script>location.href = '/elsewhere'</script>`,
      ),
    );
    service.onClick((request, response) => {
      setTimeout(() => recorded()(request, response), 300);
    });
    await open('/leaves?ref=acme').catch(() => undefined);
    await page.waitForURL('**/elsewhere');

    const [click] = await service.clicks(1);
    expect(JSON.parse(click?.body ?? '')).toMatchObject({ ref: 'acme' });
  });

  it('cuts an endless address, which the browser would not send with keepalive', async () => {
    await open(`/?ref=acme#${'x'.repeat(70_000)}`);
    await clickArrives(page);

    const [click] = await service.clicks(1);
    expect(JSON.parse(click?.body ?? '').url).toHaveLength(2048);
  });
});
