import { findAccount } from '../../../../activities/accounts/accounts';
import { issueEmailToken } from '../../../../activities/accounts/email-tokens';
import { newId } from '../../../../entities/ids';
import type { Side } from '../../../../entities/rules/accounts/accounts';
import type { TestApp } from '../../app';
import { signIn, testPassword as password } from '../../build/accounts';
import { buildTwoFactor, codeAt } from '../../build/two-factor';
import { type Setup, text, email, signedInMerchant, signedInPartner, accountOf } from './worlds';

const login =
  (side: Side): Setup =>
  async (app) => ({ body: { email: (await accountOf(app, side)).email, password } });
const session =
  (side: Side): Setup =>
  async (app) => {
    const { refreshToken } = await signIn(app.deps, await accountOf(app, side));
    return { body: { refreshToken } };
  };
const forgot =
  (side: Side): Setup =>
  async (app) => ({ body: { email: (await accountOf(app, side)).email } });

const token = async (app: TestApp, side: Side, purpose: 'verify' | 'reset'): Promise<string> => {
  const { db, vault } = { db: app.deps.db.manager, vault: app.deps.vault };
  const { id } = await accountOf(app, side, null);
  const account = await findAccount(db, side, { id });
  if (!account) throw new Error('there is no account');
  const now = new Date();
  const mail = { id: newId(), purpose, account, requestedAt: now };
  return String(await issueEmailToken({ db, vault }, { now }, mail));
};
const reset =
  (side: Side): Setup =>
  async (app) => ({ body: { token: await token(app, side, 'reset'), password: `${password} 2` } });

const resend =
  (side: Side): Setup =>
  async (app) => {
    const { accessToken } = await signIn(app.deps, await accountOf(app, side, null));
    return { by: app.client.as(accessToken, 'test') };
  };

const endSession =
  (side: Side): Setup =>
  async (app) => {
    const account = await accountOf(app, side);
    const { accessToken } = await signIn(app.deps, account);
    const { sessionId } = await signIn(app.deps, account);
    return { by: app.client.as(accessToken, 'test'), ids: { sessionId } };
  };

const secondFactor =
  (side: Side, stage: 'setup' | 'enabled'): Setup =>
  async (app) => {
    const account = await accountOf(app, side);
    const { accessToken } = await signIn(app.deps, account);
    const { secret, recoveryCodes } = await buildTwoFactor(app.deps, account, stage);
    const body =
      stage === 'setup'
        ? { code: codeAt(secret, new Date()) }
        : { password, code: recoveryCodes[0] };
    return { by: app.client.as(accessToken, 'test'), body };
  };

/** Sign-in, sessions, passwords and the partner's own account, and the waitlist. */
export const accountRequests: Record<string, Setup> = {
  registerMerchant: () =>
    Promise.resolve({ body: { email: email(), password, name: 'A', workspaceName: 'B' } }),
  registerPartner: () => Promise.resolve({ body: { email: email(), password, name: 'A' } }),
  loginMerchant: login('merchant'),
  loginPartner: login('partner'),
  refreshMerchant: session('merchant'),
  refreshPartner: session('partner'),
  logoutMerchant: session('merchant'),
  logoutPartner: session('partner'),
  forgotPasswordMerchant: forgot('merchant'),
  forgotPasswordPartner: forgot('partner'),
  resetPasswordMerchant: reset('merchant'),
  resetPasswordPartner: reset('partner'),
  verifyEmail: async (app) => ({ body: { token: await token(app, 'partner', 'verify') } }),
  refuseEmail: async (app) => ({ body: { token: await token(app, 'partner', 'verify') } }),
  updateMerchantAccount: signedInMerchant(() => ({ name: text() })),
  changeEmailMerchant: signedInMerchant(() => ({ email: email(), password })),
  changeEmailPartner: signedInPartner(() => ({ email: email(), password })),
  changePasswordMerchant: signedInMerchant(() => ({
    currentPassword: password,
    newPassword: `${password} 2`,
  })),
  changePasswordPartner: signedInPartner(() => ({
    currentPassword: password,
    newPassword: `${password} 2`,
  })),
  setUpTwoFactorMerchant: signedInMerchant(() => ({ password })),
  setUpTwoFactorPartner: signedInPartner(() => ({ password })),
  enableTwoFactorMerchant: secondFactor('merchant', 'setup'),
  enableTwoFactorPartner: secondFactor('partner', 'setup'),
  disableTwoFactorMerchant: secondFactor('merchant', 'enabled'),
  disableTwoFactorPartner: secondFactor('partner', 'enabled'),
  renewRecoveryCodesMerchant: secondFactor('merchant', 'enabled'),
  renewRecoveryCodesPartner: secondFactor('partner', 'enabled'),
  endSessionMerchant: endSession('merchant'),
  endSessionPartner: endSession('partner'),
  resendVerificationMerchant: resend('merchant'),
  resendVerificationPartner: resend('partner'),
  updatePartnerAccount: signedInPartner(() => ({ name: text() })),
  putPayoutMethod: signedInPartner(() => ({
    method: { type: 'paypal', email: email() },
    password,
  })),
  deletePayoutMethod: signedInPartner(() => ({ password })),
  erasePartnerAccount: signedInPartner(() => ({ confirmation: 'DELETE' })),
  joinWaitlist: () => Promise.resolve({ body: { email: email(), elapsedMs: 5_000 } }),
};
