import type { BrowserContext, Page } from 'playwright-core';
import { newId } from '../../../entities/ids';
import type { Caller } from '../../support/api-client';
import { describeInBrowser } from '../../support/browser';
import { Stage, button, choose, fits, heading, inDialog, password, textbox } from './stage';

const terms = {
  websiteUrl: 'https://shop.example',
  approvalMode: 'auto',
  commission: { type: 'percentage', rateBps: 2_000 },
};

describeInBrowser('the portal', () => {
  let stage: Stage;
  let context: BrowserContext;
  let api: Caller;
  let tea: string;
  let coffee: string;
  const email = `pat-${newId().slice(-12)}@example.com`;

  async function programOf(name: string): Promise<string> {
    const { body } = await api.post('/api/v1/programs', { ...terms, name });
    return String(body['id']);
  }

  /** A partner of both programmes, who is owed something in one and was paid in the other. */
  beforeAll(async () => {
    stage = await Stage.open();
    context = await stage.browser.newContext();
    api = await stage.registered();
    const account = { email, password, name: 'Pat Partner' };
    await stage.app.client.post('/api/v1/auth/partner/register', account);
    [tea, coffee] = [await programOf('Tea partners'), await programOf('Coffee partners')];
    const [inTea, inCoffee] = [await joined(tea), await joined(coffee)];
    await adjusted(coffee, inCoffee, { amountCents: 700, reason: 'For the winter' });
    await api.post('/api/v1/payouts', { programId: coffee });
    await adjusted(tea, inTea, { amountCents: 2_500, reason: 'For the spring' });
    const rule = { name: 'Friends', match: { participantIds: [inTea] } };
    const rules = [{ ...rule, type: 'percentage', rateBps: 3_000, basis: 'gross' }];
    await api.put(`/api/v1/programs/${tea}/commission-rules`, { rules });
  }, 60_000);
  afterAll(() => stage.close());

  /** Joins as the person: what a server makes for an address waits until somebody has proved it. */
  async function joined(programId: string): Promise<string> {
    const login = await stage.app.client.post('/api/v1/auth/partner/login', { email, password });
    const partner = stage.app.client.as(String(login.body['accessToken']), 'test');
    const path = `/api/v1/partner/programs/${programId}/applications`;
    return String((await partner.post(path, {})).body['id']);
  }

  async function adjusted(programId: string, id: string, body: object): Promise<void> {
    const path = `/api/v1/programs/${programId}/partners/${id}/adjustments`;
    expect((await api.post(path, body)).status).toBe(201);
  }

  it('shows the terms of a programme to anybody, and takes in who signs up there', async () => {
    const strangers = await stage.browser.newContext();
    const page = await stage.goTo(strangers, `/portal/join/${tea}`);
    await heading(page, 'Join a programme').waitFor();
    await page.getByText('20% of the gross amount').waitFor();
    await fits(page);
    await button(page, 'I have no account yet').click();
    await textbox(page, 'Name').fill('Nora New');
    await textbox(page, 'Email').fill(`nora-${newId().slice(-12)}@example.com`);
    await textbox(page, 'Password').fill(password);
    await button(page, 'Create account').click();
    await textbox(page, 'Message to the merchant').fill('I write about tea.');
    await button(page, 'Apply').click();
    await page.getByText('You are in.').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Links' }).click();
    await page.getByRole('table', { name: 'Tea partners' }).waitFor();
    expect(page.url()).toContain('mode=test');
    await strangers.close();
  }, 60_000);

  const goTo = (page: Page, link: string): Promise<void> => stage.toPage(page, link);

  it('opens in test mode for who is in test programmes only, and tells why something was adjusted', async () => {
    const page = await stage.goTo(context, '/portal');
    await textbox(page, 'Email').fill(email);
    await textbox(page, 'Password').fill(password);
    await button(page, 'Sign in').click();
    await heading(page, 'Home').waitFor();
    await page.waitForURL(/mode=test/);
    await goTo(page, 'Earnings');
    await page.getByRole('table').getByRole('link').first().click();
    await page.getByText('For the spring').waitFor();
    await fits(page);
    await page.close();
  }, 60_000);

  it('narrows the figures to a programme, and names it beside a payout', async () => {
    const page = await stage.goTo(context, '/portal?mode=test');
    const owed = page.getByRole('definition').first();
    await owed.getByText('$25.00').waitFor();
    await choose(page.getByRole('combobox', { name: 'Programme' }), 'Coffee partners');
    await owed.getByText('$0.00').waitFor();
    await page.getByText('$7.00').first().waitFor();
    expect(page.url()).toContain(`program=${coffee}`);
    await goTo(page, 'Payouts');
    await page.getByRole('cell', { name: 'Coffee partners' }).waitFor();
    await page.close();
  }, 60_000);

  it('names the rules that are for this partner, and how they are paid', async () => {
    const page = await stage.goTo(context, '/portal/programmes?mode=test');
    const row = page.getByRole('row').filter({ hasText: 'Tea partners' });
    await row.getByRole('button', { name: 'Terms' }).click();
    await inDialog(page)
      .getByText(/Friends: 30\s?%/)
      .waitFor();
    await fits(page);
    await inDialog(page).getByRole('button', { name: 'Close' }).click();
    await goTo(page, 'Payouts');
    await button(page, 'Say how you are paid').click();
    await inDialog(page).getByRole('textbox', { name: 'Email of the account' }).fill(email);
    await inDialog(page).getByLabel('Password').fill(password);
    await fits(page);
    await inDialog(page).getByRole('button', { name: 'Save' }).click();
    await page.getByRole('definition').filter({ hasText: 'PayPal' }).waitFor();
    await page.close();
  }, 60_000);

  it.each(['', 'links', 'earnings', 'payouts', 'programmes', 'settings'])(
    '/%s has no serious fault of accessibility, and fits 360 px, light and dark',
    async (path) => {
      const page = await stage.goTo(context, `/portal/${path}?mode=test`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      await fits(page);
      await page.close();
    },
    30_000,
  );
});
