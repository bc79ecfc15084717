import type { BrowserContext, Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser';
import { Stage, button, fits, inDialog } from './stage';
import { buildTeaClub, type TeaClub } from './tea-club';
import { isNightly } from '../../support/run/nightly';

const pages = [
  ...['', 'overview', 'inbox', 'sales', 'customers', 'commissions', 'partners', 'payouts'],
  ...['payouts/books', 'payouts/books/ledger', 'programme', 'developers', 'settings', 'design'],
  ...['webhooks', 'events', 'billing', 'test'].map((part) => `developers?part=${part}`),
  ...['members', 'payouts', 'you', 'records', 'moving', 'close'].map(
    (part) => `settings?part=${part}`,
  ),
  'move-in',
];

/** Where a dialog opens, and by which button. */
const dialogs: readonly (readonly [place: string | keyof TeaClub['details'], label: string])[] = [
  ['/sales', 'Try without recording'],
  ['/sales', 'Make a test sale'],
  ['/customers', 'Credit a customer'],
  ['/partners', 'Invite partner'],
  ['/partners', 'Add partner'],
  ['/payouts', 'New payout'],
  ['/programme', 'New programme'],
  ['/programme', 'Change'],
  ['/programme', 'Add rule'],
  ['/programme', 'Archive'],
  ['/developers?part=keys', 'New key'],
  ['/developers?part=keys', 'Revoke'],
  ['/developers?part=webhooks', 'New webhook'],
  ['/developers?part=billing', 'Connect Stripe'],
  ['/developers?part=test', 'Reset test data'],
  ['/settings?part=members', 'Invite member'],
  ['/settings?part=you', 'Change email'],
  ['/settings?part=you', 'Change password'],
  ['/settings?part=you', 'Turn on'],
  ['/settings?part=close', 'Close workspace'],
  ['sale', 'Refund'],
  ['commission', 'Override hold'],
  ['commission', 'Reject'],
  ['partner', 'Adjust balance'],
  ['partner', 'Suspend'],
  ['partner', 'Erase'],
  ['payout', 'Mark as paid'],
  ['payout', 'Upload results'],
  ['payout', 'Cancel payout'],
  ['import', 'Change'],
  ['import', 'Add a word'],
  ['import', 'Cancel import'],
  ['webhook', 'Edit'],
  ['webhook', 'New signing secret'],
  ['webhook', 'Remove'],
];

/** `npm test` opens the first of each place, `npm run test:nightly` all of them. */
const opened = isNightly
  ? dialogs
  : dialogs.filter(([place], index) => dialogs[index - 1]?.[0] !== place);

describeInBrowser('no serious fault of accessibility, nothing to scroll aside at 360 px', () => {
  let stage: Stage;
  let club: TeaClub;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    stage = await Stage.open();
    const merchant = await stage.merchant();
    ({ context } = merchant);
    club = await buildTeaClub(merchant.api);
    page = await stage.goTo(context, '/app');
    await page.getByRole('heading', { level: 1 }).waitFor();
  }, 90_000);
  afterAll(() => stage.close());

  /** Shows a path within the page: a reload would ask for the session anew each time. */
  async function show(path: string): Promise<void> {
    await page.evaluate((to) => {
      history.pushState({}, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, `/app${path}`);
    await page.waitForLoadState('networkidle');
    await page.getByRole('heading', { level: 1 }).waitFor();
    // Where all components are shown, one says for ever that something is on its way.
    if (path !== '/design') {
      await page.getByText('Loading…').first().waitFor({ state: 'detached' });
    }
  }

  it.each(pages)(
    'on /%s',
    async (path) => {
      await show(`/${path}`);
      await fits(page);
    },
    30_000,
  );

  it.each(['sale', 'commission', 'partner', 'payout', 'import', 'webhook'] as const)(
    'on the page of a %s',
    async (record) => {
      await show(club.details[record]);
      await fits(page);
    },
    30_000,
  );

  it(`in ${opened.length} dialogs`, async () => {
    let at = '';
    for (const [place, label] of opened) {
      if (place !== at) await show(place.startsWith('/') ? place : club.details[place as 'sale']);
      at = place;
      const opener = button(page, label).first();
      const isDestroying = (await opener.getAttribute('class')) === 'danger';
      await opener.click();
      const title = inDialog(page).getByRole('heading').first();
      await title.waitFor();
      // What destroys names what: a verb alone says nothing.
      if (isDestroying)
        expect([label, await title.innerText()]).toEqual([label, expect.stringContaining(' ')]);
      await fits(page);
      await page.keyboard.press('Escape');
      await inDialog(page).waitFor({ state: 'detached' });
    }
  }, 180_000);
});
