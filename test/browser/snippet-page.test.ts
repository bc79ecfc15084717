import type { Browser, BrowserContext, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser, visitorUserAgent } from '../support/browser';
import {
  clickId,
  json,
  recorded,
  startService,
  startSite,
  type FakeService,
  type FakeSite,
} from './stage';

describeInBrowser('what the browser script offers a page', () => {
  let browser: Browser;
  let service: FakeService;
  let site: FakeSite;
  let context: BrowserContext;
  let page: Page;
  let errors: string[];
  let lines: string[];

  const open = async (path: string, attributes = '', before = '') => {
    const tag = `<script async src="${service.origin}/v1/selgeo.js" data-merchant="pk_test_x" ${attributes}></script>`;
    site.put('/', `<!doctype html><script>window.calls = []; ${before}</script>${tag}`);
    await page.goto(site.origin + path);
    await page.waitForFunction('window.__selgeo');
  };
  const calls = (count: number) =>
    page
      .waitForFunction(`window.calls.length >= ${count}`)
      .then(() => page.evaluate<unknown[]>('window.calls'));
  const sentRef = async () =>
    (JSON.parse((await service.clicks(1))[0]?.body ?? '{}') as { ref?: string }).ref;

  beforeAll(async () => {
    [browser, service, site] = await Promise.all([launchBrowser(), startService(), startSite()]);
  });
  afterAll(() => Promise.all([browser.close(), service.close(), site.close()]));
  beforeEach(async () => {
    service.reset();
    errors = [];
    lines = [];
    context = await browser.newContext({ userAgent: visitorUserAgent });
    page = await context.newPage();
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (line) => lines.push(line.text()));
  });
  afterEach(async () => {
    expect(errors).toEqual([]);
    await context.close();
  });

  const onReady = '__selgeo.ready((id) => window.calls.push(id))';

  it('ready: the click id once it is there, again at once later', async () => {
    const held: (() => void)[] = [];
    service.onClick((request, response) => held.push(() => recorded()(request, response)));
    await open('/?ref=acme');
    await page.evaluate(onReady);
    await service.clicks(1);
    expect(await page.evaluate('window.calls')).toEqual([]);
    held.forEach((answer) => answer());

    expect(await calls(1)).toEqual([clickId]);
    await page.evaluate(onReady);
    expect(await calls(2)).toEqual([clickId, clickId]);
  });

  it('ready: null where there is nothing to ask, or nobody was found', async () => {
    await open('/');
    await page.evaluate(onReady);
    expect(await calls(1)).toEqual([null]);

    service.onClick(json(200, { click_id: null, recorded: false, reason: 'unknown_ref' }));
    await open('/?ref=nobody');
    await page.evaluate(onReady);
    expect(await calls(1)).toEqual([null]);
  });

  it("ready: an error of the page stays the page's", async () => {
    await open('/');
    await page.evaluate('__selgeo.ready(() => { throw new Error("mine") })');
    await page.evaluate(onReady);
    expect(await calls(1)).toEqual([null]);
  });

  it('a queue that is there before it, and calls at once afterwards', async () => {
    const queue = '(window.__selgeoQueue = window.__selgeoQueue || [])';
    await open(
      '/?ref=acme',
      '',
      `${queue}.push(() => { throw new Error('mine') });
       ${queue}.push((s) => s.ready((id) => window.calls.push(id)))`,
    );
    expect(await calls(1)).toEqual([clickId]);
    await page.evaluate(`${queue}.push((s) => window.calls.push(s === window.__selgeo))`);
    expect(await calls(2)).toEqual([clickId, true]);
  });

  it('consent that is given before it runs, and once only', async () => {
    const consent = '(window.__selgeoQueue = window.__selgeoQueue || []).push((s) => s.start())';
    await open('/?ref=acme', 'data-manual', consent);
    await page.evaluate(consent);
    await page.evaluate(onReady);
    expect(await calls(1)).toEqual([clickId]);
    expect(await service.clicks(1)).toHaveLength(1);
  });

  it('consent that is never given: nothing is sent, kept or told', async () => {
    await open('/?ref=acme', 'data-manual data-keep', 'sessionStorage.length');
    await page.evaluate(onReady);
    await page.waitForLoadState('networkidle');
    expect(service.requests.map(({ path }) => path)).not.toContain('/v1/clicks');
    expect(await page.evaluate('window.calls')).toEqual([]);
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    expect(await context.cookies()).toEqual([]);
  });

  it.each([
    ['/?via=acme&ref=other', 'ref,via', 'other'],
    ['/?via=acme&ref=other', 'via, ref', 'acme'],
    ['/?fpr=acme', 'ref,via,fpr', 'acme'],
    ['/?ref=&fpr=acme', 'ref,via,fpr', 'acme'],
    ['/?REF=acme', 'ref', 'acme'],
    ['/?Via=acme', 'VIA', 'acme'],
    ['/?utm_source=x&amp;ref=acme', 'ref', 'acme'],
    ['/?utm_source=x?ref=acme', 'ref', 'acme'],
    ['/?utm_source=x#/offers?plan=a&ref=acme', 'ref', 'acme'],
    ['/?ref=acme#/offers?ref=other', 'ref', 'acme'],
    ['/?ref=a%26ref%3Db', 'ref', 'a&ref=b'],
  ])('other parameters: %s with %s is %s', async (path, names, expected) => {
    await open(path, `data-params="${names}"`);
    await service.clicks(1);
    expect(await sentRef()).toBe(expected);
  });

  it('reads no parameter that is not named', async () => {
    await open('/?ref=acme', 'data-params="via"');
    await page.evaluate(onReady);
    expect(await calls(1)).toEqual([null]);
    expect(service.requests.map(({ path }) => path)).not.toContain('/v1/clicks');
  });

  it('data-debug: a line for each step, and none without', async () => {
    await open('/?ref=acme');
    await page.evaluate(onReady);
    await calls(1);
    expect(lines).toEqual([]);

    await open('/?ref=other', 'data-debug data-keep');
    await page.evaluate(onReady);
    await calls(1);
    expect(lines.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'selgeo runs',
      'selgeo click',
      'selgeo answer',
      'selgeo cookie',
    ]);
  });
});
