import AxeBuilder from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startTestApp, type TestApp } from '../support/app';
import { describeInBrowser, launchBrowser } from '../support/browser';
import { newId } from '../../entities/ids';

const password = 'correct horse battery';

describeInBrowser('the dashboard and the portal', () => {
  let app: TestApp;
  let browser: Browser;
  let merchant: BrowserContext;
  let partner: BrowserContext;
  const complaints: string[] = [];
  const hosts = new Set<string>();
  const name = newId().slice(-12);

  beforeAll(async () => {
    [app, browser] = await Promise.all([startTestApp(), launchBrowser()]);
    // A test's port is known only now; the address is where cookies may be asked for.
    Object.assign(app.deps.config, { publicBaseUrl: app.url, dashboardUrl: app.url });
    [merchant, partner] = await Promise.all([browser.newContext(), browser.newContext()]);
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await app.close();
    expect(complaints).toEqual([]);
    expect([...hosts].filter((host) => host !== app.url && host !== 'null')).toEqual([]);
  });

  async function open(context: BrowserContext, path: string): Promise<Page> {
    const page = await context.newPage();
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(`${message.text()} ${page.url()}`);
    });
    page.on('request', (request) => hosts.add(new URL(request.url()).origin));
    await page.goto(app.url + path);
    return page;
  }

  const heading = (page: Page, text: string) => page.getByRole('heading', { level: 1, name: text });
  const button = (page: Page, text: string) =>
    page.getByRole('button', { name: text, exact: true });
  const goTo = async (page: Page, link: string): Promise<void> => {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: link }).click();
    await heading(page, link).waitFor();
  };

  async function faultsOf(page: Page): Promise<string[]> {
    const { violations } = await new AxeBuilder({ page }).analyze();
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${page.url()} ${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }

  it('lead a merchant from nothing to an approved commission, and the partner to the same', async () => {
    const page = await open(merchant, '/app');
    await page.getByRole('button', { name: 'I have no account yet' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Mia Merchant');
    await page.getByRole('textbox', { name: 'Email' }).fill(`mia-${name}@example.com`);
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await page.getByRole('textbox', { name: 'Workspace' }).fill('Tea Club');
    await button(page, 'Create account').click();

    await heading(page, 'Get started').waitFor();
    expect(await page.getByText('sk_test_').count()).toBe(1);
    await button(page, 'I have kept them').click();
    await page.getByRole('textbox', { name: 'Programme name' }).fill('Tea partners');
    await page.getByRole('textbox', { name: 'Website' }).fill('https://shop.example');
    await page.getByRole('textbox', { name: 'Commission' }).fill('12.5');
    await button(page, 'Create programme').click();
    await page.getByText('data-merchant="pk_test_').waitFor();
    await page.getByRole('textbox', { name: 'Email' }).fill(`pat-${name}@example.com`);
    await button(page, 'Invite partner').click();
    const inviteUrl = await page.getByText('/partner-invite?token=').textContent();

    const token = new URL(inviteUrl ?? '').searchParams.get('token');
    const own = await open(partner, '/portal');
    await own.getByRole('button', { name: 'I have no account yet' }).click();
    await own.getByRole('textbox', { name: 'Name' }).fill('Pat Partner');
    await own.getByRole('textbox', { name: 'Email' }).fill(`pat-${name}@example.com`);
    await own.getByRole('textbox', { name: 'Password' }).fill(password);
    await button(own, 'Create account').click();
    await heading(own, 'Home').waitFor();
    await accept(`pat-${name}@example.com`, token ?? '');

    // Until somebody is real, it is of the partner for practice.
    await page.getByText('that Pat Partner has brought').waitFor();
    await button(page, 'Make a test sale').click();
    await page.getByRole('link', { name: 'See the commission' }).click();
    await button(page, 'Override hold').click();
    await page.getByRole('textbox', { name: 'Reason' }).fill('We know Pat');
    await page.getByRole('dialog').getByRole('button', { name: 'Override hold' }).click();
    await page.getByText('We know Pat').first().waitFor();

    await goTo(own, 'Earnings');
    await own.getByRole('table').getByRole('link').first().click();
    await heading(own, 'Earning').waitFor();
    // 12.5 % of 49.00, rounded half up to the cent.
    await own.getByText('$6.13').first().waitFor();
    expect(await own.getByText('We know Pat').count()).toBe(0);
  }, 60_000);

  async function accept(email: string, token: string): Promise<void> {
    const login = await app.client.post('/api/v1/auth/partner/login', { email, password });
    const caller = app.client.as(String(login.body['accessToken']), 'test');
    expect((await caller.post('/api/v1/partner/invites/accept', { token })).status).toBe(201);
  }

  it('begin a programme with stricter fraud rules than the API, and offer the same later', async () => {
    const page = await open(merchant, '/app/programme');
    const actionOf = (rule: string) => page.getByRole('combobox', { name: `Action of ${rule}` });
    const actions = async () => [
      await actionOf('Same ip as partner').inputValue(),
      await actionOf('Duplicate customer').inputValue(),
      await actionOf('Paid traffic').inputValue(),
    ];
    await actionOf('Paid traffic').waitFor();
    expect(await actions()).toEqual(['hold', 'hold', 'flag']);
    await actionOf('Duplicate customer').selectOption('flag');
    await button(page, 'Save').click();
    await page.getByRole('button', { name: 'Save', exact: true, disabled: true }).waitFor();
    await button(page, 'Use recommended rules').click();
    expect(await actions()).toEqual(['hold', 'hold', 'flag']);
    await button(page, 'Try on the last 30 days').click();
    await page.getByRole('cell', { name: '0', exact: true }).first().waitFor();
    expect(await faultsOf(page)).toEqual([]);
  }, 60_000);

  it('keep the session over a reload, and tell why a sale was credited', async () => {
    const page = await open(merchant, '/app/sales');
    await heading(page, 'Sales').waitFor();
    await page.getByRole('table').getByRole('link').first().click();
    await page.getByText('Credited to the partner of the promo code.').first().waitFor();
    await page.reload();
    await heading(page, 'Sale').waitFor();
    await page.close();
  });

  it.each(['Get started', 'Overview', 'Inbox', 'Sales', 'Commissions', 'Partners', 'Payouts'])(
    '%s has no serious fault of accessibility, and fits 360 px',
    async (link) => {
      const page = await open(merchant, '/app');
      await heading(page, 'Get started').waitFor();
      await goTo(page, link);
      await page.waitForLoadState('networkidle');
      expect(await faultsOf(page)).toEqual([]);
      await page.setViewportSize({ width: 360, height: 740 });
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(360);
      await page.close();
    },
    30_000,
  );

  it.each(['Programme', 'Developers', 'Settings'])(
    '%s has no serious fault of accessibility, and fits 360 px, in the dark',
    async (link) => {
      const page = await open(merchant, '/app');
      await page.emulateMedia({ colorScheme: 'dark' });
      await heading(page, 'Get started').waitFor();
      await goTo(page, link);
      await page.waitForLoadState('networkidle');
      expect(await faultsOf(page)).toEqual([]);
      await page.setViewportSize({ width: 360, height: 740 });
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(360);
      await page.close();
    },
    30_000,
  );

  it('close the workspace in two steps, say so on top, and take it back', async () => {
    const page = await open(merchant, '/app/settings');
    await heading(page, 'Settings').waitFor();
    await button(page, 'Close workspace').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Tea Club' }).fill('Tea Club');
    await dialog.getByRole('textbox', { name: 'Password' }).fill(password);
    await dialog.getByRole('button', { name: 'Close in 30 days' }).click();
    await page.getByRole('status').getByText('will be closed on').waitFor();
    expect(await button(page, 'Close workspace').count()).toBe(0);
    expect(await faultsOf(page)).toEqual([]);
    await button(page, 'Keep workspace').click();
    await button(page, 'Close workspace').waitFor();
    await page.close();
  }, 30_000);

  it('ask for an erasure as the API wants it asked', async () => {
    const asked: unknown[] = [];
    const erasing = async (page: Page): Promise<void> => {
      // What the erasure then does has tests of its own.
      await page.route('**/erase', async (route) => {
        asked.push(route.request().postDataJSON());
        await route.fulfill({ json: { erased_at: new Date().toISOString() } });
      });
    };
    const page = await open(merchant, '/app/partners');
    await erasing(page);
    await page.getByRole('table').getByRole('link', { name: 'Pat Partner' }).click();
    await button(page, 'Erase').click();
    await page.getByRole('dialog').getByRole('textbox').fill('Pat Partner');
    await page.getByRole('dialog').getByRole('button', { name: 'Erase for ever' }).click();
    await heading(page, 'Partners').waitFor();
    await page.close();

    const own = await open(partner, '/portal/settings');
    await erasing(own);
    await button(own, 'Erase account').click();
    await own.getByRole('dialog').getByRole('textbox').fill(`pat-${name}@example.com`);
    await own.getByRole('dialog').getByRole('button', { name: 'Erase for ever' }).click();
    await button(own, 'Sign in').waitFor();
    expect(asked).toEqual([{ confirmation: 'DELETE' }, { confirmation: 'DELETE' }]);
  }, 30_000);

  it('sign out in one tab, and in the others', async () => {
    const page = await open(merchant, '/app');
    const other = await open(merchant, '/app/commissions');
    await Promise.all([
      heading(page, 'Get started').waitFor(),
      heading(other, 'Commissions').waitFor(),
    ]);
    await button(page, 'Account').click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await Promise.all([button(page, 'Sign in').waitFor(), button(other, 'Sign in').waitFor()]);
  });
});
