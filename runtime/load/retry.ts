import { setTimeout as pause } from 'node:timers/promises';

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
