import AxeBuilder from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { newId } from '../../entities/ids';
import { startTestApp, type TestApp } from '../support/app';
import { describeInBrowser, launchBrowser } from '../support/browser';
import { buildMember } from '../support/build/accounts';
import { buildParticipant, buildProgram } from '../support/build/programs';
import { callerOf } from '../support/callers';

const password = 'correct horse battery';

describeInBrowser('the portal', () => {
  let app: TestApp;
  let browser: Browser;
  let context: BrowserContext;
  const email = `pat-${newId().slice(-12)}@example.com`;

  beforeAll(async () => {
    [app, browser] = await Promise.all([startTestApp(), launchBrowser()]);
    Object.assign(app.deps.config, { publicBaseUrl: app.url, dashboardUrl: app.url });
    context = await browser.newContext();
    const register = { email, password, name: 'Pat Partner' };
    const { body } = await app.client.post('/api/v1/auth/partner/register', register);
    const { id: partnerId } = body['account'] as { id: string };
    const db = app.deps.db.manager;
    const who = { partnerId, partnerName: 'Pat Partner', partnerEmail: email };
    const owner = await buildMember(db);
    const program = await buildProgram(db, { workspaceId: owner.workspaceId, mode: 'test' });
    const participant = await buildParticipant(db, { ...who, program });
    const merchant = await callerOf(app, owner, 'test');
    const path = `/api/v1/programs/${program.id}/partners/${participant.id}/adjustments`;
    const bonus = await merchant.post(path, { amountCents: 2_500, reason: 'For the spring' });
    expect(bonus.status).toBe(201);
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  const heading = (page: Page, text: string) => page.getByRole('heading', { level: 1, name: text });
  const open = async (path: string): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(app.url + path);
    return page;
  };

  it('opens in test mode for who is in test programmes only, and tells why something was adjusted', async () => {
    const page = await open('/portal');
    await page.getByRole('textbox', { name: 'Email' }).fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await heading(page, 'Home').waitFor();
    await page.waitForURL(/mode=test/);

    const main = page.getByRole('navigation', { name: 'Main' });
    await main.getByRole('link', { name: 'Earnings' }).click();
    await page.getByRole('table').getByRole('link').first().click();
    await page.getByText('For the spring').waitFor();
    await page.close();
  }, 60_000);

  it.each(['', 'links', 'earnings', 'payouts', 'programmes', 'settings'])(
    '/%s has no serious fault of accessibility, and fits 360 px, light and dark',
    async (path) => {
      const page = await open(`/portal/${path}?mode=test`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const { violations } = await new AxeBuilder({ page }).analyze();
        const serious = violations.filter(({ impact }) =>
          ['serious', 'critical'].includes(impact ?? ''),
        );
        expect(serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
      }
      await page.setViewportSize({ width: 360, height: 740 });
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(360);
      await page.close();
    },
    30_000,
  );
});
