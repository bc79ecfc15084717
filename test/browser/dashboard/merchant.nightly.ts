import type { BrowserContext } from 'playwright-core';
import { newId } from '../../../entities/ids';
import type { Caller } from '../../support/api-client';
import { describeInBrowser } from '../../support/browser';
import { Stage, button, faultsOf, heading, inDialog, password } from './stage';

describeInBrowser('the merchants’ pages', () => {
  let stage: Stage;
  let context: BrowserContext;
  let api: Caller;
  let programId: string;

  beforeAll(async () => {
    stage = await Stage.open();
    ({ context, api } = await stage.merchant());
    const program = await api.post('/api/v1/programs', {
      name: 'Yen partners',
      websiteUrl: 'https://shop.example',
      currency: 'jpy',
      minPayoutCents: 500,
      approvalMode: 'manual',
      publicApplications: true,
      commission: { type: 'flat', amountCents: 1500 },
    });
    programId = String(program.body['id']);
  }, 90_000);
  afterAll(() => stage.close());

  it('reject an application with the reason that the API wants', async () => {
    const email = `pat-${newId().slice(-12)}@example.com`;
    const account = { email, password, name: 'Pat Partner' };
    const { body } = await stage.app.client.post('/api/v1/auth/partner/register', account);
    const partner = stage.app.client.as(String(body['accessToken']), 'test');
    await partner.post(`/api/v1/partner/programs/${programId}/applications`, {});
    const page = await stage.goTo(context, '/app/partners?status=pending');
    await button(page, 'Reject').click();
    await inDialog(page).getByRole('textbox', { name: 'Reason' }).fill('Not our audience');
    expect(await faultsOf(page)).toEqual([]);
    await inDialog(page).getByRole('button', { name: 'Reject' }).click();
    await inDialog(page).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Pat Partner' }).waitFor({ state: 'detached' });
    const { body: list } = await api.get(`/api/v1/programs/${programId}/partners?status=rejected`);
    expect(list['data']).toMatchObject([{ statusReason: 'Not our audience' }]);
    await page.close();
  }, 60_000);

  it('change a programme in yen without moving its decimals, and put rules in order', async () => {
    const page = await stage.goTo(context, '/app/programme');
    await button(page, 'Change').click();
    const dialog = inDialog(page);
    const commission = dialog.getByRole('textbox', { name: 'Commission', exact: true });
    expect(await commission.inputValue()).toBe('1500');
    await dialog.getByRole('textbox', { name: 'Description' }).fill('Tea, by the bag');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Tea, by the bag').waitFor();
    const { body } = await api.get(`/api/v1/programs/${programId}`);
    expect(body).toMatchObject({
      commission: { type: 'flat', amountCents: 1500 },
      minPayoutCents: 500,
    });

    for (const name of ['Big orders', 'Subscriptions']) {
      await button(page, 'Add rule').click();
      await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
      await dialog.getByRole('textbox', { name: 'Commission in percent' }).fill('12.5');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText(`${name}: 12.5% of the gross amount.`).waitFor();
    }
    await button(page, 'Move Subscriptions up').click();
    await page.getByRole('listitem').filter({ hasText: 'Subscriptions' }).first().waitFor();
    await button(page, 'Move Big orders up').waitFor();
    const { body: rules } = await api.get(`/api/v1/programs/${programId}/commission-rules`);
    expect(rules['rules']).toMatchObject([{ name: 'Subscriptions' }, { name: 'Big orders' }]);
    await page.close();
  }, 60_000);

  it('show a lead that cost nothing, in the list and by itself', async () => {
    const partner = await api.post(`/api/v1/programs/${programId}/partners`, {
      ...{ email: `lea-${newId().slice(-12)}@example.com`, name: 'Lea Leads' },
    });
    const path = `/api/v1/programs/${programId}/partners/${String(partner.body['id'])}/promo-codes`;
    const code = `LEA${newId().slice(-6).toUpperCase()}`;
    await api.post(path, { code });
    await api.post('/api/v1/conversions', {
      external_transaction_id: 'lead-1',
      event_type: 'sign_up',
      promo_code: code,
    });
    const page = await stage.goTo(context, '/app/sales');
    await page.getByRole('searchbox', { name: 'Ask about a sale' }).fill('lead-1');
    await button(page, 'Find').click();
    await heading(page, 'Sale').waitFor();
    await page.getByText('Sign up').first().waitFor();
    expect(await button(page, 'Refund').count()).toBe(0);
    await page.close();
  }, 60_000);

  it('lead from a partner to their own entries of the ledger, and to the year of the programme', async () => {
    const partners = `/api/v1/programs/${programId}/partners`;
    const add = async (name: string): Promise<string> => {
      const email = `${name}-${newId().slice(-12)}@example.com`;
      const { body } = await api.post(partners, { email, name });
      const bonus = { amountCents: 700, reason: `For ${name}` };
      await api.post(`${partners}/${String(body['id'])}/adjustments`, bonus);
      return String(body['id']);
    };
    const [id] = [await add('Una'), await add('Vera')];
    const page = await stage.goTo(context, `/app/partners/${programId}/${id}`);
    await page.getByRole('link', { name: 'Ledger' }).click();
    await page.getByText('For Una').waitFor();
    expect(await page.getByText('For Vera').count()).toBe(0);
    await button(page, 'One partner only: show all').click();
    await page.getByText('For Vera').waitFor();
    await page.getByRole('link', { name: 'Books' }).click();
    const year = page.getByRole('combobox', { name: 'Year' });
    const { body: program } = await api.get(`/api/v1/programs/${programId}`);
    const first = new Date(String(program['createdAt'])).getUTCFullYear();
    await year.click();
    await page.getByRole('option').first().waitFor();
    const years = await page.getByRole('option').allTextContents();
    expect(years.map(Number).toSorted((a, b) => a - b)[0]).toBe(first);
    await page.close();
  }, 60_000);
});
