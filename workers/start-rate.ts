/** A token bucket of one second: how many may start now. */
export interface StartRate {
  available(): number;
  take(count: number): void;
}

/** `perSecond` 0 is no bound. `now` gives milliseconds. */
export function createStartRate(perSecond: number, now: () => number = Date.now): StartRate {
  let tokens = perSecond;
  let filledAt = now();
  return {
    available() {
      if (perSecond === 0) return Number.MAX_SAFE_INTEGER;
      const passed = (now() - filledAt) / 1_000;
      tokens = Math.min(perSecond, tokens + passed * perSecond);
      filledAt = now();
      return Math.floor(tokens);
    },
    take(count) {
      tokens -= count;
    },
  };
}
