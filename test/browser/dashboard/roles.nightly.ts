import type { BrowserContext, Locator, Page } from 'playwright-core';
import type { Caller } from '../../support/api-client';
import { describeInBrowser } from '../../support/browser';
import { Stage, button, choose, heading, inDialog, password, textbox } from './stage';
import { buildTeaClub, type TeaClub } from './tea-club';

/** What stands where, by the least role to which it is offered. */
const offers = [
  ['/commission', 'Reject', 'member'],
  ['/partners', 'Invite partner', 'member'],
  ['/sales', 'Make a test sale', 'member'],
  ['/sale', 'Refund', 'member'],
  ['/partner', 'Suspend', 'member'],
  ['/partner', 'Adjust balance', 'admin'],
  ['/payout', 'Upload results', 'admin'],
  ['/webhook', 'Edit', 'admin'],
  ['/payouts', 'New payout', 'admin'],
  ['/programme', 'Change', 'admin'],
  ['/developers', 'New key', 'admin'],
  ['/developers?part=webhooks', 'New webhook', 'admin'],
  ['/settings?part=moving', 'Customers', 'admin'],
  ['/import', 'Check', 'admin'],
  ['/settings?part=members', 'Invite member', 'owner'],
] as const;

const ranks = ['viewer', 'member', 'admin', 'owner'];

