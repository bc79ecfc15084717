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
export interface FallbackCounts {
  /** Counts one request; `reported` is Redis' own count, undefined without an answer. */
  note(subject: string, reported: Count | undefined): Count;
}

const mostSubjects = 50_000;
/** Clocks and latency may differ by this much before a longer time left means a new minute. */
const toleranceMs = 1_000;

export function createFallbackCounts(windowMs: number): FallbackCounts {
  const counts = new LRUCache<string, { count: number; until: number }>({ max: mostSubjects });

  return {
    note(subject, reported) {
      const now = performance.now();
      const known = counts.get(subject);
      const left = known ? known.until - now : 0;
      if (!known || isNewMinute(left, reported)) {
        const count = reported ?? { count: 1, ttlMs: windowMs };
        counts.set(subject, { count: count.count, until: now + count.ttlMs });
        return count;
      }
      known.count = Math.max(known.count + 1, reported?.count ?? 0);
      return { count: known.count, ttlMs: reported?.ttlMs ?? left };
    },
  };
}

function isNewMinute(leftMs: number, reported: Count | undefined): boolean {
  return leftMs <= 0 || (reported !== undefined && reported.ttlMs > leftMs + toleranceMs);
}
