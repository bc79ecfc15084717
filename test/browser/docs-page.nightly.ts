import type { Browser, Page } from 'playwright-core';
import { startTestApp, type TestApp } from '../support/app';
import { describeInBrowser, launchBrowser } from '../support/browser';
import { buildApiKey } from '../support/build/accounts';

describeInBrowser('the reference of the API', () => {
  let app: TestApp;
  let browser: Browser;
  let page: Page;
  let complaints: string[];
  let hosts: Set<string>;
  // One page for all: drawing more than two hundred operations is most of the work.
  beforeAll(async () => {
    [app, browser] = await Promise.all([startTestApp(), launchBrowser()]);
    page = await browser.newPage();
    complaints = [];
    hosts = new Set();
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) complaints.push(message.text());
    });
    page.on('request', (request) => hosts.add(new URL(request.url()).origin));
    await open();
  }, 60_000);
  afterEach(() => {
    expect(complaints).toEqual([]);
    expect([...hosts].filter((host) => host !== app.url && host !== 'null')).toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  const open = async (): Promise<void> => {
    await page.goto(`${app.url}/api/docs`);
    await page.waitForSelector('.opblock');
  };

  it('finds operations by words of their path or summary', async () => {
    await page.fill('.operation-filter-input', 'refund conversions');
    const path = '/api/v1/conversions/{conversionId}/refunds';
    await page.waitForFunction((wanted) => {
      const elements = [...document.querySelectorAll('.opblock-summary-path')];
      const paths = elements.map(({ textContent }) => textContent.replace(/\u200b/g, ''));
      return paths.includes(wanted) && paths.every((one) => one.includes('conversions'));
    }, path);
  });

  it('tries an operation out with a key, at its own origin', async () => {
    const { key } = await buildApiKey(app.deps.db.manager, { kind: 'secret', mode: 'test' });
    await page.click('.btn.authorize');
    const secret = page.locator('.auth-container', { hasText: 'secretKey' });
    await secret.locator('input').fill(key);
    await secret.locator('button.authorize').click();
    await page.click('.btn-done');

    // The page draws only what is in view, as a reader finds by scrolling or by the search.
    await page.fill('.operation-filter-input', 'listConversions');
    const operation = page.locator('#operations-Conversions-listConversions');
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.try-out__btn').click();
    const answer = page.waitForResponse((response) =>
      response.url().startsWith(`${app.url}/api/v1/conversions`),
    );
    await operation.locator('.execute').click();
    expect((await answer).status()).toBe(200);
  });

  it('shows how curl and the client package call an operation', async () => {
    await page.fill('.operation-filter-input', 'reportConversion');
    const operation = page.locator('#operations-Conversions-reportConversion');
    await operation.locator('.opblock-summary-control').click();
    await operation.getByText('client.conversions.report({').waitFor();
    await operation.getByText('curl -X POST').waitFor();
  });

  it('follows the dark mode of the system, and can be switched', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await open();
    const isDark = () => page.evaluate(() => document.documentElement.matches('.dark-mode'));
    expect(await isDark()).toBe(true);
    await page.click('.dark-mode-toggle button');
    expect(await isDark()).toBe(false);
  });
});
