import { crowded, watchLoad, type LoadOptions } from '../../runtime/process/machine-load';

const step = 0.05;
/**
 * With more of the machine to spare than this it takes more. Temporal's store writes one transaction
 * after the other: on two cores those who wait for it notice before the cores are busy.
 */
const roomy = 0.7;
/** For this long after a claim that was half full, more is taken to wait. */
const wantedMs = 3_000;

/** How little of its rate a kind of patient work may take, and for how long. */
export interface Patience {
  leastShare: number;
  /** Of a backlog that has not ended for this long the least is all of the rate. */
  patienceMs: number;
}

/**
 * Holds are days. Of the usual 50 a second the least is 300 commissions a minute, at little cost to
 * other work.
 */
const ofLifecycles: Patience = { leastShare: 0.1, patienceMs: 4 * 3_600_000 };

/**
 * Receivers time out together. Two starts a second hardly show; an outage of thousands of receivers
 * has the whole rate within a minute, and within seconds on a machine with time to spare.
 */
export const ofRetries: Patience = { leastShare: 0.04, patienceMs: 60_000 };

export interface SpareTimeOptions extends LoadOptions {
  patience?: Patience;
}

export interface SpareTime {
  /** The share of its rate that patient work may take now. */
  share(): number;
  /** More of it waits than its share takes. */
  wantsMore(): void;
}

/**
 * The share that patient work takes of what the machine has to spare. It begins with the least,
 * because nothing shows beforehand what a burst will cost; it grows step by step for as long as there
 * is more to do and room for it, and shrinks while there is no room. The least rises while a backlog
 * lasts, or a machine that is always busy would starve it.
 */
export function watchSpareTime({
  patience: { leastShare, patienceMs } = ofLifecycles,
  now = () => performance.now(),
  ...load
}: SpareTimeOptions = {}): SpareTime {
  const look = watchLoad({ ...load, now });
  let share = leastShare;
  let wantedUntil = Number.NEGATIVE_INFINITY;
  let wantedSince: number | undefined;

  function next(idle: number): number {
    if (idle < crowded) return share / 2;
    if (wantedSince === undefined) return share - step;
    return idle > roomy ? share + step : share;
  }

  function least(): number {
    if (wantedSince === undefined) return leastShare;
    return leastShare + (1 - leastShare) * ((now() - wantedSince) / patienceMs);
  }

  return {
    share() {
      const seen = look();
      if (!seen) return share;
      wantedSince = now() <= wantedUntil ? (wantedSince ?? now()) : undefined;
      share = seen.isForgotten ? leastShare : Math.min(1, Math.max(least(), next(seen.idle)));
      return share;
    },
    wantsMore() {
      wantedUntil = now() + wantedMs;
    },
  };
}
