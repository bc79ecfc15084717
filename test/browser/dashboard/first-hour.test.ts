import type { Page } from 'playwright-core';
import { newId } from '../../../entities/ids';
import { describeInBrowser, visitorUserAgent } from '../../support/browser';
import type { Caller } from '../../support/api-client';
import { Stage, button, choose, fits, heading, inDialog, password, textbox } from './stage';

/** Where somebody who is new to the pages would stop and wonder. */
describeInBrowser('the first hour', () => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await Stage.open();
  }, 60_000);
  afterAll(() => stage.close());

  const step = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

  it('says at each step what it waits for, and remembers who bills', async () => {
    const { context, api, email } = await stage.merchant();
    const page = await stage.goTo(context, '/app');
    await page.getByText(`A mail is on its way to ${email}`).waitFor();
    await step(page, 'Test sale').getByText('This comes after the programme.').waitFor();
    await textbox(page, 'Programme name').fill('Tea partners');
    await textbox(page, 'Website').fill('https://shop.example');
    await textbox(page, 'Currency').fill('eur');
    await button(page, 'Create programme').click();
    await step(page, 'Snippet').getByText('who is made up to try this').waitFor();
    await page.getByRole('radio', { name: 'Another' }).check();
    await button(page, 'Make a test sale').click();
    await step(page, 'Test sale').getByText('Done', { exact: true }).waitFor();

    // A sale that was made on this page tells nothing of the merchant's own server.
    const server = step(page, 'Your own server');
    await server.getByText('To do', { exact: true }).waitFor();
    await server
      .getByText('/api/v1/conversions -H "Authorization: Bearer sk_test_YOUR_KEY"')
      .waitFor();
    await server.getByText('"currency":"eur"').waitFor();
    const programs = await api.get<{ data: { id: string }[] }>('/api/v1/programs');
    const { body } = await api.get(`/api/v1/programs/${programs.body.data[0]?.id}/partners`);
    const [partner] = body['data'] as { promoCodes: string[] }[];
    await api.post('/api/v1/conversions', {
      ...{ external_transaction_id: 'order-1', event_type: 'purchase', currency: 'usd' },
      ...{ promo_code: partner?.promoCodes[0], amount_cents: 4_900 },
    });
    await server.getByText('Done', { exact: true }).waitFor();

    await button(page, 'Go live').click();
    await inDialog(page).getByText('Nobody is mailed or charged by this').waitFor();
    await inDialog(page).getByRole('button', { name: 'Go live' }).click();
    const goLive = step(page, 'Go live');
    await goLive.getByText('Live: waits for the first click', { exact: true }).waitFor();
    await goLive.getByRole('link', { name: 'Make another at Developers' }).waitFor();
    await page.getByRole('radio', { name: 'Live' }).check();
    await step(page, 'Test sale').getByText('Waits for a sale', { exact: true }).waitFor();
    await step(page, 'Your own server').getByText('To do', { exact: true }).waitFor();
    await fits(page);
    await context.close();
  }, 90_000);

  it('leads a partner from the invite to how they are paid, one press at each place', async () => {
    const { api, context } = await stage.merchant();
    const invited = await programAndInvite(api);
    const strangers = await stage.browser.newContext();
    const page = await stage.goTo(strangers, invited.path);
    await textbox(page, 'Name').fill('Pat Partner');
    await textbox(page, 'Password').fill(password);
    await button(page, 'Create account').click();
    await heading(page, 'Home').waitFor();
    await page.getByText('earns you 20% of the gross amount.').waitFor();
    // There is nothing of theirs in the other mode.
    expect(await page.getByRole('radiogroup', { name: 'Mode' }).count()).toBe(0);

    await page.getByRole('link', { name: 'Say how you are paid' }).click();
    const dialog = inDialog(page);
    await dialog.getByText('The one of your PayPal account.').waitFor();
    await choose(dialog.getByRole('combobox', { name: 'Way' }), 'Bank account');
    await dialog.getByText('asked for an IBAN').waitFor();
    const country = dialog.getByRole('combobox', { name: 'Country of the bank' });
    await country.fill('United States');
    await page.getByRole('option', { name: 'United States', exact: true }).click();
    await textbox(page, 'Routing number').waitFor();
    expect(await textbox(page, 'IBAN').count()).toBe(0);
    await country.fill('Germ');
    await page.getByRole('option', { name: 'Germany', exact: true }).click();
    await textbox(page, 'IBAN').fill('DE89 3704 0044 0532 0130 00');
    expect(await textbox(page, 'Routing number').count()).toBe(0);
    await textbox(page, 'Account holder').fill('Pat Partner');
    await fits(page);
    await dialog.getByLabel('Password').fill(password);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('definition').filter({ hasText: 'Bank account' }).waitFor();
    await page.getByRole('definition').filter({ hasText: 'Germany' }).waitFor();
    // A method that was given is not asked for again, whatever the address remembers.
    await page.reload();
    await button(page, 'Change').waitFor();
    expect(await dialog.count()).toBe(0);
    await strangers.close();

    await saleFromHere(api, invited.programId);
    const sales = await stage.goTo(context, '/app/sales');
    await sales.getByRole('table').getByRole('link').first().click();
    await sales.getByText('Same IP address as the partner').waitFor();
    await fits(sales);
    await sales.getByText('This service runs on your own machine').waitFor();
    await context.close();
  }, 90_000);

  async function programAndInvite(api: Caller): Promise<{ programId: string; path: string }> {
    const commission = { type: 'percentage', rateBps: 2_000 };
    const website = { websiteUrl: 'https://shop.example' };
    const made = await api.post('/api/v1/programs', { name: 'Tea', ...website, commission });
    const programId = String(made.body['id']);
    const invite = { email: `pat-${newId().slice(-12)}@example.com` };
    const { body } = await api.post(`/api/v1/programs/${programId}/invites`, invite);
    const { pathname, search } = new URL(String(body['inviteUrl']));
    return { programId, path: pathname + search };
  }

  /** A click and a sale of the only partner, from the address that the partner has signed in from. */
  async function saleFromHere(api: Caller, programId: string): Promise<void> {
    const keys = await api.get<{ data: { key: string | null; kind: string }[] }>(
      '/api/v1/workspace/api-keys?limit=100&mode=test',
    );
    const key = keys.body.data.find(({ kind }) => kind === 'public')?.key;
    const { body } = await api.get(`/api/v1/programs/${programId}/partners`);
    const [partner] = body['data'] as { referralCode: string }[];
    const headers = { 'User-Agent': visitorUserAgent };
    const clicked = { key, ref: partner?.referralCode };
    const click = await stage.app.client.post('/v1/clicks', clicked, { headers });
    const sale = await api.post('/api/v1/conversions', {
      ...{ external_transaction_id: 'order-1', event_type: 'purchase', currency: 'usd' },
      ...{ click_id: click.body['click_id'], amount_cents: 4_900 },
    });
    expect(sale.body['attributed']).toBe(true);
  }

  it('says “Connected” of Stripe by hand beside promo codes, and what it never hears of', async () => {
    const { context, api } = await stage.merchant();
    const { programId } = await programAndInvite(api);
    const partners = `/api/v1/programs/${programId}/partners`;
    const added = await api.post(partners, { email: `a-${newId()}@example.com`, name: 'Ada' });
    const code = { code: `ADA${newId().slice(-6).toUpperCase()}` };
    await api.post(`${partners}/${String(added.body['id'])}/promo-codes`, code);
    const page = await stage.goTo(context, '/app');
    await button(page, 'Connect Stripe').click();
    await inDialog(page).getByText('Without a key: make').click();
    await textbox(page, 'Webhook secret').fill('whsec_mine_0123456789');
    await inDialog(page).getByRole('button', { name: 'Save' }).click();
    await step(page, 'Stripe').getByText('Connected', { exact: true }).waitFor();
    await step(page, 'Stripe').getByText('Done', { exact: true }).waitFor();
    await stage.toPage(page, 'Developers');
    await page.getByRole('link', { name: 'Billing', exact: true }).click();
    await page.getByRole('term').filter({ hasText: 'What it never hears of' }).waitFor();
    expect(await page.getByText('Last error').count()).toBe(0);
    await context.close();
  }, 60_000);

  it('shows the list of sales on a tablet and a laptop without scrolling sideways', async () => {
    const { context, api } = await stage.merchant();
    const { programId } = await programAndInvite(api);
    const partners = `/api/v1/programs/${programId}/partners`;
    const name = 'Maison Torréfaction';
    const added = await api.post(partners, { email: `a-${newId()}@example.com`, name });
    const code = `MAISON${newId().slice(-6).toUpperCase()}`;
    await api.post(`${partners}/${String(added.body['id'])}/promo-codes`, { code });
    await api.post('/api/v1/conversions', {
      ...{ external_transaction_id: `order-${newId()}`, event_type: 'purchase' },
      ...{ promo_code: code, amount_cents: 1_234_500, currency: 'usd', customer_id: newId() },
    });
    const page = await stage.goTo(context, '/app/sales');
    await page.setViewportSize({ width: 768, height: 1_024 });
    await page.getByRole('table').getByRole('link').first().waitFor();
    const frame = page.getByRole('group', { name: 'Sales' });
    const hiddenPx = () => frame.evaluate((one) => one.scrollWidth - one.clientWidth);
    expect(await hiddenPx()).toBe(0);
    for (const width of [1_024, 1_280]) {
      await page.setViewportSize({ width, height: 800 });
      expect([width, await hiddenPx()]).toEqual([width, 0]);
    }
    await page.getByRole('cell', { name: '$12,345.00' }).waitFor();
    await context.close();
  }, 60_000);
});
