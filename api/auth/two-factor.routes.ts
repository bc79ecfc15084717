import {
  disableTwoFactor,
  enableTwoFactor,
  renewRecoveryCodes,
  setUpTwoFactor,
  type Confirmed,
} from '../../activities/accounts/two-factor/changes';
import { confirmCode, type Stage } from '../../activities/accounts/two-factor/codes';
import { findAccount } from '../../activities/accounts/accounts';
import { causeOf } from '../../activities/journal/cause';
import { AppError } from '../../entities/errors';
import { routesOf, type Route } from '../http/contract/route';
import {
  bothSides,
  confirm,
  ownAccountTag,
  type Confirming,
  type SideSpec,
} from './account-changes';
import { originOf, storesOf } from './session-answer';
import {
  ConfirmedCodeBody,
  EnableTwoFactorBody,
  RecoveryCodesDto,
  SetUpTwoFactorBody,
  TwoFactorSetupDto,
} from './two-factor.dto';

const route = routesOf(ownAccountTag);
const codeErrors = ['TWO_FACTOR_INVALID', 'TWO_FACTOR_NOT_SET_UP'] as const;

/** The second factor of one's own account, the same for both sides. */
export const twoFactorRoutes: Route[] = bothSides.flatMap((side) => [
  setUpOf(side),
  enableOf(side),
  disableOf(side),
  renewOf(side),
]);

function setUpOf({ side, suffix, auth }: SideSpec): Route {
  return route.post(
    `/api/v1/auth/${side}/two-factor/setup`,
    {
      name: `setUpTwoFactor${suffix}`,
      summary: 'Begin to set up a second factor',
      description:
        'The secret for an authenticator app (TOTP: SHA-1, six digits, 30 seconds), this once. Nothing changes until `enable` gets a code of it; a setup that was not finished is replaced.',
      auth: auth(),
      body: SetUpTwoFactorBody,
      responses: { 200: { type: TwoFactorSetupDto } },
      errors: ['PASSWORD_INVALID', 'TWO_FACTOR_ALREADY_ENABLED'],
      noStore: true,
      prepare: (ctx) => confirm(ctx, { side, password: ctx.input.body.password }),
    },
    async (ctx, account) => {
      ctx.body = await setUpTwoFactor(storesOf(ctx), causeOf(ctx), account);
    },
  );
}

function enableOf({ side, suffix, auth }: SideSpec): Route {
  return route.post(
    `/api/v1/auth/${side}/two-factor/enable`,
    {
      name: `enableTwoFactor${suffix}`,
      summary: 'Enable the second factor by a code of the app',
      description:
        'Signing in takes a code from now on. Answers ten recovery codes, this once: each stands in for a code once.',
      auth: auth(),
      body: EnableTwoFactorBody,
      responses: { 200: { type: RecoveryCodesDto } },
      errors: [...codeErrors, 'TWO_FACTOR_ALREADY_ENABLED'],
      noStore: true,
      prepare: async (ctx) => {
        const account = await findAccount(ctx.db, side, { id: ctx.principal.accountId });
        if (!account) throw new AppError('UNAUTHORIZED');
        return prove(ctx, { account, code: ctx.input.body.code, stage: 'setup' });
      },
    },
    async (ctx, confirmed) => {
      ctx.body = { recoveryCodes: await enableTwoFactor(storesOf(ctx), causeOf(ctx), confirmed) };
    },
  );
}

function disableOf({ side, suffix, auth }: SideSpec): Route {
  return route.post(
    `/api/v1/auth/${side}/two-factor/disable`,
    {
      name: `disableTwoFactor${suffix}`,
      summary: 'Switch the second factor off',
      description: 'By the password and a code of the app or a recovery code.',
      auth: auth(),
      body: ConfirmedCodeBody,
      responses: { 204: {} },
      errors: ['PASSWORD_INVALID', ...codeErrors],
      prepare: (ctx) => proveWithPassword(ctx, { side, ...ctx.input.body }),
    },
    async (ctx, confirmed) => {
      await disableTwoFactor(ctx.db, causeOf(ctx), confirmed);
      ctx.status = 204;
    },
  );
}

function renewOf({ side, suffix, auth }: SideSpec): Route {
  return route.post(
    `/api/v1/auth/${side}/two-factor/recovery-codes`,
    {
      name: `renewRecoveryCodes${suffix}`,
      summary: 'Make new recovery codes',
      description: 'Ten, this once; those before are void.',
      auth: auth(),
      body: ConfirmedCodeBody,
      responses: { 200: { type: RecoveryCodesDto } },
      errors: ['PASSWORD_INVALID', ...codeErrors],
      noStore: true,
      prepare: (ctx) => proveWithPassword(ctx, { side, ...ctx.input.body }),
    },
    async (ctx, confirmed) => {
      const recoveryCodes = await renewRecoveryCodes(storesOf(ctx), causeOf(ctx), confirmed);
      ctx.body = { recoveryCodes };
    },
  );
}

async function proveWithPassword(
  ctx: Confirming,
  { side, password, code }: { side: SideSpec['side']; password: string; code: string },
): Promise<Confirmed> {
  const account = await confirm(ctx, { side, password });
  return prove(ctx, { account, code, stage: 'enabled' });
}

/**
 * The account of a request, once its password was given again and, where it has a second factor, a
 * code. PASSWORD_INVALID, TWO_FACTOR_REQUIRED, TWO_FACTOR_INVALID, RATE_LIMIT_EXCEEDED.
 */
export async function confirmWithFactor(
  ctx: Confirming,
  { code, ...given }: { side: SideSpec['side']; password: string; code?: string | undefined },
): Promise<{ seen: Confirmed['account']; proof?: Confirmed['proof'] }> {
  const account = await confirm(ctx, given);
  if (!account.twoFactor) return { seen: account };
  if (code === undefined) throw new AppError('TWO_FACTOR_REQUIRED');
  const { proof } = await prove(ctx, { account, code, stage: 'enabled' });
  return { seen: account, proof };
}

async function prove(
  ctx: Confirming,
  { account, code, stage }: { account: Confirmed['account']; code: string; stage: Stage },
): Promise<Confirmed> {
  const typed = { account, code, stage, ip: originOf(ctx).ip };
  return { account, proof: await confirmCode(storesOf(ctx), causeOf(ctx), typed) };
}
