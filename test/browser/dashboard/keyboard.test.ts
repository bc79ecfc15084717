import type { Page } from 'playwright-core';
import { newId } from '../../../entities/ids';
import type { Caller } from '../../support/api-client';
import { describeInBrowser, visitorUserAgent } from '../../support/browser';
import { Stage, button, heading, inDialog, password, textbox } from './stage';
import { buildTeaClub, type TeaClub } from './tea-club';

/** What the focus is on, by the words that people hear of it. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const one = document.activeElement;
    if (!one) return '';
    const label = one instanceof HTMLInputElement ? one.labels?.[0]?.textContent : undefined;
    const said = one.getAttribute('aria-labelledby') ?? '';
    const others = said === '' ? '' : (document.getElementById(said)?.textContent ?? '');
    const own = document.querySelector(`label[for="${one.id}"]`)?.textContent;
    return (
      one.getAttribute('aria-label') ??
      label ??
      own ??
      (others || one.textContent) ??
      ''
    ).trim();
  });

/** Goes to an element by the tabulator alone; whatever it does not come to cannot be used without a mouse. */
async function tabTo(page: Page, words: string | RegExp): Promise<void> {
  const passed: string[] = [];
  for (let press = 0; press < 90; press += 1) {
    await page.keyboard.press('Tab');
    const now = await focused(page);
    if (typeof words === 'string' ? now === words : words.test(now)) return;
    passed.push(now);
  }
  throw new Error(`the tabulator does not come to ${String(words)}, only to ${passed.join(' | ')}`);
}

