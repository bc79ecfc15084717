import { cpus } from 'node:os';

/** How much of the machine's time was spent and spare since it was asked last. */
export interface Load {
  busy: number;
  idle: number;
}

export function readLoad(): Load {
  return cpus().reduce(
    ({ busy, idle }, { times }) => ({
      busy: busy + times.user + times.nice + times.sys + times.irq,
      idle: idle + times.idle,
    }),
    { busy: 0, idle: 0 },
  );
}

/** With less of the machine to spare than this, patient work makes room. */
const crowded = 0.35;
const roomy = 0.6;
/** Of the usual 50 a second: some 500 commissions a minute, at little cost to other work. */
const leastShare = 0.2;
/** Of a backlog that has not ended for this long the least is all of the rate. */
const patienceMs = 4 * 3_600_000;
const everyMs = 500;
const step = 0.05;
/** For this long after a claim that was half full, more is taken to wait. */
const wantedMs = 3_000;
/** When it was not asked for this long, the share begins again with the least. */
const forgottenMs = 5_000;

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
export function watchSpareTime(read = readLoad, now = () => performance.now()): SpareTime {
  let share = leastShare;
  let wantedUntil = Number.NEGATIVE_INFINITY;
  let wantedSince: number | undefined;
  let last = read();
  let readAt = now();

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
      const sinceLast = now() - readAt;
      if (sinceLast < everyMs) return share;
      const load = read();
      const passed = load.busy - last.busy + load.idle - last.idle;
      const idle = passed > 0 ? (load.idle - last.idle) / passed : 1;
      const isForgotten = sinceLast > forgottenMs;
      wantedSince = now() <= wantedUntil ? (wantedSince ?? now()) : undefined;
      share = isForgotten ? leastShare : Math.min(1, Math.max(least(), next(idle)));
      last = load;
      readAt = now();
      return share;
    },
    wantsMore() {
      wantedUntil = now() + wantedMs;
    },
  };
}
