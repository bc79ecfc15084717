import { setTimeout as pause } from 'node:timers/promises';
import { isLocked } from '../../entities/database/errors';
import {
  boundedTransaction,
  isInTransaction,
  transaction,
  type Db,
  type Tx,
} from '../../entities/database/sql';
import { AppError } from '../../entities/errors';

export interface RetryPolicy {
  /** Waits before the further attempts, in milliseconds: one attempt more than waits. */
  waitsMs: Iterable<number>;
  /** Which errors are worth a further attempt; any other is thrown at once. */
  isWorthIt: (error: unknown) => boolean;
  /** Called for each failure that is followed by a further attempt. */
  onRetry?: (error: unknown, attempt: number) => void;
  /** Ends the waiting: the last error is thrown. */
  signal?: AbortSignal;
}

/** The same wait a number of times; for ever without one. */
export function waits(ms: number, times = Number.POSITIVE_INFINITY): Iterable<number> {
  return {
    *[Symbol.iterator]() {
      for (let made = 0; made < times; made += 1) yield ms;
    },
  };
}

/** These waits one after the other, the last of them for ever. */
export function rising(waitsMs: readonly number[]): Iterable<number> {
  return {
    *[Symbol.iterator]() {
      yield* waitsMs;
      for (;;) yield waitsMs.at(-1) ?? 0;
    },
  };
}

/** Does the work until it succeeds, throws an error that no retry can help, or the last one when the waits are used up. */
export async function retry<T>(
  policy: RetryPolicy,
  work: (attempt: number) => Promise<T>,
): Promise<T> {
  const left = policy.waitsMs[Symbol.iterator]();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      const { done, value: waitMs } = left.next();
      if (done || !policy.isWorthIt(error)) throw error;
      policy.onRetry?.(error, attempt);
      await waitOrAbort(waitMs, policy.signal);
      if (policy.signal?.aborted) throw error;
    }
  }
}

async function waitOrAbort(ms: number, signal?: AbortSignal): Promise<void> {
  await pause(ms, undefined, signal ? { signal } : {}).catch(() => undefined);
}

/** Between attempts nothing is held: no connection, and no place among others. */
const lockedWaitsMs = [20, 50, 100, 200, 400];
const lockedForMs = 8_000;

/**
 * The one way to wait for rows that another transaction has: the work, which waits for no lock itself
 * or not for long, is done again until they are free. SERVICE_UNAVAILABLE when they are not within some
 * seconds. Never inside an open transaction: only its owner can begin again.
 */
export async function retryWhileLocked<T>(work: () => Promise<T>): Promise<T> {
  const until = performance.now() + lockedForMs;
  const policy: RetryPolicy = {
    waitsMs: rising(lockedWaitsMs),
    isWorthIt: (error) => isLocked(error) && performance.now() <= until,
  };
  try {
    return await retry(policy, work);
  } catch (cause) {
    if (!isLocked(cause)) throw cause;
    throw new AppError('SERVICE_UNAVAILABLE', { headers: { 'Retry-After': '5' }, cause });
  }
}

/**
 * The same for work that may stand in an open transaction: there it is done once, since everything
 * before it would be lost too, and only whoever began can begin again.
 */
export function retryUnlessInTransaction<T>(db: Db, work: () => Promise<T>): Promise<T> {
  return isInTransaction(db) ? work() : retryWhileLocked(work);
}

/**
 * A transaction of one tenant, done again while what it needs is locked: it holds its connection for
 * a tenth of a second at most while it waits. Within an open one it waits as that does.
 */
export function transactionWhenFree<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  if (isInTransaction(db)) return transaction(db, work);
  return retryWhileLocked(() => boundedTransaction(db, work));
}

/** One round of work that comes round again: what is locked keeps the rest waiting no longer. */
export async function unlessLocked<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!isLocked(error)) throw error;
    return undefined;
  }
}
