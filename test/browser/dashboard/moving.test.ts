import { readFile } from 'node:fs/promises';
import type { BrowserContext, Page } from 'playwright-core';
import type { Caller } from '../../support/api-client';
import { describeInBrowser } from '../../support/browser';
import { csvOf, workOn } from '../../support/imports';
import { affiliate, campaign, commission } from '../../support/sources/rewardful-objects';
import { startRewardful, type Vendor } from '../../support/sources/stand-in';
import { Stage, button, choose, fits, heading, inDialog, textbox } from './stage';

const files = {
  partners: csvOf([
    { 'Affiliate ID': 'p1', Mail: 'ann@example.com', name: 'Ann', status: 'active' },
    { 'Affiliate ID': 'p2', Mail: 'bob@example.com', name: 'Bob', status: 'active' },
  ]),
  links: csvOf([
    { partner_id: 'p1', token: 'Ann.Smith', kind: 'link' },
    { partner_id: 'p2', token: 'bob', kind: 'link' },
  ]),
  commissions: csvOf([
    { commission_id: 'c1', partner_id: 'p1', Earned: 2_000, status: 'owed' },
    { commission_id: 'c2', partner_id: 'p2', Earned: 550, status: 'paid' },
    { commission_id: 'c3', partner_id: 'p9', Earned: 900, status: 'paid' },
  ])
    .replace('status', 'status,currency,occurred_at')
    .replaceAll(/(owed|paid)$/gm, '$1,usd,2026-01-05'),
};

