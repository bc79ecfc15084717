import { performance } from 'node:perf_hooks';

/** From this age on an attempt waits for a slow receiver and takes no place. */
const youngMs = 1_000;

/** No more at the same time, hanging ones included: each holds a socket and some memory. */
const maxInAll = 4_096;

/** What is under way in this process, by age. */
export interface InFlight {
  enter(): symbol;
  leave(place: symbol): void;
  /** How many are young; with too many hanging, all count. */
  young(): number;
  /** Resolves when nothing is under way. */
  empty(): Promise<void>;
}

export function createInFlight(): InFlight {
  const startedAt = new Map<symbol, number>();
  let waiting: (() => void)[] = [];

  return {
    enter() {
      const place = Symbol('attempt');
      startedAt.set(place, performance.now());
      return place;
    },
    leave(place) {
      startedAt.delete(place);
      if (startedAt.size > 0) return;
      waiting.forEach((resolve) => resolve());
      waiting = [];
    },
    young() {
      if (startedAt.size >= maxInAll) return startedAt.size;
      const since = performance.now() - youngMs;
      let count = 0;
      for (const at of startedAt.values()) if (at > since) count += 1;
      return count;
    },
    empty: () =>
      startedAt.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve)),
  };
}
