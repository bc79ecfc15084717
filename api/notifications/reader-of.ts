import type { AccountPrincipal } from '../../activities/credentials/principals';
import { causeOf, type Cause } from '../../activities/journal/cause';
import type { Reader, ReaderContext } from '../../activities/notifications/reader';
import type { Side } from '../../entities/rules/accounts/accounts';
import type { Mode } from '../../entities/rules/values/mode';
import { hasRole, type Role } from '../../entities/rules/values/roles';
import { member, partner, type AccountAuthOptions, type Auth } from '../http/contract/credential';
import type { routesOf } from '../http/contract/route';

/** What the routes of a side are called and where they are. */
export interface SideRoutes {
  side: Side;
  path: string;
  /** The routes' builder for their group in the OpenAPI document. */
  route: ReturnType<typeof routesOf>;
  /** Ends each operationId: `listMerchantNotifications`. */
  word: 'Merchant' | 'Partner';
}

/** The credential of a side; a partner has no roles. */
export function accountOf(
  side: Side,
  role: Role,
  options: AccountAuthOptions = {},
): Auth<AccountPrincipal> {
  return side === 'merchant' ? member(role, options) : partner(options);
}

interface Reading {
  principal: AccountPrincipal;
  mode: Mode;
}

/** The reader that the signed-in account is: a member reads the workspace's feed, a partner their own. */
export function readerOf({ principal, mode }: Reading): Reader {
  const { accountId } = principal;
  if (principal.kind === 'partner') {
    return { side: 'partner', feedId: accountId, accountId, mode, isAdmin: false };
  }
  const isAdmin = hasRole(principal.role, 'admin');
  return { side: 'merchant', feedId: principal.workspaceId, accountId, mode, isAdmin };
}

/** The context of a command of this account on its feed. */
export function readerContextOf(request: Cause & Reading): ReaderContext {
  return { ...causeOf(request), reader: readerOf(request) };
}
