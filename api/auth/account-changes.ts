import { changeEmail, changePassword } from '../../activities/accounts/own-account';
import type { Account, AccountRow } from '../../activities/accounts/accounts';
import { confirmPassword } from '../../activities/accounts/confirm-password';
import type { AccountPrincipal } from '../../activities/credentials/principals';
import { causeOf, type Cause } from '../../activities/journal/cause';
import type { Passwords } from '../../runtime/crypto/passwords';
import type { Deps } from '../../runtime/process/deps';
import type { Side } from '../../entities/rules/accounts/accounts';
import { contract } from '../http/contract/contract';
import type { AccountAuthOptions, Auth } from '../http/contract/credential';
import { withPasswords } from '../http/checks/places';
import { route, type Route } from '../http/contract/route';
import {
  ChangeEmailBody,
  ChangePasswordBody,
  type MerchantAccountDto,
  type PartnerIdentityDto,
  presentMerchant,
  presentPartnerIdentity,
} from './auth.dto';
import { poolOf } from './session-answer';

export const ownAccountTag = 'Own account';

/** What differs between the two sides of one endpoint. */
export interface SideSpec {
  side: 'merchant' | 'partner';
  suffix: string;
  type: new () => object;
  example: object;
  auth: (options?: AccountAuthOptions) => Auth<AccountPrincipal>;
}

export function presentAccount(account: Account): MerchantAccountDto | PartnerIdentityDto {
  return account.side === 'merchant' ? presentMerchant(account) : presentPartnerIdentity(account);
}

/** For these two the password is asked for again. */
export function changeEmailOf({ side, suffix, type, example, auth }: SideSpec): Route {
  return route.post(
    `changeEmail${suffix}`,
    `/api/v1/auth/${side}/change-email`,
    contract(
      {
        summary: 'Change your e-mail address',
        description:
          'The address is unverified again, links sent to the old one are dead, and the old one gets a notice.',
        tag: ownAccountTag,
        auth: auth(),
        body: ChangeEmailBody,
        responses: { 200: { type, example } },
        errors: ['PASSWORD_INVALID', 'EMAIL_TAKEN'],
        prepare: (ctx) =>
          withPasswords(ctx, (passwords) =>
            confirm(ctx, { side, passwords, password: ctx.input.body.password }),
          ),
      },
      async (ctx, seen) => {
        const { accountId } = ctx.principal;
        const { email } = ctx.input.body;
        const command = { side, accountId, email, seen };
        ctx.body = presentAccount(await changeEmail(ctx.db, causeOf(ctx), command));
      },
    ),
  );
}

export function changePasswordOf({ side, suffix, auth }: SideSpec): Route {
  return route.post(
    `changePassword${suffix}`,
    `/api/v1/auth/${side}/change-password`,
    contract(
      {
        summary: 'Change your password',
        description: 'Your other sessions end, and you get a mail about it.',
        tag: ownAccountTag,
        auth: auth(),
        body: ChangePasswordBody,
        responses: { 204: {} },
        errors: ['PASSWORD_INVALID'],
        prepare: (ctx) =>
          withPasswords(ctx, async (passwords) => {
            const { currentPassword, newPassword } = ctx.input.body;
            const seen = await confirm(ctx, { side, passwords, password: currentPassword });
            return { seen, passwordHash: await passwords.hash(newPassword) };
          }),
      },
      async (ctx, confirmed) => {
        const { accountId, sessionId } = ctx.principal;
        const command = { side, accountId, sessionId, ...confirmed };
        await changePassword(ctx.db, causeOf(ctx), command);
        ctx.status = 204;
      },
    ),
  );
}

interface Confirming extends Cause {
  deps: Pick<Deps, 'db' | 'vault'>;
  principal: AccountPrincipal;
}

interface Given {
  side: Side;
  password: string;
  passwords: Passwords;
}

function confirm(ctx: Confirming, { passwords, ...given }: Given): Promise<AccountRow> {
  const { accountId } = ctx.principal;
  const deps = { ...poolOf(ctx.deps), passwords };
  return confirmPassword(deps, causeOf(ctx), { ...given, accountId });
}
