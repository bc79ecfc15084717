import { readFile } from 'node:fs/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { newId } from '../../../entities/ids';
import type { Caller } from '../../support/api-client';
import { describeInBrowser } from '../../support/browser';
import { Stage, button, faultsOf, fits, inDialog, heading } from './stage';

describeInBrowser('what a merchant pays and reads', () => {
  let stage: Stage;
  let context: BrowserContext;
  let api: Caller;
  let payoutId: string;

  beforeAll(async () => {
    stage = await Stage.open();
    ({ context, api } = await stage.merchant());
    const program = await api.post('/api/v1/programs', {
      name: 'Dinar partners',
      websiteUrl: 'https://shop.example',
      currency: 'kwd',
      holdDays: 0,
      autoApprove: false,
      commission: { type: 'flat', amountCents: 12_345 },
    });
    const path = `/api/v1/programs/${String(program.body['id'])}`;
    const email = `kai-${newId().slice(-12)}@example.com`;
    const partner = await api.post(`${path}/partners`, { email, name: 'Kai Kuwait' });
    const code = `KAI${newId().slice(-6).toUpperCase()}`;
    await api.post(`${path}/partners/${String(partner.body['id'])}/promo-codes`, { code });
    await api.post('/api/v1/conversions', {
      ...{ external_transaction_id: 'sale-1', event_type: 'purchase', promo_code: code },
      ...{ amount_cents: 50_000, currency: 'kwd', customer_id: 'buyer-1' },
    });
  }, 90_000);
  afterAll(() => stage.close());

  it('take a commission in three decimals through a payout, a file and its results', async () => {
    const page = await stage.goTo(context, '/app/commissions');
    await page.getByRole('checkbox').first().check();
    await button(page, 'Approve').click();
    await page.getByText('1 decided.').waitFor();
    await page.goto(`${stage.app.url}/app/payouts`);
    await button(page, 'New payout').click();
    await inDialog(page).getByRole('button', { name: 'Preview' }).click();
    await inDialog(page).getByText('12.345').first().waitFor();
    await inDialog(page).getByRole('button', { name: 'Create payout' }).click();
    await heading(page, 'Payout').waitFor();
    payoutId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const { body } = await api.get(`/api/v1/payouts/${payoutId}`);
    const [item] = body['items'] as { reference: string }[];

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Generic file').click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/\.csv$/);
    await report(page, `${item?.reference},paid,tx-1,`, 'Ready → Paid');
    await report(page, `${item?.reference},returned,tx-1,Account closed`, 'Paid → Returned');
    await page.getByText('Account closed').waitFor();
    await fits(page);
    await page.close();
  }, 60_000);

  it('lead from a sum of the books to its entries, and to them as a file', async () => {
    const page = await stage.goTo(context, '/app/payouts');
    await page.getByRole('link', { name: 'Books' }).click();
    await heading(page, 'Books').waitFor();
    const months = page.getByRole('table', { name: 'Books' });
    await months.getByRole('columnheader', { name: 'Came back' }).waitFor();
    await fits(page);
    await months.getByRole('link', { name: /^-/ }).click();
    await heading(page, 'Ledger').waitFor();
    const entries = page.getByRole('table', { name: 'Ledger' }).getByRole('row');
    await entries.filter({ hasText: /Kai Kuwait.*-.*12\.345/ }).waitFor();
    // The head, and the one payment: neither what was earned nor what came back.
    expect(await entries.count()).toBe(2);
    await fits(page);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Export').click(),
    ]);
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
    expect(lines.slice(1)).toEqual([expect.stringContaining(`payout,-12345,kwd`)]);
    await page.close();
  }, 60_000);

  async function report(page: Page, row: string, change: string): Promise<void> {
    await button(page, 'Upload results').click();
    const csv = `itemReference,status,transactionId,reason\n${row}\n`;
    await inDialog(page)
      .getByLabel('File')
      .setInputFiles({ name: 'results.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await inDialog(page).getByText(change).waitFor();
    await inDialog(page).getByRole('button', { name: 'Apply' }).click();
    await inDialog(page).waitFor({ state: 'detached' });
  }

  it('credit a customer to another partner, and ask for the whole id before an erasure', async () => {
    const page = await stage.goTo(context, '/app/customers');
    await page.getByText('buyer-1').waitFor();
    await button(page, 'Credit to another partner').click();
    await inDialog(page).getByRole('combobox', { name: 'Find a partner' }).fill('Kai');
    await page.getByRole('option').first().click();
    expect(await faultsOf(page)).toEqual([]);
    await inDialog(page).getByRole('textbox', { name: 'Reason' }).fill('Told us on the phone');
    await inDialog(page).getByRole('button', { name: 'Credit to another partner' }).click();
    await page.getByRole('cell', { name: 'A member' }).waitFor();
    await button(page, 'Erase buyer').click();
    await inDialog(page).getByRole('textbox').fill('another');
    await inDialog(page).getByRole('button', { name: 'Erase for ever' }).click();
    await inDialog(page).locator('.hint.bad').waitFor();
    await page.close();
  }, 60_000);

  it('read the words of a test mail, and say so before a key is revoked', async () => {
    const page = await stage.goTo(context, '/app');
    // Mails are made by workers, which have tests of their own.
    const mail = { id: 'm1', status: 'suppressed', recipient: 'a@b.example', subject: 'Welcome' };
    const html =
      '<style>p{}</style><p style="color:red">Hello</p><a href="https://x.example/">x</a>';
    const data = [{ ...mail, createdAt: '2026-01-02T00:00:00Z' }];
    const list = { data, total: 1, page: 1, limit: 20, nextCursor: null };
    await page.route('**/notification-log*', (route) => route.fulfill({ json: list }));
    await page.route('**/notification-log/m1', (route) => route.fulfill({ json: { html } }));
    await page.getByRole('link', { name: 'Developers' }).first().click();
    await heading(page, 'Developers').waitFor();
    await page.getByRole('link', { name: 'Test data' }).click();
    await page.emulateMedia({ colorScheme: 'dark' });
    const mails = page.getByRole('table', { name: 'Test mails' });
    await mails.getByRole('button', { name: 'Show' }).click();
    await inDialog(page).getByText('Hello').waitFor();
    await inDialog(page).getByRole('link', { name: 'https://x.example/' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await inDialog(page).getByRole('button', { name: 'Close' }).click();
    await page.getByRole('link', { name: 'API keys' }).click();
    await button(page, 'Revoke').first().click();
    await inDialog(page).getByText('is refused from now on').waitFor();
    await page.close();
  }, 60_000);
});
