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
const crowded = 0.15;
const roomy = 0.3;
const leastShare = 0.1;
const everyMs = 500;

/**
 * The share of its rate that patient work may take now: it shrinks while the machine has no time to
 * spare and grows back after. Never to nothing, or a machine that is always busy would starve it.
 */
export function createYield(read = readLoad, now: () => number = Date.now): () => number {
  let share = 1;
  let last = read();
  let readAt = now();
  return () => {
    if (now() - readAt < everyMs) return share;
    const load = read();
    const passed = load.busy - last.busy + load.idle - last.idle;
    const idle = passed > 0 ? (load.idle - last.idle) / passed : 1;
    last = load;
    readAt = now();
    if (idle < crowded) share = Math.max(leastShare, share / 2);
    else if (idle > roomy) share = Math.min(1, share + 0.1);
    return share;
  };
}
