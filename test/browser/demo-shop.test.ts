import type { Browser, Page } from 'playwright-core';
import { claimAnyPort } from '../../stack/parts/ports';
import { startShop, type Shop } from '../../stack/shop/server';
import { startTestApp, type TestApp } from '../support/app';
import { describeInBrowser, launchBrowser, visitorUserAgent } from '../support/browser';
import { buildApiKey } from '../support/build/accounts';
import { buildTrackedShop } from '../support/shops/tracked-shop';
import { example } from './integrate/examples';

describeInBrowser('the demo shop', () => {
  let app: TestApp;
  let browser: Browser;
  let shop: Shop;
  let page: Page;
  let publicKey: string;

  beforeAll(async () => {
    [app, browser] = await Promise.all([startTestApp(), launchBrowser()]);
    const { key } = await buildTrackedShop(app);
    publicKey = key.key;
    const { workspaceId } = key;
    const secret = await buildApiKey(app.deps.db.manager, { workspaceId, mode: 'test' });
    const keys = { publicKey, secretKey: secret.key };
    shop = await startShop({ port: await claimAnyPort(), apiUrl: app.url, ...keys });
    page = await (await browser.newContext({ userAgent: visitorUserAgent })).newPage();
  }, 90_000);
  afterAll(() => Promise.all([browser.close(), shop.stop(), app.close()]));

  it('has the tag of the guide', async () => {
    const tag = example('keep.html', { apiUrl: app.url, publicKey });
    const oneLine = tag.trim().replace(/\s+/g, ' ').replace(' >', '>');
    expect(await (await fetch(shop.url)).text()).toContain(oneLine);
  });

  it('carries the tag of a new merchant, for whom it can report nothing', async () => {
    const theirs = await (await fetch(`${shop.url}/?key=pk_test_theirs`)).text();
    expect(theirs).toContain('data-merchant="pk_test_theirs"');
    expect(theirs).toContain('id="buy" type="button" disabled');
    const other = await (await fetch(`${shop.url}/?key=%22onload%3D`)).text();
    expect(other).toContain(`data-merchant="${publicKey}"`);
  });

  it('tells who sent the visitor, and credits the purchase', async () => {
    await page.goto(shop.url);
    await page.waitForSelector('text=No partner’s link');
    await page.goto(`${shop.url}/?ref=nobody`);
    await page.waitForSelector('text=The click was not counted');
    await page.goto(`${shop.url}/?ref=acme`);
    await page.waitForSelector('text=You came by a partner’s link');
    await page.click('#buy');
    await page.waitForSelector('text=The partner earns');
  });
});
