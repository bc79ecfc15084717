import { isLocked } from '../../entities/database/errors';
import { isInTransaction, type Db } from '../../entities/database/sql';
import { AppError } from '../../entities/errors';
import { rest } from './rest';

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
      await rest(waitMs, policy.signal);
      if (policy.signal?.aborted) throw error;
    }
  }
}

/** Soon at first, since most locks are over within milliseconds; never a storm. */
const stepsMs = [20, 50, 100, 200, 400];

function* steps(): Generator<number> {
  yield* stepsMs;
  for (;;) yield stepsMs.at(-1) ?? 0;
}

export interface RetryTime extends Partial<Omit<RetryPolicy, 'waitsMs'>> {
  /** An error after this many milliseconds is thrown. */
  forMs: number;
}

/**
 * The one pace at which a process tries again what is locked, or away for a moment: 20 to 400 ms apart.
 * How long depends on who waits. Between attempts nothing is held: no connection, and no place.
 */
export function retryFor<T>(
  { forMs, isWorthIt = () => true, ...policy }: RetryTime,
  work: () => Promise<T>,
): Promise<T> {
  const until = performance.now() + forMs;
  const inTime = (error: unknown): boolean => isWorthIt(error) && performance.now() <= until;
  return retry({ ...policy, waitsMs: steps(), isWorthIt: inTime }, work);
}

/**
 * The one way in which a command waits for rows that another transaction has: the work, which waits for
 * no lock itself or not for long, is done again until they are free. SERVICE_UNAVAILABLE when they are
 * not within some seconds. In an open transaction it is done once: everything before it would be lost
 * too, and only whoever began can begin again.
 */
export async function retryWhileLocked<T>(db: Db, work: () => Promise<T>): Promise<T> {
  if (isInTransaction(db)) return work();
  try {
    // Eight seconds are as long as somebody waits for the answer.
    return await retryFor({ forMs: 8_000, isWorthIt: isLocked }, work);
  } catch (cause) {
    if (!isLocked(cause)) throw cause;
    throw new AppError('SERVICE_UNAVAILABLE', { headers: { 'Retry-After': '5' }, cause });
  }
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
