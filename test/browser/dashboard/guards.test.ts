import type { BrowserContext, Page } from 'playwright-core';
import { newId } from '../../../entities/ids';
import type { Caller } from '../../support/api-client';
import { describeInBrowser } from '../../support/browser';
import { choose, gate, Stage, button, heading, inDialog, textbox } from './stage';
import { buildTeaClub, type TeaClub } from './tea-club';

describeInBrowser('what keeps a merchant from a mistake', () => {
  let stage: Stage;
  let context: BrowserContext;
  let api: Caller;
  let email: string;
  let club: TeaClub;

  beforeAll(async () => {
    stage = await Stage.open();
    ({ context, api, email } = await stage.merchant());
    club = await buildTeaClub(api);
  }, 90_000);
  afterAll(() => stage.close());

  /** Tells the page a change, as the tab that has the stream tells the others. */
  const tell = (page: Page, topic: string): Promise<void> =>
    page.evaluate((told) => {
      const channel = new BroadcastChannel('aps-feed-merchant-test');
      channel.postMessage(told);
      channel.close();
    }, topic);

  it('a page in a shop with a sale a second asks fewer than 60 times a minute', async () => {
    const page = await context.newPage();
    await page.clock.install();
    await page.goto(`${stage.app.url}/app/overview`);
    await heading(page, 'Overview').waitFor();
    await page.waitForLoadState('networkidle');
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/v1/')) asked.push(pathname);
    });
    for (let second = 0; second < 60; second += 1) {
      await tell(page, 'conversions');
      await page.clock.runFor(1_000);
    }
    await page.waitForLoadState('networkidle');
    expect(asked.filter((path) => path.endsWith('/metrics')).length).toBeGreaterThan(3);
    expect(asked.length).toBeLessThan(60);
    // What a sale does not concern is not asked for.
    expect(asked.filter((path) => path === '/api/v1/programs')).toEqual([]);
    await page.close();
  }, 60_000);

  it('rows that cannot be asked for anew stay, and say of when they are', async () => {
    const page = await stage.goTo(context, '/app/commissions');
    await page.getByRole('row').filter({ hasText: 'Ada Partner' }).first().waitFor();
    const error = { code: 'RATE_LIMITED', message: 'Too many requests.' };
    const list = /\/api\/v1\/commissions(\?|$)/;
    await page.route(list, (route) =>
      route.fulfill({ status: 429, headers: { 'Retry-After': '30' }, json: { error } }),
    );
    await tell(page, 'commissions');
    const notice = page.getByRole('status').filter({ hasText: 'As of ' });
    await notice.waitFor();
    await page.getByRole('row').filter({ hasText: 'Ada Partner' }).first().waitFor();
    await page.unroute(list);
    await notice.getByRole('button', { name: 'Try again' }).click();
    await notice.waitFor({ state: 'detached' });
    stage.forgive(/status of 429/);
    await page.close();
  }, 30_000);

  it('applies the results that it has shown, whichever answer came late', async () => {
    const page = await stage.goTo(context, `/app${club.details.payout}`);
    const id = club.details.payout.split('/').at(-1) ?? '';
    const { body } = await api.get(`/api/v1/payouts/${id}`);
    const [item] = body['items'] as { reference: string }[];
    const fileOf = (row: string) => ({
      ...{ name: `${row}.csv`, mimeType: 'text/csv' },
      buffer: Buffer.from(`itemReference,status,transactionId,reason\n${item?.reference},${row}\n`),
    });
    const [late, isPast] = [gate(), gate()];
    await page.route('**/results?*', async (route) => {
      const isFirst = route.request().postData()?.includes('paid,FIRST') ?? false;
      const answer = await route.fetch();
      if (isFirst) await late.opened;
      await route.fulfill({ response: answer });
      if (isFirst) isPast.open();
    });
    await button(page, 'Upload results').click();
    const file = inDialog(page).getByLabel('File');
    await file.setInputFiles(fileOf('paid,FIRST,'));
    await file.setInputFiles(fileOf('failed,,Second'));
    await inDialog(page).getByText('Ready → Failed').waitFor();
    late.open();
    await isPast.opened;
    await page.evaluate(() => new Promise(requestAnimationFrame));
    expect(await inDialog(page).getByText('Ready → Paid').count()).toBe(0);
    await inDialog(page).getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('cell', { name: 'Second' }).waitFor();
    await page.close();
  }, 30_000);

  it('says that the limit of a review counts commissions', async () => {
    const page = await stage.goTo(context, '/app/programme');
    await page.getByText('Review commissions above').first().waitFor();
    expect(await page.getByText('Review sales above').count()).toBe(0);
    await page.close();
  }, 30_000);

  async function adjusting(locale: string, programId: string): Promise<Page> {
    const own = await stage.signedIn(email, { locale });
    const partner = await api.get(`/api/v1/programs/${programId}/partners`);
    const [{ id }] = partner.body['data'] as [{ id: string }];
    const page = await stage.goTo(own, `/app/partners/${programId}/${id}`);
    await button(page, 'Adjust balance').click();
    return page;
  }

  async function program(currency: string): Promise<string> {
    const made = await api.post('/api/v1/programs', {
      ...{ name: `In ${currency}`, websiteUrl: 'https://shop.example', currency },
      commission: { type: 'percentage', rateBps: 1_000 },
    });
    const id = String(made.body['id']);
    const address = `kai-${newId().slice(-12)}@example.com`;
    await api.post(`/api/v1/programs/${id}/partners`, { email: address, name: 'Kai' });
    return id;
  }

  it.each([
    ['en-US', '1,000', /1,000\.000/],
    ['de-DE', '1.000', /1\.000,000/],
    ['de-DE', '2,5', /2,500/],
  ])(
    'reads an amount as a reader of %s types it: %s',
    async (locale, typed, shown) => {
      const page = await adjusting(locale, await program('kwd'));
      await inDialog(page).getByRole('textbox', { name: 'Amount' }).fill(typed);
      await inDialog(page).getByText(shown).waitFor();
      await inDialog(page).getByRole('textbox', { name: 'Reason' }).fill('For the spring');
      const sent = page.waitForRequest(/adjustments$/);
      await inDialog(page).getByRole('button', { name: 'Adjust balance' }).click();
      const { amountCents } = (await sent).postDataJSON() as { amountCents: number };
      expect(amountCents).toBe(typed === '2,5' ? 2_500 : 1_000_000);
      await page.context().close();
    },
    30_000,
  );

  it('refuses what may be two amounts, with an example that it takes', async () => {
    const page = await adjusting('en-US', await program('jpy'));
    await inDialog(page).getByRole('textbox', { name: 'Amount' }).fill('25.00');
    await inDialog(page).getByRole('button', { name: 'Adjust balance' }).click();
    await inDialog(page).getByText('Must be an amount such as 25.').first().waitFor();
    await page.context().close();
  }, 30_000);

  it('names who was credited in the list of sales, with one question', async () => {
    const page = await context.newPage();
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.endsWith('/partners')) asked.push(pathname);
    });
    await page.goto(`${stage.app.url}/app/sales`);
    await page.getByRole('table').getByRole('link', { name: 'Ada Partner' }).first().click();
    await heading(page, 'Ada Partner').waitFor();
    await page.getByText('They have not said yet how, and cannot be paid.').waitFor();
    expect(asked).toEqual(['/api/v1/workspace/partners']);
    await page.close();
  }, 30_000);

  it('lists open invites, and others when they are asked for', async () => {
    const path = `/api/v1/programs/${club.programId}/invites`;
    await api.post(path, { email: 'open@example.com' });
    const page = await stage.goTo(context, `/app/partners?program=${club.programId}`);
    const invites = page.getByRole('table', { name: 'Invites' });
    await invites.getByRole('button', { name: 'Withdraw' }).waitFor();
    await choose(page.getByRole('combobox', { name: 'Status' }).last(), 'Accepted');
    await page.getByText('Nothing fits.').waitFor();
    await page.close();
  }, 30_000);

  it('filters by days of the reader', async () => {
    const now = stage.app.deps.clock.now();
    // Where it is another day now than in Greenwich.
    const timezoneId = now.getUTCHours() >= 11 ? 'Pacific/Kiritimati' : 'Pacific/Pago_Pago';
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: timezoneId }).format(now);
    const own = await stage.signedIn(email, { timezoneId });
    for (const list of ['sales', 'commissions']) {
      const page = await stage.goTo(own, `/app/${list}?dateFrom=${day}&dateTo=${day}`);
      await page.getByRole('table').getByRole('link').first().waitFor();
      await page.close();
    }
    await own.close();
  }, 30_000);

  it('tells that test mode mails nobody, and who is invited still after a reload', async () => {
    const own = await stage.merchant();
    await own.api.post('/api/v1/programs', {
      ...{ name: 'Cup partners', websiteUrl: 'https://shop.example' },
      commission: { type: 'percentage', rateBps: 1_000 },
    });
    const page = await stage.goTo(own.context, '/app');
    await textbox(page, 'Email').fill('pat@example.com');
    await button(page, 'Invite partner').click();
    await page.getByText('In test mode no mail is sent').waitFor();
    await page.reload();
    await page.getByText('pat@example.com is invited and has not joined yet.').waitFor();
    await button(page, 'New link').click();
    await page.getByText('/partner-invite?token=').waitFor();
    await own.context.close();
  }, 30_000);

  it('makes nobody an owner by one key', async () => {
    const member = await stage.member(api, 'viewer');
    const page = await stage.goTo(context, '/app/settings?part=members');
    const members = page.getByRole('table', { name: 'Members' });
    const row = members.getByRole('row').filter({ hasText: member });
    await row.waitFor();
    expect(await row.getByRole('combobox').count()).toBe(0);
    await row.getByRole('button', { name: `Change role of ${member}` }).click();
    await inDialog(page).getByText('May read everything.').waitFor();
    await page.keyboard.press('Escape');
    await row.getByRole('cell', { name: 'Viewer', exact: true }).waitFor();
    await page.close();
  }, 30_000);
});
