import { refuseAddress } from '../../activities/accounts/refuse-address';
import { requestReset, resetPassword } from '../../activities/accounts/reset-password';
import { verifyEmail } from '../../activities/accounts/verify-email';
import { causeOf } from '../../activities/journal/cause';
import type { Side } from '../../entities/rules/accounts/accounts';
import { open } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { EmptyDto, ForgotPasswordBody, ResetPasswordBody, VerifyEmailBody } from './auth.dto';
import { passwordStoresOf } from './session-answer';

const route = routesOf('Sign-in');
const auth = open('auth');

/** Lost passwords of both sides, and the verification of addresses; all by tokens of mails. */
export const recoveryRoutes: Route[] = [
  ...recoveryOf('merchant'),
  ...recoveryOf('partner'),

  route.post(
    '/api/v1/auth/email/verify',
    {
      name: 'verifyEmail',
      summary: 'Verify an e-mail address by the token of the mail',
      description:
        'For both sides. Good for 24 hours, more than once, as long as the address stays.',
      auth,
      body: VerifyEmailBody,
      responses: { 200: { type: EmptyDto } },
      errors: ['EMAIL_TOKEN_INVALID'],
    },
    async (ctx) => {
      await verifyEmail({ db: ctx.db, vault: ctx.deps.vault }, causeOf(ctx), ctx.input.body);
      ctx.body = {};
    },
  ),

  route.post(
    '/api/v1/auth/email/refuse',
    {
      name: 'refuseEmail',
      summary: 'Say by the token of the mail that an account with your address is not yours',
      description:
        'For both sides, with the token of the mail that asks for a confirmation, confirmed or not. The account ends, and every session of it; what a merchant made for the address stays with the address.',
      auth,
      body: VerifyEmailBody,
      responses: { 204: {} },
      errors: ['EMAIL_TOKEN_INVALID'],
    },
    async (ctx) => {
      await refuseAddress({ db: ctx.db, vault: ctx.deps.vault }, causeOf(ctx), ctx.input.body);
      ctx.status = 204;
    },
  ),
];

function recoveryOf(side: Side): Route[] {
  const suffix = side === 'merchant' ? 'Merchant' : 'Partner';
  return [
    route.post(
      `/api/v1/auth/${side}/forgot-password`,
      {
        name: `forgotPassword${suffix}`,
        summary: `Send a ${side} a link to reset the password`,
        description: 'Always 202: the answer does not reveal whether the address has an account.',
        auth,
        body: ForgotPasswordBody,
        responses: { 202: { type: EmptyDto } },
      },
      async (ctx) => {
        await requestReset(ctx.db, causeOf(ctx), { side, ...ctx.input.body });
        ctx.status = 202;
        ctx.body = {};
      },
    ),

    route.post(
      `/api/v1/auth/${side}/reset-password`,
      {
        name: `resetPassword${suffix}`,
        summary: `Set a ${side}'s password by the token of a reset mail`,
        description:
          'Ends all sessions of the account and confirms its address, unless it has a second factor, which stays. A refused password does not spend the token.',
        auth,
        body: ResetPasswordBody,
        responses: { 204: {} },
        errors: ['RESET_TOKEN_INVALID'],
      },
      async (ctx) => {
        const command = { side, ...ctx.input.body };
        await resetPassword(passwordStoresOf(ctx), causeOf(ctx), command);
        ctx.status = 204;
      },
    ),
  ];
}
