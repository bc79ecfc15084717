import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { buildSnippet } from '../../api/snippet/build';
import {
  describeInBrowser,
  launchBrowser,
  launchProfile,
  visitorUserAgent,
} from '../support/browser';
import {
  clickId,
  json,
  recorded,
  startService,
  startSite,
  visitorToken,
  type FakeService,
  type FakeSite,
} from './stage';

describeInBrowser('a click that is kept', () => {
  let browser: Browser;
  let service: FakeService;
  let site: FakeSite;
  let context: BrowserContext;
  let page: Page;

  const tag = (attributes: string) =>
    `<!doctype html><script src="${service.origin}/v1/selgeo.js" data-merchant="pk_test_x" ${attributes}></script>`;
  const current = (tab: Page) => tab.evaluate<string | null>('__selgeo.getClickId()');
  const answered = (tab: Page) =>
    tab.evaluate<string | null>('new Promise((resolve) => __selgeo.ready(resolve))');
  const visit = async (tab: Page, host: string, path: string) => {
    await tab.goto(site.at(host) + path);
    return answered(tab);
  };

  beforeAll(async () => {
    [browser, service, site] = await Promise.all([launchBrowser(), startService(), startSite()]);
    site.put('/', tag('data-keep'));
    site.put('/plain', tag(''));
    site.put('/manual', tag('data-keep data-manual'));
    site.put('/sealed', '<iframe sandbox="allow-scripts" src="/?ref=acme"></iframe>');
  });
  afterAll(() => Promise.all([browser.close(), service.close(), site.close()]));
  beforeEach(async () => {
    service.reset();
    context = await browser.newContext({ userAgent: visitorUserAgent });
    page = await context.newPage();
    page.on('pageerror', (error) => {
      throw error;
    });
  });
  afterEach(() => context.close());

  it('is known on every host of the domain, in a new tab, until the click expires', async () => {
    expect(await visit(page, 'www.shop.example', '/?ref=acme')).toBe(clickId);

    const tab = await context.newPage();
    expect(await visit(tab, 'app.shop.example', '/')).toBe(clickId);
    expect(await visit(tab, 'other.example', '/')).toBeNull();
    expect(await service.clicks(1)).toHaveLength(1);
    expect(await context.cookies()).toEqual([
      expect.objectContaining({
        name: '__selgeo_cid',
        value: clickId,
        domain: '.shop.example',
        path: '/',
        sameSite: 'Lax',
        secure: false,
      }),
    ]);
    const [cookie] = await context.cookies();
    // The browser cuts what is longer than its own bound, 400 days.
    const bound = Math.min(Date.UTC(2030, 0, 1), Date.now() + 400 * 86_400_000);
    expect(Math.abs((cookie?.expires ?? 0) * 1_000 - bound)).toBeLessThan(86_400_000);
  });

  it.each([
    ['shop.co.uk', '.shop.co.uk'],
    ['a.b.shop.example', '.shop.example'],
    ['localhost', 'localhost'],
    ['127.0.0.1', '127.0.0.1'],
  ])('lies on the widest domain that the browser takes: %s', async (host, domain) => {
    expect(await visit(page, host, '/?ref=acme')).toBe(clickId);
    expect((await context.cookies()).map((cookie) => cookie.domain)).toEqual([domain]);
  });

  it('is secure on https', async () => {
    const { code } = buildSnippet();
    const answers: Record<string, { contentType: string; body: string }> = {
      '/': {
        contentType: 'text/html',
        body: '<script src="/v1/selgeo.js" data-merchant="pk_test_x" data-keep></script>',
      },
      '/v1/selgeo.js': { contentType: 'text/javascript', body: code },
      '/v1/clicks': {
        contentType: 'application/json',
        body: JSON.stringify({ click_id: clickId, expires_at: '2030-01-01T00:00:00.000Z' }),
      },
    };
    await page.route('https://www.shop.example/**', (route) =>
      route.fulfill(answers[new URL(route.request().url()).pathname] ?? { status: 404 }),
    );
    await page.goto('https://www.shop.example/?ref=acme');
    expect(await answered(page)).toBe(clickId);
    expect((await context.cookies())[0]).toMatchObject({ domain: '.shop.example', secure: true });
  });

  it('is neither set nor read without the attribute', async () => {
    expect(await visit(page, 'www.shop.example', '/plain?ref=acme')).toBe(clickId);
    expect(await context.cookies()).toEqual([]);
    const tab = await context.newPage();
    expect(await visit(tab, 'app.shop.example', '/plain')).toBeNull();
    expect(await visit(tab, 'www.shop.example', '/plain')).toBeNull();

    expect(await visit(page, 'www.shop.example', '/?ref=acme')).toBe(clickId);
    expect(await visit(tab, 'app.shop.example', '/plain')).toBeNull();
    expect(await visit(tab, 'app.shop.example', '/')).toBe(clickId);
  });

  it('gives way to the click of the tab, and to a newer one', async () => {
    await visit(page, 'www.shop.example', '/?ref=acme');
    const other = '0199f5a0-1111-7000-8000-00000000000b';
    service.onClick(recorded(other));
    const tab = await context.newPage();
    expect(await visit(tab, 'www.shop.example', '/?ref=other')).toBe(other);

    expect(await visit(page, 'www.shop.example', '/')).toBe(clickId);
    expect(await visit(await context.newPage(), 'www.shop.example', '/')).toBe(other);
    expect(await context.cookies()).toHaveLength(1);
  });

  it('stays when a later ref is unknown', async () => {
    await visit(page, 'www.shop.example', '/?ref=acme');
    service.onClick(json(200, { click_id: null, recorded: false, reason: 'unknown_ref' }));
    const tab = await context.newPage();
    expect(await visit(tab, 'www.shop.example', '/?ref=nobody')).toBe(clickId);
  });

  it('is kept only after start() where the page waits for consent', async () => {
    await page.goto(`${site.at('www.shop.example')}/manual?ref=acme`);
    await page.waitForLoadState('networkidle');
    expect(await context.cookies()).toEqual([]);
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    expect(service.requests.filter(({ path }) => path === '/v1/clicks')).toEqual([]);

    await page.evaluate('__selgeo.start()');
    expect(await answered(page)).toBe(clickId);
    expect(await context.cookies()).toHaveLength(1);
  });

  it('lives in memory where the browser refuses storage and cookies', async () => {
    await page.goto(`${site.at('www.shop.example')}/sealed`);
    const frame = page.frames()[1];
    await frame?.waitForFunction(`window.__selgeo && __selgeo.getClickId() === '${clickId}'`);
    expect(await context.cookies()).toEqual([]);
  });

  it('outlives the browser, which a click of a tab does not', async () => {
    const profile = mkdtempSync(join(tmpdir(), 'selgeo-profile-'));
    try {
      const first = await launchProfile(profile);
      const tab = await first.newPage();
      expect(await visit(tab, 'www.shop.example', '/?ref=acme')).toBe(clickId);
      expect(await visit(tab, 'www.plain.example', '/plain?ref=acme')).toBe(clickId);
      await first.close();

      const second = await launchProfile(profile);
      const later = await second.newPage();
      expect(await visit(later, 'app.shop.example', '/')).toBe(clickId);
      expect(await visit(later, 'www.plain.example', '/plain')).toBeNull();
      await second.close();
    } finally {
      rmSync(profile, { recursive: true, force: true });
    }
  });

  it('sends the visitor token of its tab only', async () => {
    await visit(page, 'www.shop.example', '/?ref=acme');
    const tab = await context.newPage();
    await visit(tab, 'www.shop.example', '/?ref=acme');
    expect(await current(tab)).toBe(clickId);
    const tokens = (await service.clicks(2)).map(
      ({ body }) => (JSON.parse(body) as { visitor_token: string }).visitor_token,
    );
    expect(tokens).not.toContain(visitorToken);
  });
});
