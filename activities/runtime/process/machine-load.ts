import { cpus } from 'node:os';

/** How much of the machine's time was spent and spare, of all its cores and since it started. */
export interface Load {
  busy: number;
  idle: number;
}

/** With less of the machine to spare than this, what can wait makes room for others... */
export const crowded = 0.35;
/** ...and with more than this it takes more. */
export const roomy = 0.6;

/** How often that is looked at. */
export const lookEveryMs = 500;
/** What was not asked for this long begins again. */
export const forgottenMs = 5_000;

export function readLoad(): Load {
  return cpus().reduce(
    ({ busy, idle }, { times }) => ({
      busy: busy + times.user + times.nice + times.sys + times.irq,
      idle: idle + times.idle,
    }),
    { busy: 0, idle: 0 },
  );
}

/** The share of the time between two looks that was spare; all of it between two at one moment. */
export function idleShare(last: Load, load: Load): number {
  const idle = load.idle - last.idle;
  const passed = load.busy - last.busy + idle;
  return passed > 0 ? idle / passed : 1;
}