describeInBrowser('moving in from files, and leaving', () => {
  let stage: Stage;
  let context: BrowserContext;
  let api: Caller;
  let program: string;
  let page: Page;
  let rewardful: Vendor;

  beforeAll(async () => {
    rewardful = await startRewardful();
    rewardful.lists = {
      '/campaigns': [campaign('camp-1', 'Friends')],
      '/affiliates': [affiliate('ann')],
      ...{ '/affiliate_coupons': [], '/referrals': [] },
      '/commissions': [commission('c1', 'ann')],
    };
    stage = await Stage.open({ REWARDFUL_API_BASE: rewardful.url });
    ({ context, api } = await stage.merchant());
    const made = await api.post('/api/v1/programs', {
      ...{ name: 'Tea partners', websiteUrl: 'https://shop.example' },
      commission: { type: 'percentage', rateBps: 1_000 },
    });
    program = `/api/v1/programs/${String(made.body['id'])}`;
    page = await stage.goTo(context, '/app');
  }, 90_000);
  afterAll(async () => {
    await stage.close();
    await rewardful.close();
  });

  const work = (): Promise<void> => {
    const importId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    return workOn(stage.app.deps, importId);
  };
  const becomes = (status: string): Promise<void> =>
    page.locator('.page-title').getByText(status, { exact: true }).waitFor();
  const partners = async (): Promise<Record<string, unknown>[]> =>
    (await api.get<{ data: Record<string, unknown>[] }>(`${program}/partners`)).body.data;

  async function give(kind: 'Partners' | 'Links' | 'Commissions', ...parts: string[]) {
    const chosen = parts.map((csv, at) => ({
      ...{ name: `${kind}-${at}.csv`, mimeType: 'text/csv' },
      buffer: Buffer.from(csv),
    }));
    await page.getByLabel(`Files of ${kind.toLowerCase()}`).setInputFiles(chosen);
    await page.locator('summary', { hasText: `Columns of ${kind.toLowerCase()}` }).waitFor();
  }

  async function download(label: string): Promise<string> {
    const file = page.waitForEvent('download');
    await button(page, label).click();
    return readFile(await (await file).path(), 'utf8');
  }

  it('begins from the first page', async () => {
    await page.getByRole('link', { name: 'Move in from another system' }).click();
    await heading(page, 'Move in').waitFor();
    await choose(page.getByLabel('Where from'), 'FirstPromoter');
    await textbox(page, 'Account ID').waitFor();
    await choose(page.getByLabel('Where from'), 'CSV files');
    await textbox(page, 'Name').fill('old');
    await button(page, 'Begin').click();
    await page.getByText('Must be a day and a time.').waitFor();
    await page.getByLabel('Cutover').fill('2026-06-01T00:00');
    await button(page, 'Begin').click();
    await becomes('Draft');
  }, 30_000);

  it('takes files, and their columns and words by menus that show the first rows', async () => {
    await give('Partners', files.partners);
    await page.getByText('Still without a column: Partner ID, Email.').waitFor();
    const columns = page.getByRole('table', { name: 'Columns of partners' });
    await choose(columns.getByLabel('Partner ID'), 'Affiliate ID');
    // The same by the keyboard alone.
    await columns.getByLabel('Email').press('Enter');
    await page.getByRole('option', { name: 'Mail', exact: true }).waitFor();
    await page.keyboard.type('Mail');
    await page.keyboard.press('Enter');
    await columns.getByText('ann@example.com · bob@example.com').waitFor();
    // A list in two files.
    const [head = '', first = '', ...rest] = files.links.split('\n');
    await give('Links', [head, first].join('\n'), [head, ...rest].join('\n'));
    await page.getByText('2 parts, 2 rows').waitFor();
    await give('Commissions', files.commissions);
    const sums = page.getByRole('table', { name: 'Columns of commissions' });
    await choose(sums.getByLabel('Commission', { exact: true }), 'Earned');
    await choose(sums.getByLabel('Unit of commission'), 'such as 1250 for 12.50');
    await button(page, 'Add a word').click();
    await textbox(page, 'Their word').fill('owed');
    await choose(inDialog(page).getByLabel('Means here'), 'Approved: owed');
    await button(page, 'Save').click();
    await inDialog(page).waitFor({ state: 'detached' });
    await page.reload();
    await page.locator('summary', { hasText: 'Columns of partners' }).click();
    await page.getByText('ann@example.com · bob@example.com').waitFor();
    await fits(page);
  }, 30_000);

  it('says what it would bring, and lists what it would not', async () => {
    await button(page, 'Check').click();
    await becomes('Reading');
    await page.getByRole('progressbar', { name: 'Progress' }).waitFor();
    await work();
    await becomes('Checked');
    const sums = page.getByRole('table', { name: 'Sums' }).getByRole('row').last();
    expect(await sums.getByRole('cell').allTextContents()).toEqual([
      ...['USD', '$20.00', '$5.50', '$0.00', '$0.00', '$0.00', '$0.00'],
    ]);
    const problem = page.getByRole('table', { name: 'Problems' }).getByRole('row').last();
    await problem.getByText('No partner of that id is imported.').waitFor();
    expect(await download('Problems as CSV')).toContain('commissions-1,4,c3,PARTNER_UNKNOWN,');
    await page.getByText('10% of the gross amount').waitFor();
    await fits(page);
    expect(await partners()).toEqual([]);
  }, 30_000);

  it('books it once the sums are typed back, stops, and goes on', async () => {
    await button(page, 'Apply').click();
    const dialog = page.getByRole('dialog', { name: 'Book 2 new partners, 2 new commissions' });
    await dialog.getByLabel('Open in USD').fill('20');
    await dialog.getByLabel('Paid in USD').fill('5.05');
    await fits(page);
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Paid in USD').fill('5.50');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await becomes('Applying');
    await button(page, 'Stop').click();
    await inDialog(page).getByRole('button', { name: 'Stop' }).click();
    await becomes('Stopped');
    await button(page, 'Go on').click();
    await becomes('Applying');
    await work();
    await becomes('Applied');
    const booked = (await partners()).map(({ partnerEmail }) => partnerEmail);
    expect(booked.toSorted()).toEqual(['ann@example.com', 'bob@example.com']);
  }, 30_000);

  it('shows the mail before it goes, tells each partner once, and takes all back', async () => {
    await button(page, 'Announce').click();
    await textbox(page, 'Your own words').fill('We have moved.');
    await inDialog(page).getByRole('button', { name: 'Preview' }).click();
    await inDialog(page).getByText('2 partners are told:').waitFor();
    await inDialog(page).getByText('We have moved.').waitFor();
    await fits(page);
    await inDialog(page).getByRole('button', { name: 'Send 2 mails' }).click();
    await page.getByText('2 partners are told since').waitFor();
    await work();
    await button(page, 'Announce').click();
    await inDialog(page).getByRole('button', { name: 'Preview' }).click();
    await inDialog(page).getByText('Everybody is told already').waitFor();
    await page.keyboard.press('Escape');
    await button(page, 'Take back').click();
    await page.getByRole('dialog', { name: 'Take back 2 new partners, 2 new' }).waitFor();
    await inDialog(page).getByRole('button', { name: 'Take back' }).click();
    await becomes('Undoing');
    await work();
    await becomes('Undone');
    expect(await partners()).toEqual([]);
    await page.getByRole('link', { name: 'Move in' }).first().click();
    await page.getByRole('cell', { name: 'Undone' }).waitFor();
    stage.forgive(/status of 409/);
  }, 30_000);

  it('reads a source by its key, and shows their terms beside ours', async () => {
    await choose(page.getByLabel('Where from'), 'Rewardful');
    await page.getByLabel('Cutover').fill('2026-06-01T00:00');
    await choose(page.getByLabel('Groups'), 'One of each campaign, with its commission');
    await page.getByLabel('API key').fill('bad-key');
    await button(page, 'Begin').click();
    await page.getByRole('alert').getByText('The source does not accept the key.').waitFor();
    await page.getByLabel('API key').fill('good-key');
    await button(page, 'Begin').click();
    await becomes('Draft');
    await button(page, 'Check').click();
    await becomes('Reading');
    await work();
    await becomes('Checked');
    const terms = page.getByRole('table', { name: 'Terms, theirs and ours' }).getByRole('row');
    expect(await terms.last().getByRole('cell').allTextContents()).toEqual([
      ...['Friends', '30 %', '12 months', '10% of the gross amount', '60', '30'],
    ]);
    await page.getByText('New groups take the commission of their campaign over').waitFor();
    await fits(page);
    await button(page, 'Cancel import').click();
    await inDialog(page).getByRole('button', { name: 'Cancel import' }).click();
    await page.getByText('It was cancelled. Nothing was booked.').waitFor();
    stage.forgive(/status of 422/);
  }, 30_000);

  it('names the columns of a system that is known by one button', async () => {
    await page.getByRole('link', { name: 'Move in' }).first().click();
    await choose(page.getByLabel('Where from'), 'CSV files');
    await page.getByLabel('Cutover').fill('2026-06-01T00:00');
    await button(page, 'Begin').click();
    await becomes('Draft');
    await give('Partners', 'ID,Name,Email,Enrolled at\npn_1,Ann,ann@example.com,2025-01-02');
    await give(
      'Commissions',
      'ID,Partner ID,Invoice ID,Amount,Earnings,Currency,Status,Created at\ncm_1,pn_1,in_1,10000,2000,usd,processed,2026-01-05',
    );
    await page.getByText('These columns look like Dub’s.').waitFor();
    await button(page, 'Name the columns as Dub does').click();
    await page.getByText('These columns look like Dub’s.').waitFor({ state: 'detached' });
    const columns = page.getByRole('table', { name: 'Columns of commissions' });
    await columns.getByRole('row', { name: /Commission.*2000/ }).waitFor();
    const told = page.getByRole('group', { name: 'Their words' });
    await told.getByRole('cell', { name: 'processed', exact: true }).waitFor();
    await page.reload();
    await button(page, 'Check').click();
    await becomes('Reading');
    await work();
    await becomes('Checked');
    const sums = page.getByRole('table', { name: 'Sums' }).getByRole('row').last();
    await sums.getByRole('cell', { name: '$20.00' }).waitFor();
    await fits(page);
    await button(page, 'Cancel import').click();
    await inDialog(page).getByRole('button', { name: 'Cancel import' }).click();
    await page.getByText('It was cancelled. Nothing was booked.').waitFor();
  }, 30_000);

  it('leaves with everything, from the settings', async () => {
    const email = 'cay@example.com';
    await api.post(`${program}/partners`, { email, name: 'Cay' });
    await stage.toPage(page, 'Settings');
    await page.getByRole('link', { name: 'Moving in and out' }).click();
    await page.getByRole('heading', { name: 'Leave any day' }).waitFor();
    expect(await download('Partners')).toContain(`,${email},Cay,`);
    await page.getByRole('switch', { name: /addresses that partners/ }).click();
    const asked = page.waitForRequest(/export\/partners\?includePayout=true/);
    expect(await download('Partners')).toContain(email);
    await asked;
    await fits(page);
  }, 30_000);
});
