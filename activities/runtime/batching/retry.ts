import { setTimeout as pause } from 'node:timers/promises';

export interface RetryPolicy {
  /** Waits before the further attempts, in milliseconds: one attempt more than waits. */
  waitsMs: readonly number[];
  /** Which errors are worth a further attempt; any other is thrown at once. */
  isWorthIt: (error: unknown) => boolean;
}

/** Does the work until it succeeds, throws what no retry mends, or the policy's waits are over. */
export async function retry<T>(
  policy: RetryPolicy,
  work: (attempt: number) => Promise<T>,
): Promise<T> {
  for (const [index, waitMs] of [...policy.waitsMs, null].entries()) {
    try {
      return await work(index + 1);
    } catch (error) {
      if (waitMs === null || !policy.isWorthIt(error)) throw error;
      await pause(waitMs);
    }
  }
  throw new Error('unreachable: the last attempt returns or throws');
}
