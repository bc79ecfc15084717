import { LRUCache } from 'lru-cache';

/** How often a subject was counted in its present window, and how long that lasts. */
export interface Count {
  count: number;
  ttlMs: number;
}

/**
 * What is known of a request that was to be counted elsewhere: the count there; `late`, asked
 * without an answer, so that it may stand there all the same; `unasked`, it does not.
 */
type Report = Count | 'late' | 'unasked';

interface Subject {
  key: string;
  windowMs: number;
}

export type LocalCounts = ReturnType<typeof createLocalCounts>;

interface Window {
  /** The highest count that Redis gave, late ones counted on. */
  known: number;
  /** Requests that Redis was not asked about. */
  missed: number;
  until: number;
}

/** Clocks and latency may differ by this much before a longer time left means a new window. */
const toleranceMs = 1_000;

/**
 * The counts of one process beside those of Redis. It goes on from the last count that Redis gave,
 * so neither an outage nor one late answer begins a subject's window afresh.
 */
export function createLocalCounts() {
  const windows = new LRUCache<string, Window>({ max: 50_000 });

  const windowOf = ({ key, windowMs }: Subject, ttlMs: number | undefined): Window => {
    const now = performance.now();
    const present = windows.get(key);
    const left = present ? present.until - now : 0;
    if (present && left > 0 && (ttlMs ?? 0) <= left + toleranceMs) return present;
    const begun = { known: 0, missed: 0, until: now + (ttlMs ?? windowMs) };
    windows.set(key, begun);
    return begun;
  };

  return {
    note(subject: Subject, report: Report): Count {
      if (typeof report === 'object') {
        const window = windowOf(subject, report.ttlMs);
        window.known = Math.max(window.known, report.count);
        return { count: report.count + window.missed, ttlMs: report.ttlMs };
      }
      const window = windowOf(subject, undefined);
      if (report === 'late') window.known += 1;
      else window.missed += 1;
      return { count: window.known + window.missed, ttlMs: window.until - performance.now() };
    },
    /** Looks without counting; undefined when nothing is counted. */
    peek(key: string): Count | undefined {
      const window = windows.get(key);
      const ttlMs = window ? window.until - performance.now() : 0;
      return window && ttlMs > 0 ? { count: window.known + window.missed, ttlMs } : undefined;
    },
  };
}
