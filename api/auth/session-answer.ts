import type { Account, Registered } from '../../activities/accounts.activities';
import { accessTokenSeconds } from '../../activities/runtime/access-tokens';
import type { Deps } from '../../activities/runtime/deps';
import type { Origin } from '../../activities/sessions.activities';

/** The tokens of an opened session, as login, register and refresh answer them. */
export async function sessionTokens(
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

/** Where a request came from. */
export function originOf(ctx: { clientIp: string; get(header: string): string }): Origin {
  return { ip: ctx.clientIp, userAgent: ctx.get('user-agent') || null };
}
