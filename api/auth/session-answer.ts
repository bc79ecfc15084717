import type { Account, MerchantAccount, PartnerAccount } from '../../activities/accounts/accounts';
import type { Registered } from '../../activities/accounts/register';
import { accessTokenSeconds } from '../../runtime/crypto/access-tokens';
import type { Deps } from '../../runtime/process/deps';
import { passwordsOf } from '../http/checks/places';
import type { RequestContext } from '../http/contract/request';
import type { Origin } from '../../activities/credentials/sessions';
import { presentMerchant, presentPartnerIdentity } from './auth.dto';

/** The tokens of an opened session, as login, register and refresh answer them. */
async function sessionTokens(
  { accessTokens }: Pick<Deps, 'accessTokens'>,
  { account, sessionId, refreshToken }: Registered<Account>,
  now: Date,
) {
  const { side, id: accountId } = account;
  const merchant =
    account.side === 'merchant' ? { workspaceId: account.workspaceId, role: account.role } : {};
  const accessToken = await accessTokens.sign({ side, accountId, sessionId, ...merchant }, now);
  return {
    accessToken,
    refreshToken,
    tokenType: 'Bearer' as const,
    expiresIn: accessTokenSeconds,
  };
}

/** What signing in works with. */
export function storesOf({ db, deps: { vault } }: Pick<RequestContext, 'db' | 'deps'>) {
  return { db, vault };
}

/** The same with the caller's turns to hash: SERVICE_UNAVAILABLE while too many wait for theirs. */
export function passwordStoresOf(ctx: RequestContext) {
  return { ...storesOf(ctx), passwords: passwordsOf(ctx) };
}

/** Where a request came from. */
export function originOf(ctx: { clientIp: string; get(header: string): string }): Origin {
  return { ip: ctx.clientIp, userAgent: ctx.get('user-agent') || null };
}

export async function merchantSession(deps: Deps, opened: Registered<MerchantAccount>, now: Date) {
  return { ...(await sessionTokens(deps, opened, now)), account: presentMerchant(opened.account) };
}

export async function partnerSession(deps: Deps, opened: Registered<PartnerAccount>, now: Date) {
  const account = presentPartnerIdentity(opened.account);
  return { ...(await sessionTokens(deps, opened, now)), account };
}

/** The same for an account of either side. */
export function presentSession(
  deps: Deps,
  opened: Registered<MerchantAccount | PartnerAccount>,
  now: Date,
) {
  const { account, ...session } = opened;
  return account.side === 'merchant'
    ? merchantSession(deps, { account, ...session }, now)
    : partnerSession(deps, { account, ...session }, now);
}
