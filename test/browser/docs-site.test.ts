import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { siteFiles } from '../../api/write-site';
import { describeInBrowser, launchBrowser } from '../support/browser';

describeInBrowser('the documentation as files, without any server', () => {
  let folder: string;
  let browser: Browser;
  let page: Page;
  const files = siteFiles();
  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'affiliate-docs-'));
    for (const [name, body] of files) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), body);
    }
    browser = await launchBrowser();
    page = await browser.newPage();
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  const open = (name: string, query = '') =>
    page.goto(pathToFileURL(path.join(folder, name)).href + query);

  it('is searched, and leads to the paragraph that was found', async () => {
    await open('reference/clicks.html');
    await page.fill('[name=q]', 'rotate secret');
    await page.press('[name=q]', 'Enter');
    await page.click('.hits a[href="webhooks.html#rotate-the-secret"]');
    expect(await page.textContent('h1')).toBe('Receiving webhooks');
    expect(await page.locator('#rotate-the-secret').isVisible()).toBe(true);

    await open('search.html', '?q=%3Cb%3Enowhere%3C/b%3E');
    expect(await page.textContent('.hits')).toContain('Nothing has all of these words.');
    expect(await page.inputValue('[name=q]')).toBe('<b>nowhere</b>');
  });

  it('is as wide as a telephone: examples and tables scroll within themselves', async () => {
    const usual = page.viewportSize() ?? { width: 1280, height: 720 };
    await page.setViewportSize({ width: 360, height: 740 });
    const wide: string[] = [];
    for (const name of ['integrate', 'adding-an-endpoint', 'operators', 'reference/payouts']) {
      await open(`${name}.html`);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      if (width > 360) wide.push(`${name}: ${width}`);
    }
    await page.setViewportSize(usual);
    expect(wide).toEqual([]);
  });

  it('shows an example in the language that is chosen', async () => {
    await open('integrate.html');
    const [node, python] = ['async function reportSale', 'def report_sale'].map((text) =>
      page.locator('pre', { hasText: text }),
    );
    expect([await node?.isVisible(), await python?.isVisible()]).toEqual([true, false]);
    await page.locator('.tabs', { hasText: 'def report_sale' }).getByLabel('Python').check();
    expect([await node?.isVisible(), await python?.isVisible()]).toEqual([false, true]);
  });
});