describeInBrowser('who may do what, by which ways', () => {
  let stage: Stage;
  let owner: BrowserContext;
  let api: Caller;
  let club: TeaClub;

  beforeAll(async () => {
    stage = await Stage.open();
    ({ context: owner, api } = await stage.merchant());
    club = await buildTeaClub(api);
  }, 90_000);
  afterAll(() => stage.close());

  const pathOf = (place: string): string => club.details[place.slice(1) as 'commission'] ?? place;

  async function show(page: Page, path: string): Promise<void> {
    await page.evaluate((to) => {
      history.pushState({}, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, `/app${path}`);
    await page.waitForLoadState('networkidle');
    await page.getByText('Loading…').first().waitFor({ state: 'detached' });
  }

  it.each(['viewer', 'member', 'admin'])(
    'a %s is offered what the role allows, and asks for nothing else',
    async (role) => {
      const context = await stage.signedIn(await stage.member(api, role));
      const page = await stage.goTo(context, '/app');
      await heading(page, 'Get started').waitFor();
      for (const [place, label, least] of offers) {
        await show(page, pathOf(place));
        const may = ranks.indexOf(role) >= ranks.indexOf(least);
        if (may) await button(page, label).first().waitFor();
        const isOffered = (await button(page, label).count()) > 0;
        expect([place, label, isOffered]).toEqual([place, label, may]);
        // Every list that is there is one that the role may read.
        expect([place, await page.getByRole('alert').allTextContents()]).toEqual([place, []]);
      }
      await context.close();
    },
    60_000,
  );

  /** Presses Tab until it has the focus. */
  async function tabTo(page: Page, target: Locator): Promise<void> {
    await target.waitFor();
    for (let presses = 0; presses < 80; presses += 1) {
      if (await target.evaluate((one) => one === document.activeElement)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not lead to ${String(target)}`);
  }

  it('the keyboard alone leads from signing in to a decision and out again', async () => {
    const email = await stage.member(api, 'member');
    const context = await stage.browser.newContext();
    const page = await stage.goTo(context, '/app');
    await tabTo(page, textbox(page, 'Email'));
    await page.keyboard.type(email);
    await tabTo(page, textbox(page, 'Password'));
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await heading(page, 'Get started').waitFor();

    const main = page.getByRole('navigation', { name: 'Main' });
    await tabTo(page, main.getByRole('link', { name: 'Commissions' }));
    await page.keyboard.press('Enter');
    await heading(page, 'Commissions').waitFor();
    const row = page.getByRole('row').filter({ hasText: 'Pending' });
    await tabTo(page, row.getByRole('checkbox'));
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+Tab');
    await tabTo(page, row.getByRole('link'));
    await page.keyboard.press('Enter');
    await heading(page, 'Commission').waitFor();

    await tabTo(page, button(page, 'Reject'));
    await page.keyboard.press('Enter');
    await inDialog(page).waitFor();
    await page.keyboard.press('Escape');
    await inDialog(page).waitFor({ state: 'detached' });
    const hasFocus = await button(page, 'Reject').evaluate((one) => one === document.activeElement);
    expect(hasFocus).toBe(true);
    await page.keyboard.press('Enter');
    await tabTo(page, inDialog(page).getByRole('textbox', { name: 'Reason' }));
    await page.keyboard.type('Ordered by themselves');
    await tabTo(page, inDialog(page).getByRole('button', { name: 'Reject' }));
    await page.keyboard.press('Enter');
    await page.getByText('Ordered by themselves').first().waitFor();

    await tabTo(page, button(page, 'Account'));
    await page.keyboard.press('Enter');
    const item = (name: string) => page.getByRole('menuitem', { name });
    const isAt = (name: string) => item(name).evaluate((one) => one === document.activeElement);
    await item('Settings').waitFor();
    expect(await isAt('Settings')).toBe(true);
    await page.keyboard.press('ArrowDown');
    expect(await isAt('Sign out')).toBe(true);
    await page.keyboard.press('ArrowDown');
    expect(await isAt('Settings')).toBe(true);
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await button(page, 'Sign in').waitFor();
    await context.close();
  }, 60_000);

  it('test and live stand in the address, and keep apart', async () => {
    const page = await stage.goTo(owner, '/app/partners');
    await page.getByRole('link', { name: 'Ada Partner' }).waitFor();
    const banner = page.getByText('Test mode', { exact: false });
    expect(await banner.count()).toBe(1);
    await page.getByRole('radio', { name: 'Live' }).check();
    await page.waitForURL(/mode=live/);
    await page.getByText('There is no programme yet').waitFor();
    expect(await banner.count()).toBe(0);
    await stage.toPage(page, 'Commissions');
    expect(page.url()).toContain('mode=live');
    await page.getByText('No commission yet.').waitFor();
    await page.reload();
    await page.getByText('No commission yet.').waitFor();
    await page.getByRole('radio', { name: 'Test' }).check();
    await page.getByRole('table').getByText('Ada Partner').first().waitFor();
    await page.close();
  }, 60_000);

  it('a second programme is chosen by the address, too', async () => {
    await api.post('/api/v1/programs', {
      name: 'Dinar partners',
      websiteUrl: 'https://dinar.example',
      currency: 'kwd',
      commission: { type: 'flat', amountCents: 1_250 },
    });
    const page = await stage.goTo(owner, '/app/programme');
    const choice = page.getByRole('combobox', { name: 'Programme' });
    await choose(choice, 'Dinar partners');
    await page.getByText('1.250').waitFor();
    await page.waitForURL(/program=/);
    await page.reload();
    await page.getByText('1.250').waitFor();
    await choose(choice, 'Tea partners');
    await page.getByText('20% of the gross amount').waitFor();
    // The overview of all programmes knows of which one a partner is.
    await stage.toPage(page, 'Overview');
    const top = page.getByRole('table', { name: 'Top partners' });
    await top.getByRole('link', { name: 'Ada Partner' }).click();
    await heading(page, 'Ada Partner').waitFor();
    await page.close();
  }, 60_000);

  it('what waits in one of several programmes is a link to just that', async () => {
    const email = 'waits@example.com';
    await stage.app.client.post('/api/v1/auth/partner/register', { email, password, name: 'Will' });
    const login = await stage.app.client.post('/api/v1/auth/partner/login', { email, password });
    const will = stage.app.client.as(String(login.body['accessToken']), 'test');
    const path = `/api/v1/partner/programs/${club.programId}/applications`;
    expect((await will.post(path, {})).status).toBe(201);
    const page = await stage.goTo(owner, '/app/inbox');
    const applications = page.getByRole('listitem').filter({ hasText: '1 application of' });
    await applications.getByRole('link', { name: 'Tea partners' }).click();
    await heading(page, 'Partners').waitFor();
    await page.getByRole('link', { name: 'Will' }).waitFor();
    expect(await page.getByRole('link', { name: 'Ada Partner' }).count()).toBe(0);
    await page.close();
  }, 60_000);
});
