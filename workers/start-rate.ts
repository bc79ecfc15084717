import { setTimeout as pause } from 'node:timers/promises';

/** The pace of patient starts, evenly spaced: a handful at once would hold up whoever asks beside. */
export interface StartRate {
  /** How many take about a second: as many as one claim should take. */
  inASecond(): number;
  /** Resolves when the next one may start; calls are served in order. */
  turn(): Promise<void>;
}

export interface StartRateOptions {
  /** Gives milliseconds. */
  now?: () => number;
  /** The share of the rate that may be taken now. */
  share?: () => number;
  rest?: (ms: number) => Promise<unknown>;
}

const unbounded: StartRate = {
  inASecond: () => Number.MAX_SAFE_INTEGER,
  turn: () => Promise.resolve(),
};

/** `perSecond` 0 is no bound. */
export function createStartRate(
  perSecond: number,
  { now = Date.now, share = () => 1, rest = pause }: StartRateOptions = {},
): StartRate {
  if (perSecond === 0) return unbounded;
  let next = now();
  return {
    inASecond: () => Math.max(1, Math.floor(perSecond * share())),
    async turn() {
      // What was not taken in time is not made up for.
      const at = Math.max(next, now());
      next = at + 1_000 / (perSecond * share());
      if (at > now()) await rest(at - now());
    },
  };
}
