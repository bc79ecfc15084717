/** A token bucket of one second: how many may start now. */
export interface StartRate {
  available(): number;
  take(count: number): void;
}

export interface StartRateOptions {
  /** Gives milliseconds. */
  now?: () => number;
  /** The share of the rate that may be taken now. */
  share?: () => number;
}

/** `perSecond` 0 is no bound. */
export function createStartRate(
  perSecond: number,
  { now = Date.now, share = () => 1 }: StartRateOptions = {},
): StartRate {
  let tokens = perSecond;
  let filledAt = now();
  return {
    available() {
      if (perSecond === 0) return Number.MAX_SAFE_INTEGER;
      const rate = perSecond * share();
      const passed = (now() - filledAt) / 1_000;
      tokens = Math.min(Math.max(rate, 1), tokens + passed * rate);
      filledAt = now();
      return Math.floor(tokens);
    },
    take(count) {
      tokens -= count;
    },
  };
}
