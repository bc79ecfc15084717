import type { BrowserContext, Page } from 'playwright-core';
import { newId } from '../../../entities/ids';
import { carryFeeds } from '../../support/build/notifications';
import { relayOnce } from '../../support/workers/relay-once';
import { relayHandlers } from '../../../workers/relay/handlers';
import { describeInBrowser, visitorUserAgent } from '../../support/browser';
import { Stage, button, choose, faultsOf, heading, inDialog, password, textbox } from './stage';

describeInBrowser('a merchant and a partner side by side', () => {
  let stage: Stage;
  let merchant: BrowserContext;
  let partner: BrowserContext;
  const name = newId().slice(-12);
  const emailOf = (who: string): string => `${who}-${name}@example.com`;

  beforeAll(async () => {
    stage = await Stage.open();
    [merchant, partner] = [await stage.browser.newContext(), await stage.browser.newContext()];
  }, 60_000);
  afterAll(() => stage.close());

  async function register(page: Page, who: string, called: string): Promise<void> {
    await textbox(page, 'Name').fill(called);
    await textbox(page, 'Email').fill(emailOf(who));
    await textbox(page, 'Password').fill(password);
  }

  it('come from nothing to an approved commission, which both see', async () => {
    const page = await stage.goTo(merchant, '/app');
    await button(page, 'Create account').click();
    await register(page, 'mia', 'Mia Merchant');
    await textbox(page, 'Workspace').fill('Tea Club');
    await button(page, 'Create account').click();
    await heading(page, 'Get started').waitFor();
    expect(await page.getByText('sk_test_').count()).toBe(1);
    await button(page, 'I have kept them').click();
    await textbox(page, 'Programme name').fill('Tea partners');
    await textbox(page, 'Website').fill('https://shop.example');
    await textbox(page, 'Commission').fill('12.5');
    await button(page, 'Create programme').click();
    await page.getByText('data-merchant="pk_test_').waitFor();
    await textbox(page, 'Email').fill(emailOf('pat'));
    await button(page, 'Invite partner').click();
    const inviteUrl = await page.getByText('/partner-invite?token=').textContent();

    const own = await stage.goTo(partner, new URL(inviteUrl ?? '').href.replace(stage.app.url, ''));
    await register(own, 'pat', 'Pat Partner');
    await button(own, 'Create account').click();
    await heading(own, 'Home').waitFor();

    // The sale is the practice partner's until there is a real one.
    await page.getByText('A sale of $49.00 that Pat Partner has brought').waitFor();
    await button(page, 'Make a test sale').click();
    await page.getByRole('link', { name: 'See the commission' }).click();
    await button(page, 'Override hold').click();
    await inDialog(page).getByRole('textbox', { name: 'Reason' }).fill('We know Pat');
    await inDialog(page).getByRole('button', { name: 'Override hold' }).click();
    await page.getByText('We know Pat').first().waitFor();

    await stage.toPage(own, 'Earnings');
    await own.getByRole('table').getByRole('link').first().click();
    await heading(own, 'Earning').waitFor();
    // 12.5 % of 49.00, rounded half up to the cent.
    await own.getByText('$6.13').first().waitFor();
    expect(await own.getByText('We know Pat').count()).toBe(0);
    await Promise.all([page.close(), own.close()]);
  }, 60_000);

  it('apply and approve without a reload, from a bell that rings by itself', async () => {
    const page = await stage.goTo(merchant, '/app/programme');
    const joinUrl = (await page.getByText('/portal/join/').first().textContent()) ?? '';
    await stage.toPage(page, 'Partners');
    const unread = page.getByRole('button', { name: /^Notifications/ });
    await unread.waitFor();
    const before = await unread.getAttribute('aria-label');

    const another = await stage.browser.newContext();
    const own = await stage.goTo(another, joinUrl.replace(stage.app.url, ''));
    await register(own, 'ann', 'Ann Applicant');
    await button(own, 'Create account').click();
    await button(own, 'Apply').click();
    await own.getByText('The merchant will answer you.').waitFor();
    // The events are carried here, since no worker runs.
    const { deps } = stage.app;
    await relayOnce(deps, 'event_notices', relayHandlers(deps).event_notices);
    await carryFeeds(deps);

    const row = page.getByRole('row').filter({ hasText: 'Ann Applicant' });
    await row.getByRole('button', { name: 'Approve' }).click();
    expect(await unread.getAttribute('aria-label')).not.toBe(before);
    await row.getByText('Approved').waitFor();
    await unread.click();
    await page
      .getByRole('link', { name: /Ann Applicant/ })
      .first()
      .click();
    await page.waitForURL(/\/app\/partners/);
    await own.getByRole('main').getByRole('link', { name: 'Links' }).click();
    await own.getByRole('table', { name: 'Tea partners' }).getByText('?ref=').waitFor();
    await Promise.all([page.close(), another.close()]);
  }, 60_000);

  it('keep the session over a reload, and tell why a sale was credited', async () => {
    const page = await stage.goTo(merchant, '/app/sales');
    await heading(page, 'Sales').waitFor();
    await page.getByRole('table').getByRole('link').first().click();
    await page.getByText('Credited to the partner of the promo code.').first().waitFor();
    // The partner stands there by name: in the facts, and in the story.
    await page.getByRole('main').getByRole('link', { name: 'Pat Partner' }).waitFor();
    await page.getByText('Pat Partner was approved.').waitFor();
    await page.reload();
    await heading(page, 'Sale').waitFor();
    await page.close();
  }, 30_000);

  it('begin a programme with stricter fraud rules than the API, and offer the same later', async () => {
    const page = await stage.goTo(merchant, '/app/programme');
    const actionOf = (rule: string) => page.getByRole('combobox', { name: `Action of ${rule}` });
    const actions = async () => [
      await actionOf('Same IP address as the partner').textContent(),
      await actionOf('Duplicate customer').textContent(),
      await actionOf('Paid traffic').textContent(),
    ];
    await actionOf('Paid traffic').waitFor();
    expect(await actions()).toEqual(['Hold', 'Hold', 'Flag']);
    await choose(actionOf('Duplicate customer'), 'Flag');
    await button(page, 'Save').click();
    await page.getByRole('button', { name: 'Save', exact: true, disabled: true }).waitFor();
    await button(page, 'Use recommended rules').click();
    expect(await actions()).toEqual(['Hold', 'Hold', 'Flag']);
    await button(page, 'Try on the last 30 days').click();
    await page.getByRole('cell', { name: '0', exact: true }).first().waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.close();
  }, 60_000);

  it('go from a link over a click, a sale and its review to a payout that comes back', async () => {
    const own = await stage.goTo(partner, '/portal/links?mode=test');
    const link = own.getByRole('table', { name: 'Tea partners' }).getByText('?ref=').first();
    const ref = new URL((await link.textContent()) ?? '').searchParams.get('ref');
    const login = { email: emailOf('mia'), password };
    const session = await stage.app.client.post('/api/v1/auth/merchant/login', login);
    const api = stage.app.client.as(String(session.body['accessToken']), 'test');
    const key = await api.post('/api/v1/workspace/api-keys', { kind: 'public', mode: 'test' });
    const click = await stage.app.client.post(
      '/v1/clicks',
      { key: key.body['key'], ref },
      { headers: { 'User-Agent': visitorUserAgent } },
    );
    await api.post('/api/v1/conversions', {
      ...{ external_transaction_id: 'order-7', event_type: 'purchase' },
      ...{ click_id: click.body['click_id'], amount_cents: 8_000, currency: 'usd' },
    });

    const page = await stage.goTo(merchant, '/app/sales');
    await page.getByRole('searchbox', { name: 'Ask about a sale' }).fill('order-7');
    await button(page, 'Find').click();
    await page.getByText('Credited to the partner of the click.').first().waitFor();
    await stage.toPage(page, 'Commissions');
    await page.getByRole('row').filter({ hasText: '$10.00' }).getByRole('link').first().click();
    // It is to be looked at: partner and visitor are of one machine here.
    await button(page, 'End hold now').click();
    await button(page, 'Approve').waitFor();
    const leftOfReject = async () => (await button(page, 'Reject').boundingBox())?.x;
    const before = await leftOfReject();
    await button(page, 'Approve').click();
    await page.getByText('Approved').first().waitFor();
    expect(await leftOfReject()).toBe(before);
    await page.getByRole('region', { name: 'History' }).getByText('Mia Merchant').first().waitFor();
    await stage.toPage(page, 'Payouts');
    await button(page, 'New payout').click();
    await inDialog(page).getByRole('button', { name: 'Preview' }).click();
    // 12.5 % of 49.00 and of 80.00.
    await inDialog(page).getByText('$16.13').first().waitFor();
    await inDialog(page).getByRole('button', { name: 'Create payout' }).click();
    await heading(page, 'Payout').waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const { body } = await api.get(`/api/v1/payouts/${id}`);
    const [item] = body['items'] as { reference: string }[];

    await stage.toPage(own, 'Payouts');
    const paid = own.getByRole('row').filter({ hasText: '$16.13' });
    await paid.getByText('Processing').waitFor();
    await report(page, `${item?.reference},paid,tx-1,`);
    await report(page, `${item?.reference},returned,tx-1,Account closed`);
    await page.getByText('Account closed').waitFor();
    await own.reload();
    await paid.getByText('Returned').waitFor();
    await paid.getByText('Account closed').waitFor();
    await stage.toPage(own, 'Earnings');
    await own.getByRole('row').filter({ hasText: '$10.00' }).getByText('Approved').waitFor();
    await Promise.all([page.close(), own.close()]);
  }, 60_000);

  async function report(page: Page, row: string): Promise<void> {
    await button(page, 'Upload results').click();
    const csv = `itemReference,status,transactionId,reason\n${row}\n`;
    const file = { name: 'results.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
    await inDialog(page).getByLabel('File').setInputFiles(file);
    await inDialog(page).getByRole('button', { name: 'Apply' }).click();
    await inDialog(page).waitFor({ state: 'detached' });
  }

  it('ask for an erasure as the API wants it asked', async () => {
    const asked: unknown[] = [];
    const erasing = async (page: Page): Promise<void> => {
      // What the erasure then does has tests of its own.
      await page.route('**/erase', async (route) => {
        asked.push(route.request().postDataJSON());
        await route.fulfill({ json: { erased_at: new Date().toISOString() } });
      });
    };
    const page = await stage.goTo(merchant, '/app/partners');
    await erasing(page);
    await page.getByRole('table').getByRole('link', { name: 'Pat Partner' }).click();
    await button(page, 'Erase').click();
    await inDialog(page).getByRole('textbox').fill('Pat Partner');
    await inDialog(page).getByRole('button', { name: 'Erase for ever' }).click();
    await inDialog(page).waitFor({ state: 'detached' });
    await page.close();

    const own = await stage.goTo(partner, '/portal/settings');
    await erasing(own);
    await button(own, 'Erase account').click();
    await inDialog(own).getByRole('textbox').fill(emailOf('pat'));
    await inDialog(own).getByRole('button', { name: 'Erase for ever' }).click();
    await button(own, 'Sign in').waitFor();
    expect(asked).toEqual([{ confirmation: 'DELETE' }, { confirmation: 'DELETE' }]);
    await own.close();
  }, 30_000);
});
