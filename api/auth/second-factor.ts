import { findAccount } from '../../activities/accounts/accounts';
import { confirmCode } from '../../activities/accounts/two-factor/codes';
import type { Confirmed } from '../../activities/accounts/two-factor/changes';
import { causeOf } from '../../activities/journal/cause';
import { AppError } from '../../entities/errors';
import { readCode } from '../../entities/rules/accounts/two-factor';
import type { MerchantPrincipal } from '../../activities/credentials/principals';
import type { RequestContext } from '../http/contract/request';
import { originOf, storesOf } from './session-answer';

type Asking = RequestContext & { principal: MerchantPrincipal };

/** What a member confirms by a code of their app: what moves money, and who may. */
export const factorErrors = [
  'TWO_FACTOR_SETUP_REQUIRED',
  'TWO_FACTOR_REQUIRED',
  'TWO_FACTOR_INVALID',
] as const;

/** The member who asks, with a second factor. TWO_FACTOR_SETUP_REQUIRED for one without. */
export async function requireFactor(ctx: Asking): Promise<Confirmed['account']> {
  const account = await findAccount(ctx.db, 'merchant', { id: ctx.principal.accountId });
  if (!account) throw new AppError('UNAUTHORIZED');
  if (account.twoFactor) return account;
  throw new AppError('TWO_FACTOR_SETUP_REQUIRED', {
    message: 'This takes a code of your second factor: set one up for your account.',
  });
}

/**
 * A code of the member's app, checked and not yet spent: it counts for what it confirms alone. A recovery code
 * is none. TWO_FACTOR_REQUIRED, TWO_FACTOR_INVALID, RATE_LIMIT_EXCEEDED.
 */
export async function confirmByCode(
  ctx: Asking,
  account: Confirmed['account'],
  code: string | undefined,
): Promise<Confirmed> {
  if (code === undefined) throw new AppError('TWO_FACTOR_REQUIRED');
  if (readCode(code).kind === 'recovery') throw new AppError('TWO_FACTOR_INVALID');
  const typed = { account, code, stage: 'enabled', ip: originOf(ctx).ip } as const;
  return { account, proof: await confirmCode(storesOf(ctx), causeOf(ctx), typed) };
}
