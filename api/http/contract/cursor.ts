import type { Principal } from '../../../activities/credentials/principals';
import type { Place } from '../../../entities/database/list';
import { validationError } from '../../../entities/errors';
import type { BoxPlace } from '../../../runtime/crypto/vault';
import type { RequestContext } from './request';

/** What a query asks of a list beside its filters and its order. */
export interface PageFields {
  page: number;
  limit?: number;
  pageSize?: number;
  cursor?: string;
  after?: Place;
}

const ofThePage: ReadonlySet<string> = new Set<keyof PageFields>([
  ...(['page', 'limit', 'pageSize', 'cursor', 'after'] as const),
]);

/**
 * A place as clients are given it: sealed, for it may hold a name, and good for its own list alone. A list
 * that stands still has the same one each time.
 */
export function sealCursor(ctx: RequestContext, query: object, place: Place): string {
  return ctx.deps.vault.encryptAlike(JSON.stringify(place), boxOf(ctx, query));
}

/** The place that a cursor stands for. VALIDATION_ERROR for one of another list, and for a page beside it. */
export function openCursor(ctx: RequestContext, query: object & { cursor: string }): Place {
  if (ctx.query['page'] !== undefined) {
    throw validationError('page', 'must not be given together with cursor');
  }
  try {
    return JSON.parse(ctx.deps.vault.decrypt(query.cursor, boxOf(ctx, query))) as Place;
  } catch {
    throw validationError('cursor', 'belongs to another list, filter, order or mode, or to none');
  }
}

/** A list is known by its path, whose it is, the mode, its filters and its order. */
function boxOf({ path, principal, mode }: RequestContext, query: object): BoxPlace {
  const filters = Object.entries(query)
    .filter(([name, value]) => !ofThePage.has(name) && value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  // Ids in a path are the same in any case.
  return ['cursors', path.toLowerCase(), ownerOf(path, principal), mode, JSON.stringify(filters)];
}

/** What lies below /auth belongs to an account; the rest to its workspace, or to a partner. */
function ownerOf(path: string, principal: unknown): string {
  const { workspaceId, accountId } = principal as Partial<
    Record<keyof Principal | 'workspaceId' | 'accountId', string>
  >;
  const ofAccount = path.startsWith('/api/v1/auth/') ? accountId : undefined;
  return ofAccount ?? workspaceId ?? accountId ?? '';
}
