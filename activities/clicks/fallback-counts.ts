import { LRUCache } from 'lru-cache';

/** How often a key was used in its present minute, and how long that lasts. */
export interface Count {
  count: number;
  ttlMs: number;
}

/**
 * The counts of one process beside those of Redis. It goes on from the last count that Redis returned,
 * so neither an outage nor a late answer starts a minute again.
 */
export interface ClickTally {
  /** Counts one request; `told` is Redis' own count, undefined without an answer. */
  note(subject: string, told: Count | undefined): Count;
}

const mostSubjects = 50_000;
/** Clocks and latency may differ by this much before a longer time left means a new minute. */
const toleranceMs = 1_000;

export function createFallbackCounts(windowMs: number): ClickTally {
  const counts = new LRUCache<string, { count: number; until: number }>({ max: mostSubjects });

  return {
    note(subject, told) {
      const now = performance.now();
      const known = counts.get(subject);
      const left = known ? known.until - now : 0;
      const isNewMinute = !known || left <= 0 || (told && told.ttlMs > left + toleranceMs);
      if (isNewMinute) {
        const count = told ?? { count: 1, ttlMs: windowMs };
        counts.set(subject, { count: count.count, until: now + count.ttlMs });
        return count;
      }
      known.count = Math.max(known.count + 1, told?.count ?? 0);
      return { count: known.count, ttlMs: told?.ttlMs ?? left };
    },
  };
}
