import { createDutyCycle, runAndRest, type DutyCycle } from '../../../runtime/load/duty-cycle';
import { createFairPlaces, type FairPlaces } from '../../../runtime/load/fair-places';
import type { Principal } from '../../../activities/credentials/principals';
import type { Passwords } from '../../../runtime/crypto/passwords';
import { hasWaitedForLock } from '../../../entities/database/errors';
import { networkOf, siteOf } from '../../../entities/rules/values/network';
import type { Auth } from '../contract/credential';
import type { RequestContext } from '../contract/request';

/** Connections that requests leave to what all of them share: sessions, keys, shared commits. */
const keptFree = 3;
const ownShare = 0.4;
/** So that it takes more callers than two to keep others waiting. */
const forNewcomers = 1;
/** An attacker may lock rows in many workspaces: those that ran into a lock time-out leave places to others. */
const heldUp = { isShownBy: hasWaitedForLock, forMs: 15_000, forOthers: 2 };

/**
 * Places for requests that hold a connection of the pool. One caller holds only some of them, so
 * that however long its statements take or wait, another's find a connection.
 */
export function createDatabasePlaces(poolSize: number): FairPlaces {
  return createFairPlaces({
    places: Math.max(1, poolSize - keptFree),
    perOwner: Math.max(1, Math.floor(poolSize * ownShare)),
    forNewcomers,
    heldUp,
    waitingPerOwner: 200,
    waitingInAll: 2_000,
    patienceMs: 10_000,
  });
}

/** Places of requests that change thousands of rows at once, and rest afterwards. */
export interface LargeWork {
  places: FairPlaces;
  duty: DutyCycle;
}

export function createLargeWork(): LargeWork {
  return {
    places: createFairPlaces({
      places: 3,
      perOwner: 1,
      waitingPerOwner: 20,
      waitingInAll: 200,
      patienceMs: 20_000,
    }),
    duty: createDutyCycle({ most: 2, longestMs: 2_000 }),
  };
}

/** Runs what holds a connection in a place of its owner; during a rest that place is free. */
export function placeFor(
  { services: { places, largeWork } }: Pick<RequestContext, 'services'>,
  owner: string,
  { isLarge = false }: { isLarge?: boolean },
): <T>(work: () => Promise<T>) => Promise<T> {
  if (!isLarge) return (work) => places.run(owner, work);
  return (work) => runAndRest(largeWork, owner, () => places.run(owner, work));
}

/** Whose work a request is: the workspace's, the account's, else the address's. */
export function placeOwner(ctx: RequestContext, auth: Auth<unknown>): string | undefined {
  if (ctx.principal || auth.addressZone) return callerOf(ctx);
  // A processor's events come from few addresses: their path names whose they are.
  return ctx.method === 'POST' ? ctx.path : undefined;
}

/** A part of a request that has no place of its own, in the caller's. */
export function inPlaceOf<T>(ctx: RequestContext, work: () => Promise<T>): Promise<T> {
  return ctx.services.places.run(callerOf(ctx), work);
}

function callerOf(ctx: RequestContext): string {
  const principal = ctx.principal as Principal | undefined;
  if (!principal) return networkOf(ctx.clientIp);
  return 'workspaceId' in principal ? principal.workspaceId : principal.accountId;
}

/**
 * Work that hashes passwords, in the caller's place, which others have while a hash is waited for.
 * Not for a handler that has a place already. SERVICE_UNAVAILABLE at once while too many wait.
 */
export function withPasswords<T>(
  ctx: RequestContext,
  work: (passwords: Passwords) => Promise<T>,
): Promise<T> {
  const { places, passwords } = ctx.services;
  const hasher = ctx.principal ? callerOf(ctx) : siteOf(ctx.clientIp);
  passwords.assertRoom(hasher);
  const { hash, verify } = passwords.of(hasher);
  return places.run(callerOf(ctx), (outside) =>
    work({
      hash: (password) => outside(() => hash(password)),
      verify: (passwordHash, password) => outside(() => verify(passwordHash, password)),
    }),
  );
}
