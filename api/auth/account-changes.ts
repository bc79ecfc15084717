import { changeEmail, changePassword } from '../../activities/accounts/own-account';
import type { AccountRow } from '../../activities/accounts/accounts';
import { confirmPassword } from '../../activities/accounts/confirm-password';
import type { AccountPrincipal } from '../../activities/credentials/principals';
import { causeOf } from '../../activities/journal/cause';
import type { Side } from '../../entities/rules/accounts/accounts';
import { member, partner, type AccountAuthOptions, type Auth } from '../http/contract/credential';
import { passwordsOf } from '../http/checks/places';
import type { RequestContext } from '../http/contract/request';
import { routesOf, type Route } from '../http/contract/route';
import {
  ChangeEmailBody,
  ChangePasswordBody,
  MerchantAccountDto,
  PartnerIdentityDto,
  presentAccount,
} from './auth.dto';
import { passwordStoresOf } from './session-answer';

export const ownAccountTag = 'Own account';

const route = routesOf(ownAccountTag);

/** What differs between the two sides of one endpoint. */
export interface SideSpec {
  side: 'merchant' | 'partner';
  suffix: string;
  type: new () => object;
  auth: (options?: AccountAuthOptions) => Auth<AccountPrincipal>;
}

const merchantSide: SideSpec = {
  side: 'merchant',
  suffix: 'Merchant',
  type: MerchantAccountDto,
  auth: (options) => member('viewer', { ...options, ownAccount: true }),
};

const partnerSide: SideSpec = {
  side: 'partner',
  suffix: 'Partner',
  type: PartnerIdentityDto,
  auth: (options) => partner(options),
};

export const bothSides = [merchantSide, partnerSide];

/** A change of the address asks for the password again, as a change of the password does. */
export function changeEmailOf({ side, suffix, type, auth }: SideSpec): Route {
  return route.post(
    `/api/v1/auth/${side}/change-email`,
    {
      name: `changeEmail${suffix}`,
      summary: 'Change your e-mail address',
      description:
        'The address is unverified again, links sent to the old one are dead, and the old one gets a notice.',
      auth: auth(),
      body: ChangeEmailBody,
      responses: { 200: { type } },
      errors: ['PASSWORD_INVALID', 'EMAIL_TAKEN'],
      prepare: (ctx) => confirm(ctx, { side, password: ctx.input.body.password }),
    },
    async (ctx, seen) => {
      const { accountId } = ctx.principal;
      const { email } = ctx.input.body;
      const command = { side, accountId, email, seen };
      ctx.body = presentAccount(await changeEmail(ctx.db, causeOf(ctx), command));
    },
  );
}

export function changePasswordOf({ side, suffix, auth }: SideSpec): Route {
  return route.post(
    `/api/v1/auth/${side}/change-password`,
    {
      name: `changePassword${suffix}`,
      summary: 'Change your password',
      description: 'Your other sessions end, and you get a mail about it.',
      auth: auth(),
      body: ChangePasswordBody,
      responses: { 204: {} },
      errors: ['PASSWORD_INVALID'],
      prepare: async (ctx) => {
        const { currentPassword, newPassword } = ctx.input.body;
        const seen = await confirm(ctx, { side, password: currentPassword });
        return { seen, passwordHash: await passwordsOf(ctx).hash(newPassword) };
      },
    },
    async (ctx, confirmed) => {
      const { accountId, sessionId } = ctx.principal;
      const command = { side, accountId, sessionId, ...confirmed };
      await changePassword(ctx.db, causeOf(ctx), command);
      ctx.status = 204;
    },
  );
}

export interface Confirming extends RequestContext {
  principal: AccountPrincipal;
}

interface Given {
  side: Side;
  password: string;
}

/** The account of a request, once its password was given again. PASSWORD_INVALID, RATE_LIMIT_EXCEEDED. */
export function confirm(ctx: Confirming, given: Given): Promise<AccountRow> {
  const { accountId } = ctx.principal;
  return confirmPassword(passwordStoresOf(ctx), causeOf(ctx), { ...given, accountId });
}
