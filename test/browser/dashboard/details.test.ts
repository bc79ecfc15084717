import type { BrowserContext, Page } from 'playwright-core';
import { newId } from '../../../entities/ids';
import type { Caller } from '../../support/api-client';
import { describeInBrowser } from '../../support/browser';
import { Stage, button, choose, gate, heading, inDialog } from './stage';
import { buildTeaClub, type TeaClub } from './tea-club';

describeInBrowser('what reads wrong easily', () => {
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

  it('a programme of a hundred letters makes no page scroll sideways on a telephone', async () => {
    const own = await stage.merchant();
    await own.api.post('/api/v1/programs', {
      ...{ name: 'Tea and much more '.repeat(6).slice(0, 100), websiteUrl: 'https://shop.example' },
      commission: { type: 'percentage', rateBps: 1_000 },
    });
    const page = await stage.goTo(own.context, '/app/overview');
    await page.setViewportSize({ width: 360, height: 740 });
    for (const [path, title] of [
      ['overview', 'Overview'],
      ['commissions', 'Commissions'],
      ['partners', 'Partners'],
      ['payouts', 'Payouts'],
      ['programme', 'Programme'],
    ] as const) {
      await within(page, `/app/${path}`);
      await heading(page, title).waitFor();
      await page.waitForLoadState('networkidle');
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect([path, width]).toEqual([path, 360]);
    }
    await own.context.close();
  }, 60_000);

  it.each(['sales?event_type=renewal', 'commissions?page=99999', 'sales?page=99999'])(
    'a list that is emptied by its address says so, and not that there was never anything: %s',
    async (path) => {
      const page = await stage.goTo(context, `/app/${path}`);
      await page.getByText('Nothing fits.').waitFor();
      await button(page, 'Clear filters').click();
      await page.getByRole('table').getByRole('link').first().waitFor();
      await page.close();
    },
    30_000,
  );

  it('a list that its usual filter leaves empty says what to do first, whatever another one filters', async () => {
    const page = await stage.goTo(
      context,
      `/app/partners?program=${club.programId}&status=approved`,
    );
    await page.getByText('No invite is open. Whom you invite by “Invite partner”').waitFor();
    expect(await page.getByText('Nothing fits.').count()).toBe(0);
    const status = page.getByRole('combobox', { name: 'Status' }).last();
    await choose(status, 'Expired');
    await page.getByText('Nothing fits.').waitFor();
    await button(page, 'Clear filters').click();
    await page.getByText('No invite is open.').waitFor();
    expect(new URL(page.url()).search).toBe(`?program=${club.programId}&status=approved`);
    await page.goto(`${stage.app.url}/app/developers?part=billing&billing=paddle`);
    await page.getByText('No event has come from Paddle yet.').waitFor();
    await page.close();
  }, 30_000);

  it('a chart begins at 0, names each day once, and says what is where the mouse is', async () => {
    const own = await stage.signedIn(email, { locale: 'de-DE', timezoneId: 'UTC' });
    const page = await own.newPage();
    await page.addInitScript(writeDownWhatIsDrawn);
    await page.goto(`${stage.app.url}/app/overview?days=7`);
    const chart = page.locator('.line canvas');
    await chart.waitFor();
    const drawn = await page.evaluate(() => (window as unknown as { drawn: string[] }).drawn);
    const day = new Intl.DateTimeFormat('de-DE', {
      month: 'short',
      day: 'numeric',
      timeZone: 'UTC',
    });
    const week = Array.from({ length: 7 }, (_, at) =>
      day.format(Date.now() - (6 - at) * 86_400_000),
    );
    const first = drawn.indexOf(week[0] ?? '');
    expect(drawn.slice(first, first + 7)).toEqual(week);
    expect(drawn).toContain('0');

    const box = await chart.boundingBox();
    await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) - 30, (box?.y ?? 0) + 100);
    const medium = new Intl.DateTimeFormat('de-DE', { dateStyle: 'medium', timeZone: 'UTC' });
    const tip = page.locator('.chart-tip');
    await tip.getByText(medium.format()).waitFor();
    await tip.getByText('1', { exact: true }).waitFor();
    await tip.getByText('0 the period before').waitFor();
    await page.getByText('The figures as a table').click();
    await page.getByRole('columnheader', { name: 'The period before' }).waitFor();
    await own.close();
  }, 30_000);

  it('what is not there is not asked for again', async () => {
    const page = await stage.goTo(context, `/app/sales/${newId()}`);
    await page.getByRole('alert').getByText('Request ').waitFor();
    expect(await button(page, 'Try again').count()).toBe(0);
    stage.forgive(/status of 404/);
    await page.close();
  }, 30_000);

  it('copies by hand where the browser has no clipboard', async () => {
    const page = await context.newPage();
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'clipboard', { value: undefined });
    });
    await page.goto(`${stage.app.url}/app/programme`);
    await button(page, 'Copy').first().click();
    await page.getByText('The browser does not copy here: press Ctrl C.').waitFor();
    const selected = await page.evaluate(() => String(getSelection()));
    expect(selected).toContain('/portal/join/');
    await page.close();
  }, 30_000);

  it('a payout offers the files that hold something, and says how much', async () => {
    const page = await stage.goTo(context, `/app${club.details.payout}`);
    await button(page, 'Generic file').waitFor();
    expect(await button(page, 'PayPal file').count()).toBe(0);
    expect(await button(page, 'Wise file').count()).toBe(0);
    await page.getByText('$25.00').first().waitFor();
    await page.close();
  }, 30_000);

  it('an adjustment is of no sale, and the list says so', async () => {
    const page = await stage.goTo(context, '/app/commissions');
    const row = page.getByRole('row').filter({ hasText: '$25.00' });
    await row.getByRole('cell', { name: 'Adjustment', exact: true }).waitFor();
    expect(await row.getByText('$0.00').count()).toBe(0);
    await page.close();
  }, 30_000);

  it('thresholds of fraud rules say of what, and in what time', async () => {
    const page = await stage.goTo(context, `/app/programme?program=${club.programId}`);
    await page
      .getByText('clicks of the partner came from one address in the hour before.')
      .first()
      .waitFor();
    await page.getByText('seconds passed from the click to the sale.').first().waitFor();
    await page.close();
  }, 30_000);

  it('prints a payout without navigation and buttons', async () => {
    const page = await stage.goTo(context, `/app${club.details.payout}`);
    await page.getByText('$25.00').first().waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(false);
    expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(0);
    expect(await page.getByText('$25.00').first().isVisible()).toBe(true);
    await page.close();
  }, 30_000);

  it('a reader’s own size of text counts', async () => {
    const page = await stage.goTo(context, '/app/sales');
    await heading(page, 'Sales').waitFor();
    const sizeOf = () =>
      heading(page, 'Sales').evaluate((one) => Number.parseFloat(getComputedStyle(one).fontSize));
    const usual = await sizeOf();
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
    expect(await sizeOf()).toBe(2 * usual);
    await page.close();
  }, 30_000);

  it('what destroys is red, and its dialog names whom', async () => {
    const page = await stage.goTo(context, `/app${club.details.partner}`);
    await button(page, 'Erase').click();
    await inDialog(page).getByText('Type “Ada Partner” to go on').waitFor();
    const red = inDialog(page).getByRole('button', { name: 'Erase for ever' });
    const [background = 0, , blue = 255] = await red.evaluate((one) =>
      (getComputedStyle(one).backgroundColor.match(/[\d.]+/g) ?? []).map(Number),
    );
    expect(background).toBeGreaterThan(blue);
    await page.close();
  }, 30_000);

  it('an erasure says that it goes on, and on the partner’s page how far it has come', async () => {
    const page = await stage.goTo(context, `/app${club.details.partner}`);
    const at = '2026-02-01T08:00:00.000Z';
    const answer = gate();
    let isErased = false;
    let completedAt: string | null = null;
    // The erasure itself has tests of its own; here is none of the workers that it needs.
    await page.route('**/erase', async (route) => {
      await answer.opened;
      isErased = true;
      await route.fulfill({ json: { erased_at: at } });
    });
    const { programId, participantId } = club;
    await page.route(`**/programs/${programId}/partners/${participantId}`, async (route) => {
      const response = await route.fetch();
      const told = isErased ? { partnerName: 'Erased partner', erasedAt: at } : {};
      await route.fulfill({ response, json: { ...(await response.json()), ...told } });
    });
    await page.route('**/gdpr/receipts?*', (route) => {
      const changes = [{ table: 'clicks', rows: 1_200 }];
      const receipt = { id: newId(), kind: 'participant', erased_at: at, completedAt, changes };
      const data = [{ ...receipt, openBalances: [] }];
      return route.fulfill({ json: { data, total: 1, page: 1, limit: 1, nextCursor: null } });
    });
    await button(page, 'Erase').click();
    await inDialog(page).getByRole('textbox').fill('Ada Partner');
    await inDialog(page).getByRole('button', { name: 'Erase for ever' }).click();
    await inDialog(page).getByText('Still working…').waitFor();
    answer.open();
    await heading(page, 'Erased partner').waitFor();
    const part = page.getByRole('region', { name: 'Erasure' });
    await part.getByRole('progressbar').waitFor();
    expect(await button(page, 'Erase').count()).toBe(0);
    expect(await button(page, 'Adjust balance').count()).toBe(0);
    completedAt = '2026-02-01T08:01:30.000Z';
    await part.getByText('Every copy is clean since').waitFor();
    await part.getByText('1,200').waitFor();
    expect(await part.getByRole('progressbar').count()).toBe(0);
    await page.close();
  }, 30_000);

  it('keys are those of the mode, and revoked ones stand apart', async () => {
    const path = '/api/v1/workspace/api-keys';
    const made = async (mode: string, name: string) =>
      String((await api.post(path, { kind: 'public', mode, name })).body['id']);
    const [, , gone] = [
      await made('test', 'Of test'),
      await made('live', 'Of live'),
      await made('test', 'Gone'),
    ];
    await api.post(`${path}/${gone}/revoke`, {});
    const page = await stage.goTo(context, '/app/developers');
    const keys = page.getByRole('table', { name: 'API keys' });
    await keys.getByText('Of test').waitFor();
    expect(await keys.getByText('Of live').count()).toBe(0);
    expect(await keys.getByText('Gone').count()).toBe(0);
    await choose(page.getByRole('combobox', { name: 'Status' }).first(), 'Revoked');
    await keys.getByText('Gone').waitFor();
    await button(page, 'New key').click();
    expect(await inDialog(page).getByRole('combobox', { name: 'Role' }).count()).toBe(0);
    await choose(
      inDialog(page).getByRole('combobox', { name: 'Kind' }),
      'Management: does what a role may',
    );
    await inDialog(page).getByRole('combobox', { name: 'Role' }).waitFor();
    await page.close();
  }, 30_000);

  it('the inbox asks as often with many programmes, and leads into each', async () => {
    const own = await stage.merchant();
    const names = ['Tea partners', 'Coffee partners', 'Cup partners'];
    for (const [at, name] of names.entries()) {
      const { body } = await own.api.post('/api/v1/programs', {
        ...{ name, websiteUrl: 'https://shop.example' },
        commission: { type: 'percentage', rateBps: 1_000 },
      });
      if (at === 2) continue;
      const partners = `/api/v1/programs/${String(body['id'])}/partners`;
      for (let one = 0; one <= at; one += 1) {
        const email = `deb-${newId().slice(-12)}@example.com`;
        const partner = await own.api.post(partners, { email, name: `Deb Tor ${at}${one}` });
        const adjustment = { amountCents: -500, reason: 'Paid twice' };
        await own.api.post(`${partners}/${String(partner.body['id'])}/adjustments`, adjustment);
      }
    }
    const page = await stage.goTo(own.context, '/app/settings');
    await heading(page, 'Settings').waitFor();
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (/inbox|\/partners/.test(pathname) && pathname.startsWith('/api')) asked.push(pathname);
    });
    await stage.toPage(page, 'Inbox');
    const debts = page.getByRole('listitem').filter({ hasText: '3 partners who owe something' });
    await debts.first().waitFor();
    await debts.getByRole('link', { name: 'Tea partners 1' }).waitFor();
    expect(asked.filter((path) => path.includes('/programs/'))).toEqual([]);
    expect(asked.filter((path) => path.endsWith('/places')).length).toBeLessThanOrEqual(2);
    await debts.getByRole('link', { name: 'Coffee partners 2' }).click();
    await page.getByRole('table', { name: 'Partners' }).getByText('Deb Tor 11').waitFor();
    expect(await page.getByText('Deb Tor 00').count()).toBe(0);
    await own.context.close();
  }, 60_000);

  it('a refusal stands at its field, once', async () => {
    const page = await stage.goTo(context, `/app/partners?program=${club.programId}`);
    await button(page, 'Invite partner').click();
    const email = inDialog(page).getByRole('textbox', { name: 'Email' });
    // A browser lets it pass, the API does not.
    await email.fill('pat@localhost');
    await inDialog(page).getByRole('button', { name: 'Send invite' }).click();
    await inDialog(page).locator('[aria-invalid=true]').waitFor();
    expect(await inDialog(page).getByRole('alert').count()).toBe(0);
    stage.forgive(/status of 400/);
    await page.close();
  }, 30_000);

  it.each([
    ['settings', 'Settings', 'Members'],
    ['developers', 'Developers', 'Webhooks'],
  ])(
    '%s has parts, which stand in the address',
    async (path, title, part) => {
      const page = await stage.goTo(context, `/app/${path}`);
      const parts = page.getByRole('navigation', { name: title });
      await parts.getByRole('link', { name: part }).click();
      await page.waitForURL(/part=/);
      await page.reload();
      await page.getByRole('heading', { level: 2, name: part }).waitFor();
      expect(await page.getByRole('heading', { level: 2 }).count()).toBe(1);
      await page.close();
    },
    30_000,
  );

  it('names nobody’s currency but the one of the chart', async () => {
    const page = await stage.goTo(context, '/app/overview?measure=revenue');
    await page.getByRole('columnheader', { name: 'Revenue, USD' }).waitFor();
    await page.close();
  }, 30_000);

  it('a second press of a button on its way does nothing', async () => {
    const page = await stage.goTo(context, '/app');
    const made: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') made.push(new URL(request.url()).pathname);
    });
    await button(page, 'Make a test sale').dblclick();
    await page.getByRole('link', { name: 'See the commission' }).waitFor();
    expect(made.filter((path) => path === '/api/v1/conversions')).toHaveLength(1);
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.close();
  }, 30_000);
});

/** Goes to a path without a reload. */
const within = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState({}, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);

/** The words on a canvas, which no locator finds. */
function writeDownWhatIsDrawn(): void {
  const drawn: string[] = [];
  Object.assign(window, { drawn });
  const { fillText } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function write(words, ...place) {
    drawn.push(words);
    fillText.call(this, words, ...place);
  };
}