describeInBrowser('what is done without a mouse, and what pages once said wrong', () => {
  let stage: Stage;
  let api: Caller;
  let club: TeaClub;
  let link: string;
  const merchant = `mia-${newId().slice(-12)}@example.com`;
  const partner = `pat-${newId().slice(-12)}@example.com`;

  beforeAll(async () => {
    stage = await Stage.open();
    api = await stage.registered(merchant);
    club = await buildTeaClub(api);
    const account = { email: partner, password, name: 'Pat Partner' };
    const { body } = await stage.app.client.post('/api/v1/auth/partner/register', account);
    const own = stage.app.client.as(String(body['accessToken']), 'test');
    const path = `/api/v1/partner/programs/${club.programId}`;
    const applied = await own.post(`${path}/applications`, {});
    const waiting = `/api/v1/programs/${club.programId}/partners/${String(applied.body['id'])}`;
    await api.patch(`${waiting}/approve`, {});
    const made = await own.post(`${path}/links`, { targetUrl: 'https://shop.example/tea' });
    link = String(made.body['url']);
  }, 90_000);
  afterAll(() => stage.close());

  async function signIn(page: Page, email: string): Promise<void> {
    await textbox(page, 'Email').waitFor();
    await tabTo(page, 'Email');
    await page.keyboard.type(email);
    await tabTo(page, 'Password');
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
  }

  async function signOut(page: Page): Promise<void> {
    await tabTo(page, 'Account');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await button(page, 'Sign in').waitFor();
  }

  it('a merchant signs in, filters, ticks, decides in a dialog, chooses a partner and signs out', async () => {
    const page = await stage.goTo(await stage.browser.newContext(), '/app');
    await signIn(page, merchant);
    await tabTo(page, 'Commissions');
    await page.keyboard.press('Enter');
    await heading(page, 'Commissions').waitFor();
    await page.getByRole('tab', { name: 'Pending 1' }).waitFor();

    await tabTo(page, 'Review');
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: 'All' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('option').first().waitFor({ state: 'detached' });

    await tabTo(page, /^All/);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.waitForURL(/status=pending/);

    await tabTo(page, 'Select the commission of Ada Partner');
    await page.keyboard.press('Space');
    await page.getByRole('status').filter({ hasText: '1 selected' }).waitFor();
    await tabTo(page, 'Reject');
    await page.keyboard.press('Enter');
    await inDialog(page).waitFor();
    await page.keyboard.press('Escape');
    await inDialog(page).waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('Reject');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Reason');
    await page.keyboard.type('Ordered by ourselves');
    await tabTo(page, 'Reject');
    await page.keyboard.press('Enter');
    await page.getByText('1 decided.').waitFor();

    await page.goto(`${stage.app.url}/app/customers`);
    await button(page, 'Credit a customer').waitFor();
    await tabTo(page, 'Credit a customer');
    await page.keyboard.press('Enter');
    await inDialog(page).waitFor();
    await tabTo(page, 'Find a partner');
    await page.keyboard.type('Ada');
    await page.getByRole('option', { name: /Ada Partner/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await inDialog(page).getByRole('combobox').inputValue()).toContain('Ada Partner');
    await tabTo(page, 'Close');
    await page.keyboard.press('Enter');
    await inDialog(page).waitFor({ state: 'detached' });
    await signOut(page);
    await page.context().close();
  }, 60_000);

  it('a partner signs in, makes a link, says how they are paid and signs out', async () => {
    const page = await stage.goTo(await stage.browser.newContext(), '/portal?mode=test');
    await signIn(page, partner);
    await tabTo(page, 'Links');
    await page.keyboard.press('Enter');
    await button(page, 'New link').waitFor();
    await tabTo(page, 'New link');
    await page.keyboard.press('Enter');
    await inDialog(page).waitFor();
    await tabTo(page, 'Page that it leads to');
    await page.keyboard.type('https://shop.example/mugs');
    await tabTo(page, 'Name');
    await page.keyboard.type('Mugs');
    await page.keyboard.press('Enter');
    await page.getByRole('cell', { name: 'Mugs', exact: true }).waitFor();

    await tabTo(page, 'Payouts');
    await page.keyboard.press('Enter');
    await button(page, 'Say how you are paid').waitFor();
    await tabTo(page, 'Say how you are paid');
    await page.keyboard.press('Enter');
    await inDialog(page).waitFor();
    await tabTo(page, 'Way');
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: 'Wise' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await textbox(page, 'Name of the account').waitFor();
    await page.keyboard.press('Escape');
    await inDialog(page).waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('Say how you are paid');
    await signOut(page);
    await page.context().close();
  }, 60_000);

  it('a link without a name is no default link, and is removed after a dialog that names it', async () => {
    const page = await stage.goTo(await stage.browser.newContext(), '/portal/links?mode=test');
    await textbox(page, 'Email').fill(partner);
    await textbox(page, 'Password').fill(password);
    await button(page, 'Sign in').click();
    const row = page.getByRole('row').filter({ hasText: 'Without a name' });
    await row.waitFor();
    const first = page.getByRole('row').filter({ hasText: 'Your link' });
    expect(await first.getByRole('button', { name: 'Remove' }).count()).toBe(0);
    await row.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog', { name: 'Remove the link “Without a name”' }).waitFor();
    await inDialog(page).getByText(link).waitFor();
    await inDialog(page).getByRole('button', { name: 'Remove' }).click();
    await row.waitFor({ state: 'detached' });
    await page.context().close();
  }, 30_000);

  it('sales without a click make no rate above a hundred per cent, and axes are the reader’s', async () => {
    const keys = await api.get<{ data: { key?: string }[] }>(
      '/api/v1/workspace/api-keys?mode=test',
    );
    const key = keys.body.data.find((one) => one.key)?.key;
    const ada = `/api/v1/programs/${club.programId}/partners/${club.participantId}`;
    const { body } = await api.get(ada);
    const headers = { 'User-Agent': visitorUserAgent };
    await stage.app.client.post('/v1/clicks', { key, ref: body['referralCode'] }, { headers });
    for (const id of ['one', 'two']) {
      await api.post('/api/v1/conversions', {
        ...{ external_transaction_id: `by-code-${id}`, event_type: 'purchase' },
        ...{ promo_code: (body['promoCodes'] as string[])[0], amount_cents: 900, currency: 'usd' },
      });
    }
    const context = await stage.signedIn(merchant, { locale: 'de-DE' });
    const page = await stage.goTo(context, '/app/overview');
    const clicks = page
      .getByRole('term')
      .filter({ hasText: /^Clicks$/ })
      .locator('..');
    await clicks.getByText('1', { exact: true }).waitFor();
    expect(await clicks.getByText('of them bought').count()).toBe(0);
    await page.getByText('The figures as a table').first().click();
    const month = new Intl.DateTimeFormat('de-DE', { dateStyle: 'medium' });
    await page.getByRole('cell', { name: month.format(stage.app.deps.clock.now()) }).waitFor();
    await context.close();
  }, 60_000);

  it('the words of a test mail stand once, and apart from its links', async () => {
    const context = await stage.signedIn(merchant);
    const page = await stage.goTo(context, '/app');
    const mail = { id: 'm1', status: 'suppressed', recipient: 'a@b.example', subject: 'Welcome' };
    const html =
      '<div style="display:none">You are in</div><h1>You are in</h1><p>open this address:<a href="https://x.example/in">https://x.example/in</a></p>';
    const data = [{ ...mail, createdAt: '2026-01-02T00:00:00Z' }];
    const list = { data, total: 1, page: 1, limit: 20, nextCursor: null };
    await page.route('**/notification-log*', (route) => route.fulfill({ json: list }));
    await page.route('**/notification-log/m1', (route) => route.fulfill({ json: { html } }));
    await stage.toPage(page, 'Developers');
    await page.getByRole('link', { name: 'Test data' }).click();
    const mails = page.getByRole('table', { name: 'Test mails' });
    await mails.getByText('Kept back').waitFor();
    await mails.getByRole('button', { name: 'Show' }).click();
    await inDialog(page).getByRole('link', { name: 'https://x.example/in' }).waitFor();
    const shown = await inDialog(page).innerText();
    expect(shown.match(/You are in/g)).toHaveLength(1);
    expect(shown).not.toContain('address:http');
    await context.close();
  }, 30_000);
});
