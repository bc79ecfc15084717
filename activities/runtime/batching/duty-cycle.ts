import { idleShare, readLoad, type Load } from '../process/machine-load';
import type { FairPlaces } from './fair-places';

/** How long work that can wait rests between its parts. */
export interface DutyCycle {
  /** Milliseconds of rest after a part that took so many. */
  restAfter(workMs: number): number;
}

/** With less of the machine to spare than this the rests grow, with more they shrink. */
const crowded = 0.35;
const roomy = 0.6;
const everyMs = 500;
/** When it was not asked for this long, it begins again. */
const forgottenMs = 5_000;

/** A shorter rest than this multiple of the work is none. */
const least = 0.5;

/** A part that took long is no reason to stand still for minutes. */
const longestRestMs = 1_000;

export interface DutyCycleOptions {
  /** Rests are multiples of the work: with so much it begins... */
  first: number;
  /** ...and more than this they never are. */
  most: number;
  read?: () => Load;
  now?: () => number;
}

/**
 * Rests grow while others need the machine and shrink while it has most of its time to spare, so that
 * work which can wait takes a whole core or a small share of one.
 */
export function createDutyCycle({
  first,
  most,
  read = readLoad,
  now = () => performance.now(),
}: DutyCycleOptions): DutyCycle {
  let factor = first;
  let last = read();
  let readAt = now();

  function look(): void {
    const sinceLast = now() - readAt;
    if (sinceLast < everyMs) return;
    const load = read();
    const idle = idleShare(last, load);
    if (sinceLast > forgottenMs) factor = first;
    else if (idle < crowded) factor = Math.min(most, Math.max(1, factor * 2));
    else if (idle > roomy) factor = factor > least ? factor / 2 : 0;
    last = load;
    readAt = now();
  }

  return {
    restAfter(workMs) {
      look();
      return Math.min(longestRestMs, workMs * factor);
    },
  };
}

/** Does work in a place, which stays taken for the rest that follows. */
export async function runAndRest<T>(
  { places, duty }: { places: FairPlaces; duty: DutyCycle },
  owner: string,
  work: () => Promise<T>,
): Promise<T> {
  const leave = await places.enter(owner);
  const began = performance.now();
  try {
    return await work();
  } finally {
    const restMs = duty.restAfter(performance.now() - began);
    if (restMs > 0) setTimeout(leave, restMs).unref();
    else leave();
  }
}
