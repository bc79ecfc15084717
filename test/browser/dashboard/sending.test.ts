import { execute, queryOne } from '../../../entities/database/sql';
import type { BuiltMember } from '../../support/build/accounts';
import { describeInBrowser } from '../../support/browser';
import { advance, buildPayPalShop, compareBooks, later } from '../../support/paypal/shop';
import { client, startPayPalStandIn, type PayPalStandIn } from '../../support/paypal/stand-in';
import { Stage, button, fits, heading, inDialog, password, textbox } from './stage';

describeInBrowser('payouts that PayPal sends', () => {
  let stage: Stage;
  let paypal: PayPalStandIn;

  beforeAll(async () => {
    paypal = await startPayPalStandIn(() => stage.app.deps.clock.now());
    stage = await Stage.open({ PAYPAL_API_BASE: paypal.url });
  }, 60_000);
  afterAll(async () => {
    await stage.close();
    await paypal.close();
  });

  /** A merchant in a browser, with two partners who are paid by PayPal and no connection yet. */
  async function shopOf({ isConnected } = { isConnected: false }) {
    const { context, email } = await stage.merchant();
    const db = stage.app.deps.db.manager;
    const member = await queryOne<BuiltMember>(
      db,
      `SELECT id, workspace_id AS "workspaceId", 'merchant' AS side, email, name, role
         FROM merchant_accounts WHERE email = $1`,
      [email],
    );
    if (!member) throw new Error('nobody was registered');
    const options = { member, mode: 'test', isConnected, partners: 2 } as const;
    return { context, shop: await buildPayPalShop(stage.app, options) };
  }

  it('are connected in the settings, sent from their page, and show what became of them', async () => {
    const { context, shop } = await shopOf();
    const payout = await shop.payout();
    const page = await stage.goTo(context, `/app/payouts/${payout.id}?mode=test`);
    await page.getByRole('link', { name: /Connect PayPal/ }).click();
    await heading(page, 'Settings').waitFor();
    await page.getByText('None: nothing is sent').waitFor();
    await fits(page);

    await button(page, 'Connect PayPal').click();
    await textbox(page, 'Client ID').fill(client.clientId);
    await page.getByLabel('Client secret').fill(client.clientSecret);
    const { clock } = stage.app.deps;
    const stepMs = 30_000;
    clock.advance(stepMs - (clock.now().getTime() % stepMs));
    await textbox(page, 'Code').fill(shop.code());
    await textbox(page, 'First daily limit').fill('100.00');
    // The very next one: both are good at once, until the next step.
    clock.advance(-2 * stepMs);
    await textbox(page, 'The code after it').fill(shop.code());
    await fits(page);
    await inDialog(page).getByRole('button', { name: 'Connect PayPal' }).click();
    await inDialog(page).waitFor({ state: 'detached' });
    await page.getByText(client.clientId).waitFor();
    await page.getByText('$100.00').waitFor();

    await stage.toPage(page, 'Payouts');
    await page.getByRole('table').getByRole('link').first().click();
    await button(page, 'Send by PayPal').click();
    await inDialog(page).getByRole('button', { name: 'Look' }).click();
    await inDialog(page).getByText('PayPal pays $40.00 to 2 partners.').waitFor();
    await fits(page);
    await textbox(page, 'Code').fill(shop.code());
    await inDialog(page).getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('On its way', { exact: true }).first().waitFor();

    await advance(stage.app, payout);
    const [first, second] = payout.items;
    paypal.books.say(first?.reference ?? '', 'SUCCESS');
    paypal.books.say(second?.reference ?? '', 'UNCLAIMED');
    await later(stage.app, payout, 120_000);
    await page.reload();
    await page.getByText(/^Unclaimed until/).waitFor();
    await button(page, 'Ask PayPal now').waitFor();
    await fits(page);
    await button(page, 'Cancel unclaimed').click();
    await inDialog(page).getByRole('button', { name: 'Cancel unclaimed' }).click();
    await page.getByText('Failed').first().waitFor();
    expect(await compareBooks(stage.app, paypal, payout)).toEqual([]);
    await page.close();
  }, 60_000);

  it('are on their way, wait at PayPal, and are paid where their partner looks', async () => {
    const { shop } = await shopOf({ isConnected: true });
    const payout = await shop.payout(shop.partners.slice(0, 1));
    expect((await shop.send(payout)).status).toBe(202);
    await advance(stage.app, payout);
    const { partnerId } = shop.partners[0]!;
    const account = await queryOne<{ email: string }>(
      stage.app.deps.db.manager,
      'SELECT email FROM partner_accounts WHERE id = $1',
      [partnerId],
    );
    const context = await stage.browser.newContext();
    const page = await stage.goTo(context, '/portal/payouts?mode=test');
    await textbox(page, 'Email').fill(account?.email ?? '');
    await textbox(page, 'Password').fill(password);
    await button(page, 'Sign in').click();
    const row = page.getByRole('row').filter({ hasText: '$20.00' });
    await row.getByText('On its way', { exact: true }).waitFor();

    const reference = payout.items[0]?.reference ?? '';
    paypal.books.say(reference, 'UNCLAIMED');
    await later(stage.app, payout, 120_000);
    await page.reload();
    await row.getByText(/^Waiting at PayPal until/).waitFor();
    await row.getByText('On its way', { exact: true }).waitFor();
    await fits(page);

    paypal.books.say(reference, 'SUCCESS');
    await later(stage.app, payout, 120_000);
    await page.reload();
    await row.getByText('Paid', { exact: true }).waitFor();
    expect(await page.getByText(/Waiting at PayPal/).count()).toBe(0);
    expect(await compareBooks(stage.app, paypal, payout)).toEqual([]);
    await context.close();
    // A ticket for the stream of news that was asked for before the clock was moved is over.
    stage.forgive(/status of 401/);
  }, 60_000);

  it('that a restore brought back are ready again once somebody has looked', async () => {
    const { context, shop } = await shopOf();
    const payout = await shop.payout(shop.partners.slice(0, 1));
    await execute(
      stage.app.deps.db.manager,
      `UPDATE payout_items SET attention_reason = 'restored', attention_at = now() WHERE payout_id = $1`,
      [payout.id],
    );
    const page = await stage.goTo(context, `/app/payouts/${payout.id}?mode=test`);
    const look = page.getByText(/Sent before the database was restored/);
    await look.waitFor();
    await button(page, 'Not paid: send it').click();
    await inDialog(page).getByRole('button', { name: 'Not paid: send it' }).click();
    await look.waitFor({ state: 'detached' });
    await page.getByText('Ready').first().waitFor();
    await page.close();
  }, 60_000);
});
