import Router from '@koa/router';
import {
  findAccount,
  registerMerchant,
  registerPartner,
  type MerchantAccount,
  type PartnerAccount,
  type Registered,
} from '../../activities/accounts.activities';
import { requestReset, resetPassword, verifyEmail } from '../../activities/email-tokens.activities';
import { logIn } from '../../activities/login.activities';
import { acceptInvite } from '../../activities/members.activities';
import type { Deps } from '../../activities/runtime/deps';
import { endSessionOfToken, rotateSession } from '../../activities/sessions.activities';
import { AppError } from '../../entities/errors';
import type { Side } from '../../entities/rules/accounts';
import { open } from '../http/auth';
import { contract } from '../http/contract';
import {
  AcceptMemberInviteBody,
  EmptyDto,
  ForgotPasswordBody,
  LoginBody,
  MerchantRegistrationDto,
  merchantRegistrationExample,
  MerchantSessionDto,
  merchantSessionExample,
  PartnerSessionDto,
  partnerSessionExample,
  presentMerchant,
  presentNewKey,
  presentPartnerIdentity,
  RefreshBody,
  RegisterMerchantBody,
  RegisterPartnerBody,
  ResetPasswordBody,
  VerifyEmailBody,
} from './auth.dto';
import { originOf, sessionTokens } from './session-answer';

const tag = 'Sign-in';
const auth = open('auth');
const merchantAccountPath = '/api/v1/auth/merchant/account';
const partnerAccountPath = '/api/v1/partner/account';

/** Registration, sign-in and recovery, for both sides; all without a credential. */
export function authRoutes(deps: Deps): Router {
  const router = new Router();
  addRegistration(router, deps);
  addMemberInvite(router, deps);
  addSignIn(router, deps, merchantSide);
  addSignIn(router, deps, partnerSide);
  addRecovery(router, deps, 'merchant');
  addRecovery(router, deps, 'partner');
  addVerification(router, deps);
  return router;
}

async function merchantSession(deps: Deps, opened: Registered<MerchantAccount>, now: Date) {
  return { ...(await sessionTokens(deps, opened, now)), account: presentMerchant(opened.account) };
}

async function partnerSession(deps: Deps, opened: Registered<PartnerAccount>, now: Date) {
  const account = presentPartnerIdentity(opened.account);
  return { ...(await sessionTokens(deps, opened, now)), account };
}

function addRegistration(router: Router, deps: Deps): void {
  router.post(
    'registerMerchant',
    '/api/v1/auth/merchant/register',
    contract(
      {
        summary: 'Register a merchant with a new workspace',
        description:
          'Answers the four API keys of the workspace, this once, and sends a verification mail.',
        tag,
        auth,
        body: RegisterMerchantBody,
        responses: { 201: { type: MerchantRegistrationDto, example: merchantRegistrationExample } },
        errors: ['EMAIL_TAKEN'],
        noStore: true,
      },
      async (ctx) => {
        const { requestId, now } = ctx;
        const command = { ...ctx.input.body, origin: originOf(ctx), requestId };
        const registered = await registerMerchant(deps, command, now);
        ctx.status = 201;
        ctx.set('Location', merchantAccountPath);
        const session = await merchantSession(deps, registered, now);
        ctx.body = { ...session, apiKeys: registered.apiKeys.map(presentNewKey) };
      },
    ),
  );

  router.post(
    'registerPartner',
    '/api/v1/auth/partner/register',
    contract(
      {
        summary: 'Register a partner',
        description: 'The account is global: one partner may join programmes of many merchants.',
        tag,
        auth,
        body: RegisterPartnerBody,
        responses: { 201: { type: PartnerSessionDto, example: partnerSessionExample } },
        errors: ['EMAIL_TAKEN'],
        noStore: true,
      },
      async (ctx) => {
        const { requestId, now } = ctx;
        const command = { ...ctx.input.body, origin: originOf(ctx), requestId };
        const registered = await registerPartner(deps, command, now);
        ctx.status = 201;
        ctx.set('Location', partnerAccountPath);
        ctx.body = await partnerSession(deps, registered, now);
      },
    ),
  );
}

function addMemberInvite(router: Router, deps: Deps): void {
  router.post(
    'acceptMemberInvite',
    '/api/v1/auth/merchant/accept-invite',
    contract(
      {
        summary: 'Accept an invite to a workspace',
        description: 'Makes the invited account and signs it in. The token is spent.',
        tag,
        auth,
        body: AcceptMemberInviteBody,
        responses: { 201: { type: MerchantSessionDto, example: merchantSessionExample } },
        errors: ['INVITE_EXPIRED', 'EMAIL_TAKEN'],
        noStore: true,
      },
      async (ctx) => {
        const { requestId, now } = ctx;
        const command = { ...ctx.input.body, origin: originOf(ctx), requestId };
        const registered = await acceptInvite(deps, command, now);
        ctx.status = 201;
        ctx.set('Location', merchantAccountPath);
        ctx.body = await merchantSession(deps, registered, now);
      },
    ),
  );
}

