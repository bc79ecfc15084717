import type { Account } from '../../activities/accounts/accounts';
import type { Registered } from '../../activities/accounts/register';
import { accessTokenSeconds } from '../../runtime/crypto/access-tokens';
import type { Deps } from '../../runtime/process/deps';
import { passwordsOf } from '../http/checks/places';
import type { RequestContext } from '../http/contract/request';
import type { Origin } from '../../activities/credentials/sessions';
import { presentAccount, type NewKeyDto } from './auth.dto';
import { setSessionCookie, type SessionChoice } from './session-cookie';

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

/** The stores that signing in works with. */
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

/**
 * Answers an opened session: its tokens and its account, and what else belongs to the answer. The
 * refresh token goes into a cookie or into the body, as the client has asked.
 */
export async function answerSession(
  ctx: RequestContext,
  { account, ...session }: Registered<Account>,
  { inCookie, ...more }: SessionChoice & { apiKeys?: NewKeyDto[] },
): Promise<void> {
  const { refreshToken, ...tokens } = await sessionTokens(
    ctx.deps,
    { account, ...session },
    ctx.now,
  );
  if (inCookie) setSessionCookie(ctx, account.side, refreshToken);
  ctx.body = {
    ...tokens,
    ...(inCookie ? {} : { refreshToken }),
    account: presentAccount(account),
    ...more,
  };
}
