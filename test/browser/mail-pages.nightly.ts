import type { Browser, Page } from 'playwright-core';
import { inviteMember } from '../../activities/workspace/member-invites';
import { unsubscribeUrl } from '../../activities/mail/unsubscribe';
import { queryOne } from '../../entities/database/sql';
import { startTestApp, type TestApp } from '../support/app';
import { describeInBrowser, launchBrowser } from '../support/browser';
import { buildMember, buildPartner, signIn, testPassword } from '../support/build/accounts';
import { buildTwoFactor } from '../support/build/two-factor';
import { buildProgram } from '../support/build/programs';
import { deliverQueued, mailTo, tokenIn } from '../support/stored/mails';

const newPassword = 'quite another password';

describeInBrowser('the pages that links in mails open, without a dashboard', () => {
  let app: TestApp;
  let browser: Browser;
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    [app, browser] = await Promise.all([startTestApp({ DASHBOARD: 'off' }), launchBrowser()]);
  });
  beforeEach(async () => {
    page = await browser.newPage();
    complaints = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) complaints.push(message.text());
    });
  });
  afterEach(async () => {
    await page.close();
    expect(complaints).toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  async function press(): Promise<void> {
    await page.click('button');
  }

  async function says(words: string): Promise<void> {
    await page.waitForFunction(
      (wanted) => document.querySelector('[role=status]')?.textContent?.includes(wanted),
      words,
    );
  }

  async function isVerified(id: string): Promise<boolean> {
    const row = await queryOne<{ at: Date | null }>(
      app.deps.db.manager,
      'SELECT email_verified_at AS at FROM partner_accounts WHERE id = $1',
      [id],
    );
    return row?.at instanceof Date;
  }

  it('confirm an address when the button is pressed, not when they are opened', async () => {
    const email = 'page-verify@example.test';
    const body = { email, password: testPassword, name: 'Pat' };
    const registered = await app.client.post<{ account: { id: string } }>(
      '/api/v1/auth/partner/register',
      body,
    );
    const { id } = registered.body.account;
    await deliverQueued(app.deps);
    const token = tokenIn((await mailTo(email, 'Confirm')).text);

    await page.goto(`${app.url}/verify-email?token=${token}`);
    expect(await isVerified(id)).toBe(false);
    await press();
    await says('confirmed');
    expect(await isVerified(id)).toBe(true);

    await page.goto(`${app.url}/verify-email?token=nonsense`);
    await press();
    await says('not valid');
  });

  it('set a password for either side, after saying what is wrong with the first choice', async () => {
    const accounts = [
      await buildMember(app.deps.db.manager),
      await buildPartner(app.deps.db.manager),
    ];
    for (const { side, email } of accounts) {
      await app.client.post(`/api/v1/auth/${side}/forgot-password`, { email });
      await deliverQueued(app.deps);
      const token = tokenIn((await mailTo(email, 'new password')).text);
      await page.goto(`${app.url}/reset-password?token=${token}`);
      await page.fill('[name=password]', 'short');
      await press();
      await says('10 to 128');
      await page.fill('[name=password]', newPassword);
      await press();
      await says('password is set');
      const login = { email, password: newPassword };
      expect((await app.client.post(`/api/v1/auth/${side}/login`, login)).status).toBe(200);
    }
  });

  it('let an invited member in', async () => {
    const owner = await buildMember(app.deps.db.manager);
    const email = 'page-invite@example.test';
    const { token } = await inviteMember(
      { db: app.deps.db.manager, vault: app.deps.vault },
      { scope: owner, actor: { type: 'member', id: owner.id }, now: app.deps.clock.now() },
      { email, role: 'member' },
    );
    await page.goto(`${app.url}/accept-invite?token=${token}`);
    await page.fill('[name=name]', 'Max');
    await page.fill('[name=password]', newPassword);
    await press();
    await says('Your account is ready');
    const login = { email, password: newPassword };
    expect((await app.client.post('/api/v1/auth/merchant/login', login)).status).toBe(200);
  });

  it('let a partner whom a server added choose a password', async () => {
    const program = await buildProgram(app.deps.db.manager, { mode: 'live' });
    const owner = await buildMember(app.deps.db.manager, { workspaceId: program.workspaceId });
    const { accessToken } = await signIn(app.deps, owner);
    const email = 'page-added@example.test';
    const path = `/api/v1/programs/${program.id}/partners`;
    await app.client.as(accessToken).post(path, { email, name: 'Ada' });
    await deliverQueued(app.deps);
    const token = tokenIn((await mailTo(email, 'You are a partner')).text);
    await page.goto(`${app.url}/claim?token=${token}`);
    await page.fill('[name=password]', newPassword);
    await press();
    await says('Your account is ready');
    const login = { email, password: newPassword };
    expect((await app.client.post('/api/v1/auth/partner/login', login)).status).toBe(200);
  });

  it.each(['live', 'test'] as const)('make a new partner of a %s programme', async (mode) => {
    const program = await buildProgram(app.deps.db.manager, { mode });
    const owner = await buildMember(app.deps.db.manager, { workspaceId: program.workspaceId });
    const { accessToken } = await signIn(app.deps, owner);
    const email = `page-partner-${mode}@example.test`;
    const invite = await app.client
      .as(accessToken, mode)
      .post<{ inviteUrl: string }>(`/api/v1/programs/${program.id}/invites`, { email });
    const { pathname, search } = new URL(invite.body.inviteUrl);
    await page.goto(app.url + pathname + search);
    await page.fill('[name=email]', email);
    await page.fill('[name=password]', newPassword);
    await page.fill('[name=name]', 'Pat');
    await press();
    await says('You are a partner now');
    const row = await queryOne<{ status: string }>(
      app.deps.db.manager,
      'SELECT status FROM participants WHERE program_id = $1',
      [program.id],
    );
    expect(row?.status).toBe('approved');
  });

  it('let a partner with a second factor accept, once the code is given', async () => {
    const program = await buildProgram(app.deps.db.manager, { mode: 'live' });
    const owner = await buildMember(app.deps.db.manager, { workspaceId: program.workspaceId });
    const partner = await buildPartner(app.deps.db.manager);
    const { recoveryCodes } = await buildTwoFactor(app.deps, partner);
    const { email } = partner;
    const invite = await app.client
      .as((await signIn(app.deps, owner)).accessToken)
      .post<{ inviteUrl: string }>(`/api/v1/programs/${program.id}/invites`, { email });
    const { pathname, search } = new URL(invite.body.inviteUrl);
    await page.goto(app.url + pathname + search);
    await page.fill('[name=email]', email);
    await page.fill('[name=password]', testPassword);
    await press();
    await says('second factor');
    await page.fill('[name=code]', recoveryCodes[0] ?? '');
    await press();
    await says('You are a partner now');
  });

  it('switch a category off', async () => {
    const partner = await buildPartner(app.deps.db.manager);
    const url = unsubscribeUrl(app.deps, {
      side: 'partner',
      accountId: partner.id,
      category: 'programs',
    });
    await page.goto(app.url + new URL(url).pathname + new URL(url).search);
    expect(await page.locator('main').textContent()).toContain('no more mails about programs.');
    await press();
    await says('Done. You can have these mails again');
    const row = await queryOne<{ email: boolean }>(
      app.deps.db.manager,
      'SELECT email FROM notification_preferences WHERE account_id = $1',
      [partner.id],
    );
    expect(row?.email).toBe(false);
  });
});
