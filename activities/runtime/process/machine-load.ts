import { cpus } from 'node:os';

/** How much of the machine's time was spent and spare, of all its cores and since it started. */
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

/** The share of the time between two looks that was spare; all of it between two at one moment. */
export function idleShare(last: Load, load: Load): number {
  const idle = load.idle - last.idle;
  const passed = load.busy - last.busy + idle;
  return passed > 0 ? idle / passed : 1;
}
