import type { BrowserContext, Page } from 'playwright-core';
import { newId } from '../../../entities/ids';
import type { Caller } from '../../support/api-client';
import { describeInBrowser, visitorUserAgent } from '../../support/browser';
import { choose, Stage, button, fits, heading, inDialog } from './stage';

const count = 23;

describeInBrowser('what a merchant works through', () => {
  let stage: Stage;
  let context: BrowserContext;
  let api: Caller;
  let programId: string;

  async function post(path: string, body: object): Promise<Record<string, unknown>> {
    const answer = await api.post(path, body);
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  beforeAll(async () => {
    stage = await Stage.open();
    ({ context, api } = await stage.merchant());
    const program = await post('/api/v1/programs', {
      ...{ name: 'Tea partners', websiteUrl: 'https://shop.example', autoApprove: false },
      ...{ holdDays: 0, commission: { type: 'percentage', rateBps: 1_000 } },
    });
    programId = String(program['id']);
    const path = `/api/v1/programs/${programId}`;
    const email = `ada-${newId().slice(-12)}@example.com`;
    const { id } = await post(`${path}/partners`, { email, name: 'Ada Partner' });
    const code = `ADA${newId().slice(-6).toUpperCase()}`;
    await post(`${path}/partners/${String(id)}/promo-codes`, { code });
    for (let sale = 1; sale <= count; sale += 1) {
      await post('/api/v1/conversions', {
        ...{ external_transaction_id: `order-${sale}`, event_type: 'purchase' },
        ...{ promo_code: code, amount_cents: sale * 1_000, currency: 'usd' },
      });
    }
    const rule = { type: 'percentage', rateBps: 2_000 };
    const rules = [
      { ...rule, name: 'For Ada', match: { participantIds: [id] } },
      { ...rule, name: 'First orders', match: { eventTypes: ['first'] } },
    ];
    await api.put(`${path}/commission-rules`, { rules });
    const gold = await post(`${path}/groups`, { name: 'Gold', commission: rule });
    const steps = [{ atLeast: 1_000, groupId: gold['id'] }];
    const tiers = { metric: 'customers', window: 'lifetime', demote: false, steps };
    expect((await api.put(`${path}/tiers`, tiers)).status).toBe(200);
    const bonus = { name: 'First ten', metric: 'customers', atLeast: 10, amountCents: 5_000 };
    const bonuses = [{ ...bonus, groupIds: [gold['id']] }];
    expect((await api.put(`${path}/bonuses`, { bonuses })).status).toBe(200);
    await post('/api/v1/webhooks', { url: 'http://127.0.0.1:9009/hook', events: ['*'] });
    await post('/api/v1/webhooks', { url: 'https://127.0.0.1:9010/live', events: ['*'] });
  }, 90_000);
  afterAll(() => stage.close());

  const row = (page: Page, amount: string) =>
    page.getByRole('row').filter({ hasText: `$${amount}` });

  it('ticks outlast pages, and a dialog names how many and how much', async () => {
    const page = await stage.goTo(context, '/app/commissions');
    await page.getByRole('tab', { name: `Pending ${count}` }).waitFor();
    await row(page, '23.00').getByRole('checkbox').check();
    await button(page, 'Next page').click();
    await row(page, '1.00').getByRole('checkbox').check();
    await page.getByRole('status').filter({ hasText: '2 selected, $24.00' }).waitFor();
    const selected = page.getByRole('group', { name: 'Selected' });
    await selected.getByRole('button', { name: 'Reject' }).click();
    await page.getByRole('dialog', { name: 'Reject: 2 commissions, $24.00' }).waitFor();
    await fits(page);
    await inDialog(page).getByRole('textbox', { name: 'Reason' }).fill('Ordered by ourselves');
    await inDialog(page).getByRole('button', { name: 'Reject' }).click();
    await page.getByText('2 decided.').waitFor();
    await page.getByRole('tab', { name: 'Rejected 2' }).click();
    await row(page, '23.00').getByText('Rejected').waitFor();
    // What is decided for good has no tick.
    expect(await page.getByRole('checkbox').count()).toBe(0);
    await page.close();
  }, 60_000);

  it('all that fit can be decided at once', async () => {
    const page = await stage.goTo(context, '/app/commissions?status=pending');
    await page.getByRole('checkbox', { name: 'Select all' }).check();
    await page.getByRole('status').filter({ hasText: '20 selected' }).waitFor();
    await button(page, 'Select all 21 that fit').click();
    await page.getByRole('status').filter({ hasText: '21 selected' }).waitFor();
    await button(page, 'Approve').click();
    await page.getByText('21 decided.').waitFor();
    await page.getByText('Nothing fits.').waitFor();
    await button(page, 'Clear filters').click();
    await page.getByRole('tab', { name: 'Approved 21' }).waitFor();
    await page.close();
  }, 60_000);

  it('a bonus is added by hand, and stands there in words', async () => {
    const page = await stage.goTo(context, '/app/programme');
    await page.getByRole('button', { name: 'Add a bonus' }).click();
    const dialog = inDialog(page);
    await dialog.getByLabel('Name').fill('A thousand sold');
    await choose(dialog.getByLabel('What counts'), 'Sales');
    await dialog.getByLabel('Earned from').fill('1000');
    await dialog.getByLabel('Pays once').fill('25');
    await dialog.getByLabel('Payments count from').fill('');
    await fits(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('$25.00 once for 1,000 sales').waitFor();
    await page.getByText('$50.00 once for 10 customers').waitFor();
    await page.close();
  });

  it('goes live with what was tried, says what stays, and shows the live tag', async () => {
    const page = await stage.goTo(context, '/app');
    const step = page.getByRole('region', { name: 'Go live' });
    await step.getByRole('button', { name: 'Go live' }).click();
    await inDialog(page).getByText('the programme “Tea partners” with its terms').waitFor();
    await inDialog(page).getByText('the rule “For Ada”, which names partners').waitFor();
    await inDialog(page).getByText('http://127.0.0.1:9009/hook, which is not https').waitFor();
    await inDialog(page).getByText('whom you invite again: Ada Partner').waitFor();
    await fits(page);
    await inDialog(page).getByRole('button', { name: 'Go live' }).click();
    await step.getByText('data-merchant="pk_live_').waitFor();
    await step.getByText('Signing secret for https://127.0.0.1:9010/live').waitFor();
    await step.getByText(/whsec_\w{20}/).waitFor();
    await step.getByText('Live: waits for the first click').waitFor();

    const live = { mode: 'live' } as const;
    const programs = await api.get<{ data: { id: string }[] }>('/api/v1/programs', live);
    const [made] = programs.body.data;
    const rules = await api.get(`/api/v1/programs/${made?.id}/commission-rules`, live);
    expect(rules.body['rules']).toMatchObject([{ name: 'First orders' }]);
    type Groups = { data: { id: string; name: string }[] };
    const groups = await api.get<Groups>(`/api/v1/programs/${made?.id}/groups`, live);
    const gold = groups.body.data.find(({ name }) => name === 'Gold')?.id;
    const tiers = await api.get(`/api/v1/programs/${made?.id}/tiers`, live);
    expect(tiers.body['steps']).toEqual([{ atLeast: 1_000, groupId: gold }]);
    const bonuses = await api.get(`/api/v1/programs/${made?.id}/bonuses`, live);
    expect(bonuses.body['bonuses']).toMatchObject([
      { name: 'First ten', groupIds: [gold] },
      { name: 'A thousand sold', groupIds: null },
    ]);
    const webhooks = (await api.get('/api/v1/webhooks', live)).body['data'];
    expect(webhooks).toMatchObject([{ url: 'https://127.0.0.1:9010/live' }]);
    await heading(page, 'Get started').waitFor();
    await page.close();

    // The first click of live mode ends the beginning: from then on one comes to what came of it.
    const zed = { email: `zed-${newId().slice(-12)}@example.com`, name: 'Zed' };
    const partner = await api.post(`/api/v1/programs/${made?.id}/partners`, zed, live);
    const keys = await api.get<{ data: { kind: string; mode: string; key: string }[] }>(
      '/api/v1/workspace/api-keys?limit=100',
      live,
    );
    const key = keys.body.data.find((one) => one.kind === 'public' && one.mode === 'live')?.key;
    const click = { key, ref: partner.body['referralCode'] };
    const headers = { 'User-Agent': visitorUserAgent };
    await stage.app.client.post('/v1/clicks', click, { headers });
    const later = await stage.goTo(context, '/app');
    await heading(later, 'Overview').waitFor();
    await stage.toPage(later, 'Get started');
    await later
      .getByRole('region', { name: 'Go live' })
      .getByText('Done', { exact: true })
      .waitFor();
    await later.close();
  }, 60_000);

  it('finds pages, partners and sales from anywhere, by the keyboard alone', async () => {
    const page = await stage.goTo(context, '/app/inbox?mode=test');
    await heading(page, 'Inbox').waitFor();
    await page.keyboard.press('Control+k');
    const typed = inDialog(page).getByRole('combobox', { name: 'Find anything' });
    await typed.waitFor();
    await page.keyboard.type('book');
    await inDialog(page).getByRole('option', { name: 'Books Page' }).waitFor();
    await fits(page);
    await typed.fill('Ada');
    await inDialog(page).getByRole('option', { name: 'Ada Partner Partner' }).waitFor();
    await typed.fill('order-7');
    await inDialog(page).getByRole('option', { name: 'order-7 Sale' }).waitFor();
    await page.keyboard.press('Enter');
    await heading(page, 'Sale').waitFor();
    await page.getByText('order-7').first().waitFor();
    await page.close();
  }, 60_000);
});
