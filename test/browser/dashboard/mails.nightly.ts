import type { BrowserContext, Page } from 'playwright-core';
import { inviteMember } from '../../../activities/workspace/member-invites';
import type { Caller } from '../../support/api-client';
import { describeInBrowser } from '../../support/browser';
import { buildMember, buildPartner, testPassword } from '../../support/build/accounts';
import { buildTwoFactor } from '../../support/build/two-factor';
import { deliverQueued, mailTo, tokenIn } from '../../support/stored/mails';
import { Stage, button, faultsOf, fits, heading, textbox } from './stage';

const newPassword = 'quite another password';
const terms = {
  name: 'Tea partners',
  websiteUrl: 'https://shop.example',
  commission: { type: 'percentage', rateBps: 2_000 },
};

describeInBrowser('the pages that links in mails open, of the dashboard', () => {
  let stage: Stage;
  let api: Caller;
  let context: BrowserContext;
  let programId: string;

  beforeAll(async () => {
    stage = await Stage.open();
    api = await stage.registered();
    const program = await api.post('/api/v1/programs', terms);
    programId = String(program.body['id']);
  }, 60_000);
  beforeEach(async () => {
    context = await stage.browser.newContext();
  });
  afterEach(() => context.close());
  afterAll(() => stage.close());

  /** Opens the address that a mail or an answer names, and looks at it. */
  async function follow(path: string): Promise<Page> {
    const page = await stage.goTo(context, path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await fits(page);
    return page;
  }

  it('confirm an address when the button is pressed', async () => {
    const email = 'mails-verify@example.test';
    const who = { email, password: testPassword };
    await stage.app.client.post('/api/v1/auth/partner/register', { ...who, name: 'Pat' });
    await deliverQueued(stage.app.deps);
    const token = tokenIn((await mailTo(email, 'Confirm')).text);
    const page = await follow(`/verify-email?token=${token}`);
    const isVerified = async (): Promise<unknown> => {
      const login = await stage.app.client.post('/api/v1/auth/partner/login', who);
      return (login.body['account'] as { emailVerified: boolean }).emailVerified;
    };
    expect(await isVerified()).toBe(false);
    await button(page, 'Confirm').click();
    await page.getByText('Your address is confirmed.').waitFor();
    await heading(page, 'Address confirmed').waitFor();
    expect(await isVerified()).toBe(true);
  }, 30_000);

  it('set the password of a merchant and of a partner, after saying what is wrong', async () => {
    const db = stage.app.deps.db.manager;
    for (const { side, email } of [await buildMember(db), await buildPartner(db)]) {
      await stage.app.client.post(`/api/v1/auth/${side}/forgot-password`, { email });
      await deliverQueued(stage.app.deps);
      const token = tokenIn((await mailTo(email, 'new password')).text);
      const page = await follow(`/reset-password?token=${token}`);
      await textbox(page, 'Password').fill('short');
      await button(page, 'Set password').click();
      await page.getByText('10 to 128').waitFor();
      await textbox(page, 'Password').fill(newPassword);
      await button(page, 'Set password').click();
      await page.getByText('Your password is set.').waitFor();
      const login = { email, password: newPassword };
      const answer = await stage.app.client.post(`/api/v1/auth/${side}/login`, login);
      expect(answer.status).toBe(200);
      // Chromium takes down every refusal: of the short password, of a token of the other side.
      stage.forgive(/status of 400/);
    }
  }, 30_000);

  it('let an invited member in, who is signed in then', async () => {
    const owner = await buildMember(stage.app.deps.db.manager);
    const { db, vault, clock } = stage.app.deps;
    const { token } = await inviteMember(
      { db: db.manager, vault },
      { scope: owner, actor: { type: 'member', id: owner.id }, now: clock.now() },
      { email: 'mails-invite@example.test', role: 'member' },
    );
    const page = await follow(`/accept-invite?token=${token}`);
    await textbox(page, 'Name').fill('Max');
    await textbox(page, 'Password').fill(newPassword);
    await button(page, 'Join').click();
    await heading(page, 'Get started').waitFor();
  }, 30_000);

  it('let a partner whom a merchant added choose a password, who is signed in then', async () => {
    const email = 'mails-added@example.test';
    // Programmes of test mode mail nobody.
    const live = { ...terms, name: 'Live partners' };
    const made = await api.post('/api/v1/programs', live, { mode: 'live' });
    const ofLive = `/api/v1/programs/${String(made.body['id'])}/partners`;
    await api.post(ofLive, { email, name: 'Ada' }, { mode: 'live' });
    await deliverQueued(stage.app.deps);
    const token = tokenIn((await mailTo(email, 'You are a partner')).text);
    const page = await follow(`/claim?token=${token}`);
    await textbox(page, 'Password').fill(newPassword);
    await button(page, 'Open account').click();
    await heading(page, 'Home').waitFor();
  }, 30_000);

  async function inviteOf(email: string): Promise<string> {
    const { body } = await api.post(`/api/v1/programs/${programId}/invites`, { email });
    const { pathname, search } = new URL(String(body['inviteUrl']));
    return pathname + search;
  }

  it('show what an invite is for, and take in a new partner, in the mode of the programme', async () => {
    const email = 'mails-partner@example.test';
    const page = await follow(await inviteOf(email));
    await page.getByText('Tea Club invites you to the programme “Tea partners”.').waitFor();
    await page.getByText('20% of the gross amount').waitFor();
    await button(page, 'I have no account yet').click();
    expect(await textbox(page, 'Email').inputValue()).toBe(email);
    await textbox(page, 'Name').fill('Pat');
    await textbox(page, 'Password').fill(newPassword);
    await button(page, 'Create account').click();
    await heading(page, 'Home').waitFor();
    expect(page.url()).toContain('mode=test');
    const path = `/api/v1/programs/${programId}/partners?search=Pat`;
    const { body } = await api.get(path);
    expect(body['data']).toMatchObject([{ partnerEmail: email, status: 'approved' }]);
  }, 30_000);

  it('let a partner with a second factor accept, once the code is given', async () => {
    const partner = await buildPartner(stage.app.deps.db.manager);
    const { recoveryCodes } = await buildTwoFactor(stage.app.deps, partner);
    const page = await follow(await inviteOf(partner.email));
    await button(page, 'I have an account').click();
    await textbox(page, 'Password').fill(testPassword);
    await button(page, 'Sign in').click();
    await textbox(page, 'Code').fill(recoveryCodes[0] ?? '');
    await button(page, 'Sign in').click();
    await heading(page, 'Home').waitFor();
    stage.forgive(/status of 401/);
  }, 30_000);

  it('say why a link leads nowhere any more', async () => {
    const page = await follow('/partner-invite?token=nonsense');
    await page.getByRole('alert').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    stage.forgive(/status of 410/);
  }, 30_000);
});
