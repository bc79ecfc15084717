import type { Browser, Page } from 'playwright-core';
import { startShop, type Shop } from '../../stack/shop/server';
import { seedYear } from '../../stack/demo/year/seed';
import { claimAnyPort } from '../../stack/parts/ports';
import { startTestApp, type TestApp } from '../support/app';
import { buildMember, testPassword } from '../support/build/accounts';
import { buildProgram } from '../support/build/programs';
import { describeInBrowser, launchBrowser } from '../support/browser';

/** How much of a canvas is drawn upon, and in how many rows: a chart has a shape. */
const inkOf = (page: Page, id: string) =>
  page.evaluate((canvasId) => {
    const canvas = document.getElementById(canvasId) as HTMLCanvasElement;
    const pen = canvas.getContext('2d');
    if (!pen) throw new Error('the canvas cannot be drawn upon');
    const { data, width, height } = pen.getImageData(0, 0, canvas.width, canvas.height);
    let inked = 0;
    const rows = new Set<number>();
    for (let pixel = 0; pixel < width * height; pixel += 1) {
      if ((data[4 * pixel + 3] ?? 0) > 128) {
        inked += 1;
        rows.add(Math.floor(pixel / width));
      }
    }
    return { inked, rows: rows.size };
  }, id);

describeInBrowser('the demo dashboard', () => {
  let app: TestApp;
  let browser: Browser;
  let shop: Shop;
  let page: Page;
  const complaints: string[] = [];
  const requests: string[] = [];

  beforeAll(async () => {
    [app, browser] = await Promise.all([startTestApp(), launchBrowser()]);
    const db = app.deps.db.manager;
    const owner = await buildMember(db);
    const program = await buildProgram(db, { workspaceId: owner.workspaceId, mode: 'test' });
    const end = new Date(Date.now() - 600_000);
    await seedYear(db, { programId: program.id, end, clicks: 4_000, conversions: 400 });
    shop = await startShop({
      port: await claimAnyPort(),
      apiUrl: app.url,
      programId: program.id,
      merchant: { email: owner.email, password: testPassword },
      partner: { email: 'unused', password: 'unused' },
      promoCode: 'unused',
      publicKey: 'unused',
      secretKey: 'unused',
    });
    page = await browser.newPage();
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('request', (request) => requests.push(request.url()));
  }, 90_000);
  afterAll(() => Promise.all([browser.close(), shop.stop(), app.close()]));

  const shown = (words: string) =>
    page.waitForFunction(
      (wanted) => document.querySelector('[role=status]')?.textContent?.includes(wanted),
      words,
    );

  it('draws trend, top partners and funnel from the API alone', async () => {
    await page.goto(`${shop.url}/dashboard`);
    await shown('days of');
    for (const id of ['trend', 'partners', 'funnel']) {
      const { inked, rows } = await inkOf(page, id);
      expect([id, inked > 500, rows > 60]).toEqual([id, true, true]);
    }
    const tiles = await page.locator('.tile strong').allTextContents();
    expect(tiles).toHaveLength(5);
    expect(tiles[0]).toMatch(/^\$[\d,]{3,}$/);
    expect(requests.every((url) => url.startsWith(shop.url))).toBe(true);
  });

  it('draws another period and figure when asked, dark or light', async () => {
    await page.click('[data-days="365"]');
    await page.click('[data-metric="clicks"]');
    await page.waitForFunction(
      () => document.getElementById('trend-title')?.textContent === 'Clicks by week',
    );
    await page.emulateMedia({ colorScheme: 'dark' });
    expect((await inkOf(page, 'trend')).inked).toBeGreaterThan(500);
    expect(await page.locator('[aria-pressed=true]').allTextContents()).toEqual(['Year', 'Clicks']);
  });

  it('complains of nothing', () => {
    expect(complaints).toEqual([]);
  });
});