/** What differs between the two sides of one endpoint. */
const merchantSide = {
  side: 'merchant',
  noun: 'merchant',
  suffix: 'Merchant',
  type: MerchantSessionDto,
  example: merchantSessionExample,
} as const;

const partnerSide = {
  side: 'partner',
  noun: 'partner',
  suffix: 'Partner',
  type: PartnerSessionDto,
  example: partnerSessionExample,
} as const;

function presentSession(
  deps: Deps,
  opened: Registered<MerchantAccount | PartnerAccount>,
  now: Date,
) {
  const { account, ...session } = opened;
  return account.side === 'merchant'
    ? merchantSession(deps, { account, ...session }, now)
    : partnerSession(deps, { account, ...session }, now);
}

function addSignIn(
  router: Router,
  deps: Deps,
  { side, noun, suffix, type, example }: typeof merchantSide | typeof partnerSide,
): void {
  router.post(
    `login${suffix}`,
    `/api/v1/auth/${side}/login`,
    contract(
      {
        summary: `Sign a ${noun} in`,
        description:
          'An unknown address gets the answer of a wrong password. After ten wrong passwords for one address text in 15 minutes, only IP addresses from which the account signed in lately may still try; others get 429.',
        tag,
        auth,
        body: LoginBody,
        responses: { 200: { type, example } },
        errors: ['INVALID_CREDENTIALS'],
        noStore: true,
      },
      async (ctx) => {
        const { requestId, now } = ctx;
        const login = { ...ctx.input.body, side, origin: originOf(ctx), requestId };
        ctx.body = await presentSession(deps, await logIn(deps, login, now), now);
      },
    ),
  );

  router.post(
    `refresh${suffix}`,
    `/api/v1/auth/${side}/refresh`,
    contract(
      {
        summary: `Get new tokens for a ${noun}`,
        description: 'Spends the refresh token. A spent one that comes again ends the session.',
        tag,
        auth,
        body: RefreshBody,
        responses: { 200: { type, example } },
        errors: ['INVALID_REFRESH_TOKEN', 'REFRESH_TOKEN_REUSED'],
        noStore: true,
      },
      async (ctx) => {
        const { requestId, now } = ctx;
        const { refreshToken } = ctx.input.body;
        const rotated = await rotateSession(ctx.db, { side, refreshToken, requestId }, now);
        const account = await findAccount(ctx.db, side, { id: rotated.accountId });
        if (!account) throw new AppError('INVALID_REFRESH_TOKEN');
        ctx.body = await presentSession(deps, { ...rotated, account }, now);
      },
    ),
  );

  router.post(
    `logout${suffix}`,
    `/api/v1/auth/${side}/logout`,
    contract(
      {
        summary: `End a ${noun}'s session`,
        description: 'Takes the refresh token, no bearer. The answer is the same whatever it is.',
        tag,
        auth,
        body: RefreshBody,
        responses: { 204: {} },
      },
      async (ctx) => {
        await endSessionOfToken(ctx.db, { side, ...ctx.input.body }, ctx.now);
        ctx.status = 204;
      },
    ),
  );
}

function addRecovery(router: Router, deps: Deps, side: Side): void {
  const suffix = side === 'merchant' ? 'Merchant' : 'Partner';
  router.post(
    `forgotPassword${suffix}`,
    `/api/v1/auth/${side}/forgot-password`,
    contract(
      {
        summary: `Send a ${side} a link to reset the password`,
        description: 'Always 202: the answer tells nobody whether the address has an account.',
        tag,
        auth,
        body: ForgotPasswordBody,
        responses: { 202: { type: EmptyDto, example: {} } },
      },
      async (ctx) => {
        await requestReset(ctx.db, { side, ...ctx.input.body }, ctx.now);
        ctx.status = 202;
        ctx.body = {};
      },
    ),
  );

  router.post(
    `resetPassword${suffix}`,
    `/api/v1/auth/${side}/reset-password`,
    contract(
      {
        summary: `Set a ${side}'s password by the token of a reset mail`,
        description:
          'Ends all sessions of the account. A refused password does not spend the token.',
        tag,
        auth,
        body: ResetPasswordBody,
        responses: { 204: {} },
        errors: ['RESET_TOKEN_INVALID'],
      },
      async (ctx) => {
        const command = { side, ...ctx.input.body, requestId: ctx.requestId };
        await resetPassword(ctx.db, deps.vault, command, ctx.now);
        ctx.status = 204;
      },
    ),
  );
}

function addVerification(router: Router, deps: Deps): void {
  router.post(
    'verifyEmail',
    '/api/v1/auth/email/verify',
    contract(
      {
        summary: 'Verify an e-mail address by the token of the mail',
        description:
          'For both sides. Good for 24 hours, more than once, as long as the address stays.',
        tag,
        auth,
        body: VerifyEmailBody,
        responses: { 200: { type: EmptyDto, example: {} } },
        errors: ['EMAIL_TOKEN_INVALID'],
      },
      async (ctx) => {
        await verifyEmail(ctx.db, deps.vault, ctx.input.body.token, ctx.now);
        ctx.body = {};
      },
    ),
  );
}
