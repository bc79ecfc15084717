import type { Browser, Page } from 'playwright-core';
import { claimAnyPort } from '../../stack/parts/ports';
import { startShop, type Shop } from '../../stack/shop/server';
import { currencyOfKey, publicKeyOfLink } from '../../stack/shop/whose-link';
import { startTestApp, type TestApp } from '../support/app';
import { describeInBrowser, launchBrowser, visitorUserAgent } from '../support/browser';
import { buildApiKey } from '../support/build/accounts';
import { buildParticipant, buildProgram } from '../support/build/programs';
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
    const { databaseUrl } = app.deps.config;
    shop = await startShop({
      ...{ port: await claimAnyPort(), apiUrl: app.url, ...keys },
      keyOfLink: (ref) => publicKeyOfLink(databaseUrl, { ref, own: publicKey }),
      currencyOf: (asked) => currencyOfKey(databaseUrl, asked),
    });
    page = await (await browser.newContext({ userAgent: visitorUserAgent })).newPage();
  }, 90_000);
  afterAll(() => Promise.all([browser.close(), shop.stop(), app.close()]));

  it('has the tag of the guide', async () => {
    const tag = example('keep.html', { apiUrl: app.url, publicKey });
    const oneLine = tag.trim().replace(/\s+/g, ' ').replace(' >', '>');
    expect(await (await fetch(shop.url)).text()).toContain(oneLine);
  });

  it('carries the tag of a new merchant, by the key or by the link that one came by', async () => {
    for (const mode of ['test', 'live'] as const) {
      const theirs = await (await fetch(`${shop.url}/?key=pk_${mode}_theirs`)).text();
      expect(theirs).toContain(`data-merchant="pk_${mode}_theirs"`);
      expect(theirs).toContain('Your secret key');
    }
    const db = app.deps.db.manager;
    const key = await buildApiKey(db, { kind: 'public', mode: 'live' });
    const { workspaceId } = key;
    await buildParticipant(db, { workspaceId, mode: 'live', referralCode: 'Theirs' });
    const byLink = await (await fetch(`${shop.url}/?ref=theirs`)).text();
    expect(byLink).toContain(`data-merchant="${key.key}"`);
    expect(await (await fetch(`${shop.url}/?ref=acme`)).text()).toContain(publicKey);
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

  it('reports a sale of another merchant with the secret key that they paste', async () => {
    const db = app.deps.db.manager;
    const { workspaceId } = await buildApiKey(db, { kind: 'public', mode: 'live' });
    const secret = await buildApiKey(db, { workspaceId, mode: 'live' });
    const terms = { currency: 'jpy', reviewAboveCents: 1 };
    const program = await buildProgram(db, { workspaceId, mode: 'live', ...terms });
    await buildParticipant(db, { program, workspaceId, mode: 'live', referralCode: 'liv' });
    await page.goto(`${shop.url}/?ref=liv`);
    await page.waitForSelector('text=You came by a partner’s link');
    await page.click('#buy');
    await page.waitForSelector('text=Paste your secret key first');
    await page.getByLabel('Your secret key').fill(secret.key);
    await page.click('#buy');
    await page.getByText(/The partner earns ¥[\d,]+ \(pending: the merchant reviews/).waitFor();
  });
});
