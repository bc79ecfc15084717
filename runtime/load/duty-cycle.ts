import {
  crowded,
  roomy,
  watchLoad,
  type LoadOptions,
  type LoadSeen,
} from '../process/machine-load';
import type { FairPlaces } from './fair-places';

/** How long work that can wait rests between its parts. */
export interface DutyCycle {
  /** Milliseconds of rest after a part that took so many. */
  restAfter(workMs: number): number;
}

/** A shorter rest than this multiple of the work is none. */
const least = 0.5;

export interface DutyCycleOptions extends LoadOptions {
  /** The largest multiple of the work that it rests for. It begins with that. */
  most: number;
  /** The longest rest in milliseconds, however long the work took. */
  longestMs: number;
}

/**
 * Rests are longest at first, since nothing shows before what the work will cost. They shrink while
 * the machine has most of its time to spare and grow again while others need it: work that can wait
 * takes a whole core or a small share of one.
 */
export function createDutyCycle({ most, longestMs, ...load }: DutyCycleOptions): DutyCycle {
  const look = watchLoad(load);
  let factor = most;

  function adapt({ idle, isForgotten }: LoadSeen): void {
    if (isForgotten) factor = most;
    else if (idle < crowded) factor = Math.min(most, Math.max(1, factor * 2));
    else if (idle > roomy) factor = factor > least ? factor / 2 : 0;
  }

  return {
    restAfter(workMs) {
      const seen = look();
      if (seen) adapt(seen);
      return Math.min(longestMs, workMs * factor);
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
