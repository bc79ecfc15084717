import type { BrowserContext } from 'playwright-core';
import { describeInBrowser } from '../../support/browser';
import { Stage, button, heading, inDialog } from './stage';
import { buildTeaClub, type TeaClub } from './tea-club';

describeInBrowser('without a network', () => {
  let stage: Stage;
  let context: BrowserContext;
  let club: TeaClub;

  beforeAll(async () => {
    stage = await Stage.open();
    const merchant = await stage.merchant();
    ({ context } = merchant);
    club = await buildTeaClub(merchant.api);
  }, 90_000);
  afterAll(async () => {
    stage.forgive(/ERR_INTERNET_DISCONNECTED|The server does not answer/);
    await stage.close();
  });

  it('a page that was not loaded yet says so in our words, and comes by itself', async () => {
    const page = await stage.goTo(context, '/app/inbox');
    await heading(page, 'Inbox').waitFor();
    await context.setOffline(true);
    await page.getByText('You are offline.').waitFor();
    const main = page.getByRole('navigation', { name: 'Main' });
    await main.getByRole('link', { name: 'Settings' }).click();
    await heading(page, 'This page did not load').waitFor();
    await button(page, 'Try again').click();
    await heading(page, 'This page did not load').waitFor();
    expect(await main.isVisible()).toBe(true);
    await context.setOffline(false);
    await heading(page, 'Settings').waitFor();
    await page.getByText('You are offline.').waitFor({ state: 'detached' });
    await page.close();
  }, 30_000);

  it('what is sent fails at once, and is not sent later unseen', async () => {
    const page = await stage.goTo(context, `/app${club.details.partner}`);
    await button(page, 'Adjust balance').click();
    await inDialog(page).getByRole('textbox', { name: 'Amount' }).fill('10');
    await inDialog(page).getByRole('textbox', { name: 'Reason' }).fill('For the summer');
    await context.setOffline(true);
    await inDialog(page).getByRole('button', { name: 'Adjust balance' }).click();
    await inDialog(page).getByText('The service cannot be reached.').waitFor();
    await page.keyboard.press('Escape');
    await context.setOffline(false);
    await page.getByText('You are offline.').waitFor({ state: 'detached' });
    await page.waitForLoadState('networkidle');
    expect(await page.getByText('For the summer').count()).toBe(0);
    await page.close();
  }, 30_000);
});
