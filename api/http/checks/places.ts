import type { Database } from '../../../entities/database/database';
import type { Db } from '../../../entities/database/sql';
import { networkOf, siteOf } from '../../../entities/rules/values/network';
import type { Principal } from '../../../activities/credentials/principals';
import type { Passwords } from '../../../runtime/crypto/passwords';
import { AppError } from '../../../entities/errors';
import { KeyedSemaphore, unavailable } from '../../../runtime/load/keyed-semaphore';
import type { Auth } from '../contract/credential';
import type { RequestContext } from '../contract/request';

/** Connections that requests leave to what all of them share: sessions, keys, shared commits. */
const sharedConnections = 3;

/**
 * Places at the database for requests. One caller holds only some of them, so that however long its
 * statements take or wait, another's find a connection.
 */
export function createDatabasePlaces(poolSize: number): KeyedSemaphore {
  const permits = Math.max(1, poolSize - sharedConnections);
  return new KeyedSemaphore({
    permits,
    permitsPerKey: Math.max(1, Math.floor(permits * 0.3)),
    maxWaitingPerKey: 200,
    maxWaitMs: 10_000,
  });
}

/**
 * Places for files of megabytes, which are whole in memory, and more than once while they are read: some of all
 * callers, and one of each. Who has none yet waits with the bytes still on the way.
 */
export function createUploadPlaces(): KeyedSemaphore {
  return new KeyedSemaphore({
    permits: 8,
    permitsPerKey: 1,
    maxWaitingPerKey: 8,
    maxWaitMs: 10_000,
    refusal: ({ isBusy }) => (isBusy ? busyUploading() : unavailable()),
  });
}

/** The caller's own file is still being read. */
function busyUploading(): Error {
  return new AppError('RATE_LIMIT_EXCEEDED', {
    message: 'A file of this workspace is being read. Wait for its end.',
    headers: { 'Retry-After': '5' },
  });
}

/**
 * The database as one caller has it: each connection that a statement or a transaction borrows has a
 * place of the caller's, for as long as it is borrowed. What waits for anything else holds none.
 */
export function databaseOf(db: Database, places: KeyedSemaphore, caller: string): Db {
  return db.behind(() => places.acquire(caller));
}

/** The caller to whom a request's work counts: its workspace, its account, else its network. */
export function callerOf(ctx: RequestContext, { addressZone }: Pick<Auth<unknown>, 'addressZone'>) {
  const principal = ctx.principal as Principal | undefined;
  if (principal) return holderOf(principal);
  // A processor's events come from few addresses: their path names whose they are.
  return addressZone ? networkOf(ctx.clientIp) : ctx.path;
}

function holderOf(principal: Principal): string {
  return 'workspaceId' in principal ? principal.workspaceId : principal.accountId;
}

/** The caller's turns to hash a password. SERVICE_UNAVAILABLE at once while too many wait. */
export function passwordsOf(ctx: RequestContext): Passwords {
  const principal = ctx.principal as Principal | undefined;
  return ctx.services.passwords.of(principal ? holderOf(principal) : siteOf(ctx.clientIp));
}
