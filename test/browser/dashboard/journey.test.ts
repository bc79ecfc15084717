import type { BrowserContext, Page } from 'playwright-core';
import { newId } from '../../../entities/ids';
import { carryFeeds } from '../../support/build/notifications';
import { relayOnce } from '../../support/workers/relay-once';
import { relayHandlers } from '../../../workers/relay/handlers';
import { describeInBrowser } from '../../support/browser';
import { Stage, button, faultsOf, heading, inDialog, password, textbox } from './stage';

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
    await button(page, 'I have no account yet').click();
    await textbox(page, 'Name').fill(called);
    await textbox(page, 'Email').fill(emailOf(who));
    await textbox(page, 'Password').fill(password);
  }

  it('come from nothing to an approved commission, which both see', async () => {
    const page = await stage.goTo(merchant, '/app');
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
    await button(own, 'Accept the invite').click();
    await heading(own, 'Home').waitFor();

    // Until somebody is real, it is of the partner for practice.
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
    const joinUrl = (await page.getByText('/portal/join/').textContent()) ?? '';
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
    // As a worker does, of which there is none here.
    const { deps } = stage.app;
    await relayOnce(deps, 'event_notices', relayHandlers(deps).event_notices);
    await carryFeeds(deps);

    const row = page.getByRole('row').filter({ hasText: 'Ann Applicant' });
    await row.getByRole('button', { name: 'Approve' }).click();
    expect(await unread.getAttribute('aria-label')).not.toBe(before);
    await row.getByText('Approved').waitFor();
    await own.getByRole('main').getByRole('link', { name: 'Links' }).click();
    await own.getByRole('table', { name: 'Tea partners' }).getByText('?ref=').waitFor();
    await Promise.all([page.close(), another.close()]);
  }, 60_000);

  it('keep the session over a reload, and tell why a sale was credited', async () => {
    const page = await stage.goTo(merchant, '/app/sales');
    await heading(page, 'Sales').waitFor();
    await page.getByRole('table').getByRole('link').first().click();
    await page.getByText('Credited to the partner of the promo code.').first().waitFor();
    await page.reload();
    await heading(page, 'Sale').waitFor();
    await page.close();
  }, 30_000);

  it('begin a programme with stricter fraud rules than the API, and offer the same later', async () => {
    const page = await stage.goTo(merchant, '/app/programme');
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
    await page.close();
  }, 60_000);

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
    await heading(page, 'Partners').waitFor();
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
