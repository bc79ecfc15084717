import type { BrowserContext } from 'playwright-core';
import { attemptCode } from '../../../activities/billing/codes/attempt';
import { query } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import type { Caller } from '../../support/api-client';
import { polarCode } from '../../support/billers/codes';
import { polarSecret } from '../../support/billers/polar';
import { startBillerStandIn, type BillerStandIn } from '../../support/billers/stand-in';
import { describeInBrowser } from '../../support/browser';
import { Stage, button, choose, fits, heading, inDialog, password, textbox } from './stage';

describeInBrowser('billers beside Stripe', () => {
  let stage: Stage;
  let vendor: BillerStandIn;
  let context: BrowserContext;
  let api: Caller;

  beforeAll(async () => {
    vendor = await startBillerStandIn();
    stage = await Stage.open({ PADDLE_API_BASE: vendor.url, POLAR_API_BASE: vendor.url });
    ({ context, api } = await stage.merchant());
  }, 60_000);
  afterAll(async () => {
    await stage.close();
    await vendor.close();
  });

  /** A partner with an account, who is in a programme of these terms. */
  async function partner(): Promise<{ email: string; programId: string; participantId: string }> {
    const terms = { approvalMode: 'auto', commission: { type: 'percentage', rateBps: 2_000 } };
    const { body: program } = await api.post('/api/v1/programs', {
      ...{ ...terms, name: 'Tea partners', websiteUrl: 'https://shop.example' },
    });
    const programId = String(program['id']);
    const email = `pat-${newId().slice(-12)}@example.com`;
    const { client } = stage.app;
    await client.post('/api/v1/auth/partner/register', { email, password, name: 'Pat Partner' });
    const login = await client.post('/api/v1/auth/partner/login', { email, password });
    const person = client.as(String(login.body['accessToken']), 'test');
    const path = `/api/v1/partner/programs/${programId}/applications`;
    const { body } = await person.post(path, {});
    return { email, programId, participantId: String(body['id']) };
  }

  /** What the workflow does at its first attempt, for each code that waits. */
  async function attemptCodes(): Promise<void> {
    const waiting = "SELECT id FROM biller_codes WHERE status = 'pending'";
    const rows = await query<{ id: string }>(stage.app.deps.db.manager, waiting);
    for (const { id } of rows) await attemptCode(stage.app.deps, id);
  }

  it('is connected from the first steps: who bills gives the step its name and its way', async () => {
    const mia = await stage.merchant();
    const page = await stage.goTo(mia.context, '/app');
    const who = page.getByRole('radiogroup', { name: 'Who bills for you?' });
    await page.getByRole('region', { name: 'Stripe' }).getByText('To do').waitFor();
    expect(await who.getByRole('radio', { name: 'Stripe' }).isChecked()).toBe(true);
    await button(page, 'Connect Stripe').waitFor();
    await who.scrollIntoViewIfNeeded();
    const placeOf = () => page.evaluate(() => Math.round(scrollY));
    const place = await placeOf();
    expect(place).toBeGreaterThan(0);
    await who.getByRole('radio', { name: 'Another' }).check();
    const another = page.getByRole('region', { name: 'Your own server' });
    await another.waitFor();
    expect(await placeOf()).toBe(place);
    const guide = another.getByRole('link', { name: 'How your website passes the click on' });
    expect(await guide.getAttribute('href')).toContain('#own-server-by-any-biller');
    await who.getByRole('radio', { name: 'Polar' }).check();
    const polar = page.getByRole('region', { name: 'Polar' });
    await fits(page);

    vendor.forbidden.add('/v1/disputes');
    await button(page, 'Connect Polar').click();
    await inDialog(page).getByText('orders:read').waitFor();
    await textbox(page, 'Access token').fill('polar_oat_key');
    await fits(page);
    await inDialog(page).getByRole('button', { name: 'Save' }).click();
    await inDialog(page).getByText('disputes:read').nth(1).waitFor();
    stage.forgive(/422/);
    vendor.forbidden.clear();
    vendor.set('POST /v1/webhooks/endpoints', { id: newId(), secret: polarSecret });
    await inDialog(page).getByRole('button', { name: 'Save' }).click();
    await polar.getByText('Done', { exact: true }).waitFor();

    // The one that is connected is the one who bills, wherever one comes back from.
    await stage.toPage(page, 'Developers');
    await page.getByRole('link', { name: 'Billing', exact: true }).click();
    expect(await who.getByRole('radio', { name: 'Polar' }).isChecked()).toBe(true);
    await page.getByText('Connected', { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Polar events' }).waitFor();
    await button(page, 'Disconnect Polar').waitFor();
    await who.getByRole('radio', { name: 'Paddle' }).check();
    await button(page, 'Connect Paddle').click();
    await inDialog(page).getByText('notification_setting.write').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Polar events' }).waitFor();
    await fits(page);
    await mia.context.close();
  }, 90_000);

  it('a code with a discount says where it works, to the merchant and to the partner', async () => {
    for (const [biller, body] of [
      ['polar', { apiKey: 'polar_oat_key', webhookSecret: polarSecret }],
      ['paddle', { webhookSecret: `pdl_ntfset_${'a1'.repeat(20)}` }],
    ] as const) {
      expect((await api.put(`/api/v1/workspace/billers/${biller}`, body)).status).toBe(200);
    }
    vendor.set('POST /v1/discounts', polarCode({ code: 'PAT10' }));
    const { email, programId, participantId } = await partner();

    const page = await stage.goTo(context, `/app/partners/${programId}/${participantId}`);
    await page.getByText('No promo code yet.').waitFor();
    await button(page, 'Add code').click();
    const dialog = inDialog(page);
    await dialog.getByLabel('Promo code').fill('pat10');
    await choose(dialog.getByLabel('Takes off'), 'A percentage');
    await dialog.getByLabel('Percent off').fill('ten');
    await choose(dialog.getByLabel('Taken off'), 'For some months');
    await dialog.getByRole('button', { name: 'Add code' }).click();
    await dialog.getByText('Must be a percentage').waitFor();
    await fits(page);
    await dialog.getByLabel('Percent off').fill('10');
    await dialog.getByRole('button', { name: 'Add code' }).click();
    const row = page.getByRole('row').filter({ hasText: 'PAT10' });
    await row.getByText('10% off, for 3 months').waitFor();
    await row.getByText('Being made').first().waitFor();

    await attemptCodes();
    const at = (biller: string) => row.getByRole('listitem').filter({ hasText: biller });
    await at('Polar').getByText('Works', { exact: true }).waitFor();
    await at('Paddle').getByText('Does not work').waitFor();
    await at('Paddle').getByText('Paddle is not connected with a key').waitFor();
    await fits(page);
    await row.getByRole('button', { name: 'Sync PAT10' }).click();
    await at('Paddle').getByText('Being made').waitFor();

    await attemptCodes();
    const theirs = await stage.browser.newContext();
    const links = await stage.goTo(theirs, '/portal/links');
    await textbox(links, 'Email').fill(email);
    await textbox(links, 'Password').fill(password);
    await button(links, 'Sign in').click();
    await heading(links, 'Links').waitFor();
    await links.goto(`${stage.app.url}/portal/links?mode=test`);
    const own = links.getByRole('table', { name: 'Your codes' });
    await own.getByText('10% off, for 3 months').waitFor();
    await own.getByText('Paddle: not yet: your merchant sees why, Polar: works').waitFor();
    await fits(links);
    await theirs.close();

    await row.getByRole('button', { name: 'Remove PAT10' }).click();
    await page.getByText('No promo code yet.').waitFor();
    await page.close();
  }, 90_000);
});
