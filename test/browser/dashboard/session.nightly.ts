import type { BrowserContext, Page } from 'playwright-core';
import { codeAt } from '../../support/build/two-factor';
import { describeInBrowser } from '../../support/browser';
import {
  Stage,
  button,
  choose,
  faultsOf,
  fits,
  heading,
  inDialog,
  password,
  textbox,
} from './stage';

describeInBrowser('who is signed in', () => {
  let stage: Stage;
  let context: BrowserContext;
  /** The session of another member. */
  let email: string;

  beforeAll(async () => {
    stage = await Stage.open();
    const merchant = await stage.merchant();
    ({ context } = merchant);
    email = await stage.member(merchant.api, 'admin');
  }, 60_000);
  afterAll(() => stage.close());

  it('is told that an address is not confirmed, and sent the mail again', async () => {
    const page = await stage.goTo(context, '/app/settings?part=you');
    await page.getByText('Not confirmed').waitFor();
    await button(page, 'Send the mail again').click();
    await page.getByText('A mail with a link is on its way.').waitFor();
    await page.close();
  }, 30_000);

  it('finds browsers by their names where they are signed in', async () => {
    const page = await stage.goTo(context, '/app/settings?part=you');
    const row = page.getByRole('table', { name: 'Where you are signed in' }).getByRole('row');
    await row.filter({ hasText: 'This one' }).getByText('Chrome, Linux', { exact: true }).waitFor();
    expect(await page.getByText('Mozilla').count()).toBe(0);
    await page.close();
  }, 30_000);

  it('goes on working past the end of an access token, in two tabs', async () => {
    const tabs = [await stage.goTo(context, '/app'), await stage.goTo(context, '/app/sales')];
    await heading(tabs[0] as Page, 'Get started').waitFor();
    await heading(tabs[1] as Page, 'Sales').waitFor();
    stage.app.deps.clock.advance(16 * 60_000);
    await Promise.all(tabs.map((page) => stage.toPage(page, 'Commissions')));
    await Promise.all(tabs.map((page) => page.getByText('No commission yet.').waitFor()));
    // The browser's own clock has not moved: the refusals are what tells.
    stage.forgive(/status of 401/);
    await Promise.all(tabs.map((page) => page.close()));
  }, 30_000);

  it('closes the workspace in two steps, is told so on top, and takes it back', async () => {
    const page = await stage.goTo(context, '/app/settings?part=close');
    await button(page, 'Close workspace').click();
    await inDialog(page).getByRole('textbox', { name: 'Tea Club' }).fill('Tea Club');
    await inDialog(page).getByRole('textbox', { name: 'Password' }).fill(password);
    await inDialog(page).getByRole('button', { name: 'Close in 30 days' }).click();
    await page.getByRole('status').getByText('will be closed on').waitFor();
    expect(await button(page, 'Close workspace').count()).toBe(0);
    expect(await faultsOf(page)).toEqual([]);
    await button(page, 'Keep workspace').click();
    await button(page, 'Close workspace').waitFor();
    await page.close();
  }, 30_000);

  async function turnOn(page: Page): Promise<string[]> {
    await button(page, 'Turn on').click();
    await inDialog(page).getByLabel('Password').fill(password);
    await inDialog(page).getByRole('button', { name: 'Next' }).click();
    await inDialog(page).getByRole('img', { name: 'QR code of the secret' }).waitFor();
    const secret = (await inDialog(page).locator('code').textContent()) ?? '';
    await inDialog(page).getByRole('textbox', { name: 'Code' }).fill(codeOf(secret));
    await inDialog(page).getByRole('button', { name: 'Turn on' }).click();
    await inDialog(page).getByText('Each of these codes signs you in once').waitFor();
    return codesIn(page);
  }

  const codesIn = async (page: Page): Promise<string[]> =>
    ((await inDialog(page).locator('code').textContent()) ?? '').split(' ');

  const codeOf = (secret: string): string => codeAt(secret, stage.app.deps.clock.now());

  it('is led to a second factor where the workspace asks for one, and has new recovery codes', async () => {
    const page = await stage.goTo(context, '/app/settings?part=you');
    await turnOn(page);
    await fits(page);
    await button(page, 'I have kept them').click();
    await button(page, 'Turn off').waitFor();
    await page.getByRole('link', { name: 'Workspace', exact: true }).click();
    await choose(page.getByLabel('Every member needs a second factor'), 'Yes');
    await button(page, 'Save').first().click();
    await page.waitForLoadState('networkidle');

    const other = await stage.browser.newContext();
    const own = await stage.goTo(other, '/app');
    await textbox(own, 'Email').fill(email);
    await textbox(own, 'Password').fill(password);
    await button(own, 'Sign in').click();
    await heading(own, 'Set up your second factor').waitFor();
    await fits(own);
    const [first = ''] = await turnOn(own);
    await button(own, 'I have kept them').click();
    await heading(own, 'Get started').waitFor();
    // Every question before was refused.
    stage.forgive(/status of 403/);

    await stage.toPage(own, 'Settings');
    await own.getByRole('link', { name: 'You', exact: true }).click();
    await button(own, 'New recovery codes').click();
    await inDialog(own).getByLabel('Password').fill(password);
    await inDialog(own).getByRole('textbox', { name: 'Code' }).fill('000000');
    await inDialog(own).getByRole('button', { name: 'New recovery codes' }).click();
    await inDialog(own).getByRole('alert').waitFor();
    stage.forgive(/status of 40[01]/);
    await inDialog(own).getByRole('textbox', { name: 'Code' }).fill(first);
    await inDialog(own).getByRole('button', { name: 'New recovery codes' }).click();
    await inDialog(own).getByText('Each of these codes signs you in once').waitFor();
    const renewed = await codesIn(own);
    expect([renewed.length, renewed.includes(first)]).toEqual([10, false]);
    await Promise.all([other.close(), page.close()]);
  }, 60_000);

  it('signs out in one tab, and in the others', async () => {
    const page = await stage.goTo(context, '/app');
    const other = await stage.goTo(context, '/app/commissions');
    await heading(page, 'Get started').waitFor();
    await heading(other, 'Commissions').waitFor();
    await button(page, 'Account').click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await Promise.all([button(page, 'Sign in').waitFor(), button(other, 'Sign in').waitFor()]);
  }, 30_000);
});
