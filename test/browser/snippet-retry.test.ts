import type { Browser, BrowserContext, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser, visitorUserAgent } from '../support/browser';
import {
  clickId,
  json,
  recorded,
  startService,
  startSite,
  visitorToken,
  type FakeService,
  type FakeSite,
  type SeenRequest,
} from './stage';

const away = json(503, { statusCode: 503, code: 'SERVICE_UNAVAILABLE' }, { 'Retry-After': '1' });
const fields = (click: SeenRequest | undefined) =>
  JSON.parse(click?.body ?? '{}') as Record<string, string>;

describeInBrowser('the browser script sends a click until it is answered', () => {
  let browser: Browser;
  let service: FakeService;
  let site: FakeSite;
  let context: BrowserContext;
  let page: Page;
  let errors: string[];

  const open = (path: string) => page.goto(site.origin + path);
  const stored = () => page.evaluate(() => ({ ...sessionStorage }) as Record<string, string>);
  const clickArrives = () =>
    page.waitForFunction(`window.__selgeo && window.__selgeo.getClickId() === '${clickId}'`);
  /** Time passes only as a test says: a busy machine's does not count. */
  const stopTheClock = async () => {
    await page.clock.install({ time: '2026-01-01T00:00:00Z' });
    await page.clock.pauseAt('2026-01-01T00:00:01Z');
  };
  /** Waits until the script has read the answer, by the line that it writes then. */
  const unanswered = () =>
    page.waitForEvent('console', (line) => line.text().includes('no answer'));

  beforeAll(async () => {
    [browser, service, site] = await Promise.all([launchBrowser(), startService(), startSite()]);
    const tag = `<script src="${service.origin}/v1/selgeo.js" data-merchant="pk_test_x" data-debug></script>`;
    site.put('/', `<!doctype html>${tag}`);
    site.put('/next', `<!doctype html>${tag}`);
    site.put('/leaves', `<!doctype html>${tag}<script>location.href = '/next'</script>`);
    site.put('/elsewhere', '<!doctype html>');
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
    expect(await context.cookies()).toEqual([]);
    await context.close();
  });

  it('after 1, 5 and 30 s, in the same words, and then leaves it to the next page', async () => {
    await stopTheClock();
    service.onClick(away);
    let told = unanswered();
    await open('/?ref=acme');
    await told;
    for (const [count, seconds] of [1, 5, 30].entries()) {
      await page.clock.runFor(seconds * 1_000 - 100);
      expect(await service.clicks(count + 1)).toHaveLength(count + 1);
      told = unanswered();
      await page.clock.runFor(100);
      await told;
    }
    await page.clock.runFor(3_600_000);

    const tries = await service.clicks(4);
    expect(tries).toHaveLength(4);
    expect(new Set(tries.map(({ body }) => body)).size).toBe(1);
    const { visitor_token: visitor } = fields(tries[0]);
    expect(await stored()).toEqual({ __selgeo_ref: 'acme', __selgeo_vtk: visitor });
    expect(await page.evaluate('__selgeo.getClickId()')).toBeNull();

    service.onClick(recorded());
    await open('/next');
    await clickArrives();
    expect(fields((await service.clicks(5))[4])).toMatchObject({
      ref: 'acme',
      visitor_token: visitor,
    });
    expect(await stored()).toEqual({ __selgeo_cid: clickId, __selgeo_vtk: visitorToken });
  });

  it('later when Retry-After says so', async () => {
    await stopTheClock();
    service.onClick(json(429, { code: 'RATE_LIMIT_EXCEEDED' }, { 'Retry-After': '40' }));
    const told = unanswered();
    await open('/?ref=acme');
    await told;
    await page.clock.runFor(39_000);
    expect(await service.clicks(1)).toHaveLength(1);

    service.onClick(recorded());
    await page.clock.runFor(1_000);
    await clickArrives();
    expect(await service.clicks(2)).toHaveLength(2);
  });

  it.each<[string, Parameters<FakeService['onClick']>[0]]>([
    ['a broken connection', (_request, response) => response.destroy()],
    ['a proxy without a service behind it', (_, response) => response.writeHead(502).end('<html>')],
    ['a body that is no JSON', (_request, response) => response.end('<html>')],
  ])('after %s, too', async (_name, respond) => {
    await stopTheClock();
    service.onClick(respond);
    const told = unanswered();
    await open('/?ref=acme');
    await told;
    service.onClick(recorded());
    await page.clock.runFor(1_000);

    await clickArrives();
  });

  it('on the next page of the tab, when the first was left before the answer', async () => {
    const held: (() => void)[] = [];
    service.onClick((request, response) => held.push(() => recorded()(request, response)));
    await open('/leaves?ref=acme').catch(() => undefined);
    await page.waitForURL('**/next');
    const [first, second] = await service.clicks(2);
    held.forEach((answer) => answer());
    await clickArrives();

    expect(fields(second)).toMatchObject({
      ref: 'acme',
      visitor_token: fields(first)['visitor_token'],
    });
    expect(await stored()).toEqual({ __selgeo_cid: clickId, __selgeo_vtk: visitorToken });
  });

  it('no more once it is answered, whatever the answer', async () => {
    service.onClick(json(200, { click_id: null, recorded: false, reason: 'unknown_ref' }));
    await open('/?ref=nobody');
    await page.waitForFunction(() => sessionStorage.length === 0);
    await open('/next');
    await page.waitForLoadState('networkidle');

    expect(await service.clicks(1)).toHaveLength(1);
    expect(await stored()).toEqual({});
  });

  it('with a name of its own for each visitor', async () => {
    service.onClick(json(200, { click_id: null, recorded: false, reason: 'unknown_ref' }));
    await open('/?ref=one');
    await page.waitForFunction(() => sessionStorage.length === 0);
    await open('/?ref=two');
    const [one, two] = await service.clicks(2);

    expect(fields(one)['visitor_token']).not.toBe(fields(two)['visitor_token']);
  });
});
