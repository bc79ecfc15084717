import { findAccount } from '../../activities/accounts/accounts';
import { logIn } from '../../activities/accounts/login';
import { causeOf } from '../../activities/journal/cause';
import { endSessionOfToken, rotateSession } from '../../activities/credentials/sessions';
import { AppError } from '../../entities/errors';
import { open } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { LoginBody, MerchantSessionDto, PartnerSessionDto, RefreshBody } from './auth.dto';
import { answerSession, originOf, passwordStoresOf, storesOf } from './session-answer';
import { clearSessionCookie, readChoice, readRefreshToken, sessionHeader } from './session-cookie';

const route = routesOf('Sign-in');
const auth = open('auth');
const refreshAuth = { ...auth, cookieZone: 'reload' } as const;

/** What differs between the two sides of one endpoint. */
const merchantSide = {
  side: 'merchant',
  noun: 'merchant',
  suffix: 'Merchant',
  type: MerchantSessionDto,
} as const;

const partnerSide = {
  side: 'partner',
  noun: 'partner',
  suffix: 'Partner',
  type: PartnerSessionDto,
} as const;

type SignInSide = typeof merchantSide | typeof partnerSide;

/** Login, refresh and logout of both sides. */
export const signInRoutes: Route[] = [
  loginOf(merchantSide),
  refreshOf(merchantSide),
  logoutOf(merchantSide),
  loginOf(partnerSide),
  refreshOf(partnerSide),
  logoutOf(partnerSide),
];

function loginOf({ side, noun, suffix, type }: SignInSide): Route {
  return route.post(
    `/api/v1/auth/${side}/login`,
    {
      name: `login${suffix}`,
      summary: `Sign a ${noun} in`,
      description:
        'An unknown address gets the answer of a wrong password. After ten wrong passwords for one address in 15 minutes, only IP addresses from which the account signed in lately may still try; others get 429. Codes of the second factor count in the same way.',
      auth,
      body: LoginBody,
      responses: { 200: { type } },
      errors: ['INVALID_CREDENTIALS', 'TWO_FACTOR_REQUIRED', 'TWO_FACTOR_INVALID'],
      noStore: true,
      headers: sessionHeader,
      prepare: readChoice,
    },
    async (ctx, choice) => {
      const login = { ...ctx.input.body, side, origin: originOf(ctx) };
      const opened = await logIn(passwordStoresOf(ctx), causeOf(ctx), login);
      await answerSession(ctx, opened, choice);
    },
  );
}

function refreshOf({ side, noun, suffix, type }: SignInSide): Route {
  return route.post(
    `/api/v1/auth/${side}/refresh`,
    {
      name: `refresh${suffix}`,
      summary: `Get new tokens for a ${noun}`,
      description:
        'Spends the refresh token. One that was spent less than ten seconds ago is answered once more, with a token of its own: two tabs may refresh at once. A spent one that comes again otherwise ends the session, however long ago it was spent.',
      auth: refreshAuth,
      body: RefreshBody,
      bodyOptional: true,
      responses: { 200: { type } },
      errors: ['INVALID_REFRESH_TOKEN', 'REFRESH_TOKEN_REUSED', 'ORIGIN_NOT_ALLOWED'],
      noStore: true,
      headers: sessionHeader,
      prepare: async (ctx) => readRefreshToken(ctx, { side, ...ctx.input.body }),
    },
    async (ctx, { inCookie, refreshToken }) => {
      const rotated = await rotateSession(storesOf(ctx), causeOf(ctx), { side, refreshToken });
      const account = await findAccount(ctx.db, side, { id: rotated.accountId });
      if (!account) throw new AppError('INVALID_REFRESH_TOKEN');
      await answerSession(ctx, { ...rotated, account }, { inCookie });
    },
  );
}

function logoutOf({ side, noun, suffix }: SignInSide): Route {
  return route.post(
    `/api/v1/auth/${side}/logout`,
    {
      name: `logout${suffix}`,
      summary: `End a ${noun}'s session`,
      description: 'Takes the refresh token, no bearer. The answer is the same whatever it is.',
      auth,
      body: RefreshBody,
      bodyOptional: true,
      responses: { 204: {} },
      errors: ['ORIGIN_NOT_ALLOWED'],
      headers: sessionHeader,
      prepare: async (ctx) => readRefreshToken(ctx, { side, ...ctx.input.body }),
    },
    async (ctx, { inCookie, refreshToken }) => {
      await endSessionOfToken(storesOf(ctx), causeOf(ctx), { side, refreshToken });
      if (inCookie) clearSessionCookie(ctx, side);
      ctx.status = 204;
    },
  );
}
