import { setTimeout as pause } from 'node:timers/promises';
import type { SpareTime } from './spare-time';

/** The pace of patient starts, evenly spaced: a handful at once would hold up whoever asks beside. */
export interface StartRate {
  /** How many take about a second: as many as one claim should take. */
  inASecond(): number;
  /** What a claim has taken: one that is half full, as of delayed rows alone, shows that more waits. */
  took(count: number): void;
  /** Resolves when the next one may start; calls are served in order. */
  turn(): Promise<void>;
}

export interface StartRateOptions {
  /** Gives milliseconds. */
  now?: () => number;
  /** The share of the rate that may be taken now. */
  spare?: SpareTime;
  rest?: (ms: number) => Promise<unknown>;
}

const unbounded: StartRate = {
  inASecond: () => Number.MAX_SAFE_INTEGER,
  took: () => undefined,
  turn: () => Promise.resolve(),
};

const allOfIt: SpareTime = { share: () => 1, wantsMore: () => undefined };

/** `perSecond` 0 is no bound. */
export function createStartRate(
  perSecond: number,
  { now = () => performance.now(), spare = allOfIt, rest = pause }: StartRateOptions = {},
): StartRate {
  if (perSecond === 0) return unbounded;
  const rate = (): number => Math.min(perSecond, Math.max(1, perSecond * spare.share()));
  let next = now();
  let asked = Number.POSITIVE_INFINITY;
  let isWanted = false;
  return {
    inASecond() {
      asked = Math.floor(rate());
      return asked;
    },
    took(count) {
      isWanted = count * 2 >= asked;
      if (isWanted) spare.wantsMore();
    },
    async turn() {
      // A claim lasts long while the server is slow, and more waits behind it all the time.
      if (isWanted) spare.wantsMore();
      // What was not taken in time is not made up for.
      const at = Math.max(next, now());
      next = at + 1_000 / rate();
      if (at > now()) await rest(at - now());
    },
  };
}
