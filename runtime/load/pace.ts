import { setTimeout as pause } from 'node:timers/promises';

/** A rate limiter that spaces evenly: the leaky bucket that other services call a pacer. */
export interface Pace {
  /** Resolves when the next one may begin; calls are served in order. */
  turn(): Promise<void>;
}

export interface PaceOptions {
  /** Gives milliseconds. */
  now?: () => number;
  rest?: (ms: number) => Promise<unknown>;
}

/** Turns that came late, between two batches or on a busy machine, are made up for as far back as this. */
const slackMs = 500;

/** `perSecond` turns a second in all, evenly spaced; 0 is no bound. */
export function createPace(
  perSecond: number,
  { now = () => performance.now(), rest = pause }: PaceOptions = {},
): Pace {
  if (perSecond === 0) return { turn: () => Promise.resolve() };
  let next = now();
  return {
    async turn() {
      const at = Math.max(next, now() - slackMs);
      next = at + 1_000 / perSecond;
      const restMs = at - now();
      if (restMs > 0) await rest(restMs);
    },
  };
}
