import { findAccount } from '../../../activities/accounts/accounts';
import { query } from '../../../entities/database/sql';
import { startTestApp, type TestApp } from '../../support/app';
import { buildMember, buildPartner, signIn, testPassword } from '../../support/build/accounts';
import { deliverQueued, mailsTo, mailTo, tokenIn } from '../../support/stored/mails';
import { buildTwoFactor } from '../../support/build/two-factor';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterEach(() => app.deps.clock.set(undefined));
afterAll(() => app.close());

const hour = 3_600_000;
const newPassword = 'quite another password';

async function askForReset(side: string, email: string): Promise<string> {
  const answer = await app.client.post(`/api/v1/auth/${side}/forgot-password`, { email });
  expect(answer.status).toBe(202);
  await deliverQueued(app.deps);
  return tokenIn((await mailTo(email, 'new password')).text);
}

function reset(side: string, token: string, password = newPassword) {
  return app.client.post(`/api/v1/auth/${side}/reset-password`, { token, password });
}

function login(side: string, email: string, password: string) {
  return app.client.post(`/api/v1/auth/${side}/login`, { email, password });
}

describe('resetting a password (accounts.md, Tokens in mails)', () => {
  it('sets it by the mailed token, once, and ends every session', async () => {
    const member = await buildMember(app.deps.db.manager);
    const { accessToken, refreshToken } = await signIn(app.deps, member);
    const token = await askForReset('merchant', member.email);

    const weak = await reset('merchant', token, 'short');
    expect(weak.status).toBe(400);
    expect((await reset('merchant', token)).status).toBe(204);
    const again = await reset('merchant', token);
    expect([again.status, again.body['code']]).toEqual([400, 'RESET_TOKEN_INVALID']);

    const me = await app.client.as(accessToken).get('/api/v1/auth/merchant/account');
    expect(me.status).toBe(401);
    const refreshed = await app.client.post('/api/v1/auth/merchant/refresh', { refreshToken });
    expect(refreshed.body['code']).toBe('INVALID_REFRESH_TOKEN');
    expect((await login('merchant', member.email, testPassword)).status).toBe(401);
    expect((await login('merchant', member.email, newPassword)).status).toBe(200);

    await deliverQueued(app.deps);
    await mailTo(member.email, 'password was changed');
  });

  it('confirms the address, and drops how somebody who never did wants to be paid', async () => {
    const squatted = await buildPartner(app.deps.db.manager, { verifiedAt: null });
    const own = await buildPartner(app.deps.db.manager);
    const method = { type: 'paypal', email: 'squatter@example.com' };
    const kept = await Promise.all(
      [squatted, own].map(async (partner) => {
        const before = app.client.as((await signIn(app.deps, partner)).accessToken);
        const put = { method, password: testPassword };
        expect((await before.put('/api/v1/partner/payout-method', put)).status).toBe(200);
        const token = await askForReset('partner', partner.email);
        expect((await reset('partner', token)).status).toBe(204);
        const signedIn = await login('partner', partner.email, newPassword);
        const me = app.client.as(signedIn.body['accessToken'] as string);
        const [account, stored] = await Promise.all([
          me.get('/api/v1/partner/account'),
          me.get('/api/v1/partner/payout-method'),
        ]);
        return [account.body['emailVerified'], stored.body['method']];
      }),
    );
    expect(kept).toEqual([
      [true, null],
      [true, method],
    ]);
    await deliverQueued(app.deps);
    const told = await query(
      app.deps.db.manager,
      `SELECT 1 FROM mails WHERE type = 'security.payout_method_changed' AND account_id = $1`,
      [squatted.id],
    );
    expect(told).toHaveLength(2);
  });

  it('confirms no address whose second factor may be that of somebody else', async () => {
    const squatted = await buildPartner(app.deps.db.manager, { verifiedAt: null });
    await buildTwoFactor(app.deps, { side: 'partner', id: squatted.id });
    const token = await askForReset('partner', squatted.email);
    expect((await reset('partner', token)).status).toBe(204);
    const signedIn = await login('partner', squatted.email, newPassword);
    expect([signedIn.status, signedIn.body['code']]).toEqual([401, 'TWO_FACTOR_REQUIRED']);
    // The address stays unconfirmed, so that a claim mail of live mode still puts the other person out.
    const account = await findAccount(app.deps.db.manager, 'partner', { id: squatted.id });
    expect(account?.emailVerified).toBe(false);
    await deliverQueued(app.deps);
  });

  it('answers the same for an address without an account, and sends nothing', async () => {
    const email = 'stranger@example.test';
    const answer = await app.client.post('/api/v1/auth/partner/forgot-password', { email });
    expect([answer.status, answer.body]).toEqual([202, {}]);
    expect(await deliverQueued(app.deps)).toEqual(['dropped']);
    expect(await mailsTo(email)).toHaveLength(0);
    const kept = await query(app.deps.db.manager, 'SELECT 1 FROM mails WHERE recipient = $1', [
      email,
    ]);
    expect(kept).toHaveLength(0);
  });

  it('does not take a token of the other side, of another purpose, garbled or late', async () => {
    const partner = await buildPartner(app.deps.db.manager, { verifiedAt: null });
    const token = await askForReset('partner', partner.email);
    expect((await reset('merchant', token)).body['code']).toBe('RESET_TOKEN_INVALID');
    const verify = await app.client.post('/api/v1/auth/email/verify', { token });
    expect(verify.body['code']).toBe('EMAIL_TOKEN_INVALID');
    const flipped = token.slice(0, -2) + (token.endsWith('AA') ? 'BB' : 'AA');
    for (const bad of [
      flipped,
      '',
      'x',
      'x'.repeat(10_000),
      '\u00e9'.repeat(65),
      token.slice(0, 64),
    ]) {
      expect((await reset('partner', bad)).body['code']).toBe('RESET_TOKEN_INVALID');
    }
    app.deps.clock.advance(hour + 1_000);
    expect((await reset('partner', token)).body['code']).toBe('RESET_TOKEN_INVALID');
    app.deps.clock.set(undefined);
    expect((await reset('partner', token)).status).toBe(204);
  });

  it('lets one of five parallel uses of a token win', async () => {
    const partner = await buildPartner(app.deps.db.manager);
    const token = await askForReset('partner', partner.email);
    const answers = await Promise.all(
      [1, 2, 3, 4, 5].map((n) => reset('partner', token, `${newPassword} ${n}`)),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([204, 400, 400, 400, 400]);
  });

  it('kills other reset tokens with the password, and all with the address', async () => {
    const partner = await buildPartner(app.deps.db.manager);
    const first = await askForReset('partner', partner.email);
    const second = await askForReset('partner', partner.email);
    expect((await reset('partner', second)).status).toBe(204);
    expect((await reset('partner', first)).body['code']).toBe('RESET_TOKEN_INVALID');

    const third = await askForReset('partner', partner.email);
    const { accessToken } = await signIn(app.deps, partner);
    // The token is not good again when the old address is back, either.
    for (const email of [`moved-${partner.email}`, partner.email]) {
      const body = { email, password: newPassword };
      const moved = await app.client
        .as(accessToken)
        .post('/api/v1/auth/partner/change-email', body);
      expect(moved.status).toBe(200);
      expect((await reset('partner', third)).body['code']).toBe('RESET_TOKEN_INVALID');
    }
  });
});

describe('verifying an address', () => {
  const verify = (token: string) => app.client.post('/api/v1/auth/email/verify', { token });

  async function register(email: string): Promise<{ accessToken: string; token: string }> {
    const answer = await app.client.post<{ accessToken: string }>('/api/v1/auth/partner/register', {
      email,
      password: testPassword,
      name: 'Pat',
    });
    await deliverQueued(app.deps);
    const token = tokenIn((await mailTo(email, 'Confirm')).text);
    return { accessToken: answer.body.accessToken, token };
  }

  it('works twice within a day and not after it', async () => {
    const { accessToken, token } = await register('verify-me@example.test');
    const me = () => app.client.as(accessToken).get('/api/v1/partner/account');
    expect((await me()).body['emailVerified']).toBe(false);
    expect((await verify(token)).status).toBe(200);
    expect((await verify(token)).status).toBe(200);
    expect((await me()).body['emailVerified']).toBe(true);

    app.deps.clock.advance(24 * hour + 1_000);
    const late = await verify(token);
    expect([late.status, late.body['code']]).toEqual([400, 'EMAIL_TOKEN_INVALID']);
  });

  it('is bound to the address, even when the account comes back to it', async () => {
    const email = 'back-and-forth@example.test';
    const { accessToken, token } = await register(email);
    const change = (to: string) =>
      app.client
        .as(accessToken)
        .post('/api/v1/auth/partner/change-email', { email: to, password: testPassword });
    expect((await change('elsewhere@example.test')).status).toBe(200);
    expect((await verify(token)).body['code']).toBe('EMAIL_TOKEN_INVALID');
    expect((await change(email)).status).toBe(200);
    expect((await verify(token)).body['code']).toBe('EMAIL_TOKEN_INVALID');

    await deliverQueued(app.deps);
    await mailTo(email, 'was changed');
    const fresh = tokenIn((await mailTo(email, 'Confirm')).text);
    expect((await verify(fresh)).status).toBe(200);
  });

  it('is mailed again on request, as long as it is not verified', async () => {
    const partner = await buildPartner(app.deps.db.manager, { verifiedAt: null });
    const caller = app.client.as((await signIn(app.deps, partner)).accessToken);
    const path = '/api/v1/auth/partner/email/resend-verification';
    expect((await caller.post(path)).status).toBe(200);
    expect(await deliverQueued(app.deps)).toEqual(['sent']);
    expect((await verify(tokenIn((await mailTo(partner.email, 'Confirm')).text))).status).toBe(200);
    expect((await caller.post(path)).status).toBe(200);
    expect(await deliverQueued(app.deps)).toEqual([]);
  });
});

describe('limits of sign-in', () => {
  it('counts resends per account and hour, and sign-in requests per address and minute', async () => {
    const limited = await startTestApp({ RATE_LIMIT_RESEND: '3', RATE_LIMIT_AUTH: '10' });
    try {
      const partner = await buildPartner(limited.deps.db.manager, { verifiedAt: null });
      const caller = limited.client.as((await signIn(limited.deps, partner)).accessToken);
      const path = '/api/v1/auth/partner/email/resend-verification';
      const statuses: number[] = [];
      for (let n = 0; n < 4; n += 1) statuses.push((await caller.post(path)).status);
      expect(statuses).toEqual([200, 200, 200, 429]);

      const forgot = () =>
        limited.client.post('/api/v1/auth/partner/forgot-password', { email: 'x@example.test' });
      const answers = [];
      for (let n = 0; n < 7; n += 1) answers.push(await forgot());
      expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202, 202, 429]);
      const last = answers.at(-1);
      expect(last?.body['code']).toBe('RATE_LIMIT_EXCEEDED');
      expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0);
      // General zone: a signed-in person's own routes do not count as sign-in.
      expect((await caller.get('/api/v1/auth/partner/sessions')).status).toBe(200);
    } finally {
      await limited.close();
    }
  });
});
