import type { Browser, Page } from 'playwright-core';
import { claimAnyPort } from '../../stack/parts/ports';
import { startShop, type Shop } from '../../stack/shop/server';
import { startTestApp, type TestApp } from '../support/app';
import { describeInBrowser, launchBrowser } from '../support/browser';
import { buildApiKey, buildMember, buildPartner, testPassword } from '../support/build/accounts';
import { carryEvents, carryFeeds } from '../support/build/notifications';
import { buildParticipant, buildProgram, buildPromoCode } from '../support/build/programs';

describeInBrowser('the demo of live notifications', () => {
  let app: TestApp;
  let browser: Browser;
  let shop: Shop;
  /** Two tabs of the same page: both show the same, whichever is used. */
  let tabs: [Page, Page];
  const complaints: string[] = [];

  beforeAll(async () => {
    const port = await claimAnyPort();
    const origin = `http://127.0.0.1:${port}`;
    [app, browser] = await Promise.all([startTestApp({ CORS_ORIGINS: origin }), launchBrowser()]);
    shop = await startShop({ port, apiUrl: app.url, publicKey: 'unused', ...(await buildDemo()) });
    tabs = [await openTab(), await openTab()];
  }, 90_000);
  afterAll(() => Promise.all([browser.close(), shop.stop(), app.close()]));

  async function buildDemo() {
    const db = app.deps.db.manager;
    const owner = await buildMember(db);
    const { workspaceId } = owner;
    const partner = await buildPartner(db);
    const program = await buildProgram(db, { workspaceId, mode: 'test' });
    const participant = await buildParticipant(db, { program, partnerId: partner.id });
    await buildPromoCode(db, participant, { code: 'AVA10' });
    const { key } = await buildApiKey(db, { workspaceId, mode: 'test' });
    return {
      programId: program.id,
      promoCode: 'AVA10',
      secretKey: key,
      merchant: { email: owner.email, password: testPassword },
      partner: { email: partner.email, password: testPassword },
    };
  }

  async function openTab(): Promise<Page> {
    const page = await browser.newPage();
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    await page.goto(`${shop.url}/feeds`);
    await page.waitForFunction(() => document.querySelectorAll('[data-state=live]').length === 2);
    return page;
  }

  async function take(page: Page, step: string): Promise<void> {
    await page.click(`[data-step=${step}]:enabled`);
    await page.waitForFunction((taken) => {
      const next = document.querySelector<HTMLElement>('.steps button:enabled');
      return next !== null && next.dataset['step'] !== taken;
    }, step);
    await carryEvents(app.deps);
  }

  const feeds = {
    merchant: [/^New conversion of USD 49\.00$/, /^A payout is completed$/],
    partner: [
      /^You earned USD/,
      /^Your commission of USD .* is approved$/,
      /^A payout of USD .* is on its way$/,
      /^Your commission of USD .* is paid$/,
      /^You were paid USD/,
    ],
  };

  it("shows a commission's whole life to both sides, in both tabs, each step once", async () => {
    for (const step of ['sell', 'approve', 'pay', 'complete']) await take(tabs[0], step);
    for (const tab of tabs) {
      for (const side of ['merchant', 'partner'] as const) {
        const wanted = feeds[side];
        await tab.waitForFunction(
          ([id, count]) => document.querySelector(`#${id} .badge`)?.textContent === String(count),
          [side, wanted.length] as const,
        );
        const titles = await tab.locator(`#${side} .feed h3`).allTextContents();
        expect(titles).toHaveLength(wanted.length);
        for (const title of wanted) expect(titles).toContainEqual(expect.stringMatching(title));
      }
    }
  }, 60_000);

  it('marks as read in the other tab, and on one side only', async () => {
    const answered = tabs[1].waitForResponse((response) => response.url().endsWith('/read'));
    await tabs[1].click('[data-read=partner]');
    expect((await answered).status()).toBe(200);
    await carryFeeds(app.deps);
    for (const tab of tabs) {
      await tab.waitForFunction(
        () => document.querySelector('#partner .badge')?.textContent === '0',
      );
      expect(await tab.locator('#merchant .badge').textContent()).toBe('2');
      expect(await tab.locator('#partner .unread').count()).toBe(0);
    }
  });

  it('goes on after its streams were ended, without repeats', async () => {
    await app.deps.db.manager.query('UPDATE sessions SET revoked_at = now()');
    await tabs[0].waitForFunction(() => document.querySelector('[data-state=away]'), undefined, {
      timeout: 20_000,
    });
    await take(tabs[0], 'sell');
    // Two streams: either may be the later one.
    await tabs[0].waitForFunction(
      () =>
        document.querySelectorAll('#partner .feed li').length >= 6 &&
        document.querySelectorAll('#merchant .feed li').length >= 3,
      undefined,
      { timeout: 20_000 },
    );
    expect(await tabs[0].locator('#partner .feed li').count()).toBe(6);
    expect(await tabs[0].locator('#merchant .feed li').count()).toBe(3);
  }, 60_000);

  it('fits a narrow window', async () => {
    await tabs[0].setViewportSize({ width: 360, height: 800 });
    const width = await tabs[0].evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(360);
  });

  it('complains of nothing', () => {
    expect(complaints).toEqual([]);
  });
});
