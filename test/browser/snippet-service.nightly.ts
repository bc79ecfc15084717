import type { Browser, Page } from 'playwright-core';
import { findClick } from '../../activities/clicks/clicks';
import { query } from '../../entities/database/sql';
import { claimAnyPort } from '../../stack/parts/ports';
import { startTestApp, testEnvironment, type TestApp } from '../support/app';
import { describeInBrowser, launchBrowser, visitorUserAgent } from '../support/browser';
import { buildApiKey, type BuiltApiKey } from '../support/build/accounts';
import { buildParticipant } from '../support/build/programs';
import { buildService, startService } from '../support/stack/service-process';
import { startSite, type FakeSite } from './stage';

describeInBrowser('the browser script and the service', () => {
  let app: TestApp;
  let browser: Browser;
  let site: FakeSite;
  let key: BuiltApiKey;
  let page: Page;

  beforeAll(async () => {
    [app, browser, site] = await Promise.all([startTestApp(), launchBrowser(), startSite()]);
    key = await buildApiKey(app.deps.db.manager, { kind: 'public', mode: 'test' });
    await buildParticipant(app.deps.db.manager, {
      workspaceId: key.workspaceId,
      mode: 'test',
      referralCode: 'acme',
    });
    page = await (await browser.newContext({ userAgent: visitorUserAgent })).newPage();
  }, 90_000);
  afterAll(() => Promise.all([browser.close(), site.close(), app.close()]));

  it('count one click of a page that is left before the answer, sent again by the next', async () => {
    const tag = `<script src="${app.url}/v1/selgeo.js" data-merchant="${key.key}"></script>`;
    site.put('/leaves', `<!doctype html>${tag}<script>location.href = '/next'</script>`);
    site.put('/next', `<!doctype html>${tag}`);
    const fresh = await (
      await page.context().browser()!.newContext({ userAgent: visitorUserAgent })
    ).newPage();
    await fresh.goto(`${site.origin}/leaves?ref=acme`).catch(() => undefined);
    await fresh.waitForURL('**/next');
    await fresh.waitForFunction(() => sessionStorage.getItem('__selgeo_cid'));
    const id = await fresh.evaluate(() => sessionStorage.getItem('__selgeo_cid') ?? '');
    const click = await findClick(app.deps.db.manager, key, id);
    const [counted] = await query<{ clicks: number }>(
      app.deps.db.manager,
      'SELECT count(*) AS clicks FROM clicks WHERE visitor_id = $1',
      [click?.visitorId],
    );
    const [all] = await query<{ clicks: number }>(
      app.deps.db.manager,
      'SELECT count(*) AS clicks FROM clicks WHERE workspace_id = $1',
      [key.workspaceId],
    );
    expect([counted?.clicks, all?.clicks]).toEqual([1, 1]);
  });

  const open = async (path: string) => {
    await page.goto(site.origin + path);
    await page.waitForFunction(() => '__selgeo' in window);
    await page.waitForLoadState('networkidle');
    return page.evaluate(() => ({ ...sessionStorage }) as Record<string, string>);
  };

  it('record a visit, know it again, and keep it when the next ref is unknown', async () => {
    const script = `${app.url}/v1/selgeo.js`;
    site.put(
      '/',
      `<!doctype html><script async src="${script}" data-merchant="${key.key}"></script>`,
      {
        // The headers are as strict as a page's can be: its own opener, embedder and content policies.
        'Content-Security-Policy': `default-src 'none'; script-src ${app.url}; connect-src ${app.url}`,
        'Cross-Origin-Embedder-Policy': 'require-corp',
        'Cross-Origin-Opener-Policy': 'same-origin',
      },
    );
    const methods: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/v1/clicks')) methods.push(request.method());
    });

    const first = await open('/?ref=ACME');
    const again = await open('/?ref=acme');
    const unknown = await open('/?ref=nobody');

    expect(again).toEqual(first);
    expect(unknown).toEqual(first);
    expect(methods).toEqual(['POST', 'POST', 'POST']);
    const click = await findClick(app.deps.db.manager, key, first['__selgeo_cid'] ?? '');
    expect(click).toMatchObject({
      url: `${site.origin}/?ref=ACME`,
      userAgent: visitorUserAgent,
      mode: 'test',
      creditable: true,
    });
    expect(await page.context().cookies()).toEqual([]);
  });

  it('record the click of a visitor who came while the service was deployed anew', async () => {
    buildService();
    const { databaseUrl, redisPrefix } = app.deps.config;
    const environment = {
      ...testEnvironment(databaseUrl, { REDIS_PREFIX: redisPrefix, LOG_LEVEL: 'warn' }),
      PORT: String(await claimAnyPort()),
      ADMIN_PORT: String(await claimAnyPort()),
    };
    const before = await startService('api/main.js', environment);
    const src = `http://127.0.0.1:${environment.PORT}/v1/selgeo.js`;
    site.put(
      '/deploy',
      `<!doctype html><script src="${src}" data-merchant="${key.key}" data-manual data-debug></script>`,
    );
    // A visitor of their own, whose time passes only as the test says.
    const visitor = await (await browser.newContext({ userAgent: visitorUserAgent })).newPage();
    await visitor.clock.install({ time: '2026-01-01T00:00:00Z' });
    await visitor.clock.pauseAt('2026-01-01T00:00:01Z');
    await visitor.goto(`${site.origin}/deploy?ref=acme`);
    await before.stop();
    const unanswered = visitor.waitForEvent('console', (line) => line.text().includes('no answer'));
    await visitor.evaluate('__selgeo.start()');
    await unanswered;
    expect(await visitor.evaluate('__selgeo.getClickId()')).toBeNull();

    const after = await startService('api/main.js', environment);
    await visitor.clock.runFor(1_000);
    await visitor.waitForFunction(() => sessionStorage.getItem('__selgeo_cid'));
    await after.stop();

    const id = await visitor.evaluate(() => sessionStorage.getItem('__selgeo_cid') ?? '');
    expect(await findClick(app.deps.db.manager, key, id)).toMatchObject({
      url: `${site.origin}/deploy?ref=acme`,
      creditable: true,
    });
    await visitor.context().close();
  }, 120_000);
});
