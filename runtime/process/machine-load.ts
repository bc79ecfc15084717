import { cpus } from 'node:os';
import { readContainerLoad } from './container-load';

/** How much time of a machine's or container's cores was spent and spare since some moment. */
export interface Load {
  busy: number;
  idle: number;
}

/** With less of the machine to spare than this, what can wait makes room for others... */
export const crowded = 0.35;
/** ...and with more than this it takes more. */
export const roomy = 0.6;

const lookEveryMs = 500;
/** After this long without a look the last one says nothing of what the work costs. */
const forgottenMs = 5_000;

export interface LoadOptions {
  /** One load for each limit of the process: the machine, the container. */
  read?: () => Load[];
  now?: () => number;
}

export interface LoadSeen {
  /** The share of time since the last look that was spare, where that was least. */
  idle: number;
  /** The last look was too long ago: the caller starts over. */
  isForgotten: boolean;
}

/** Returns what the load was since the last look; undefined where that was a moment ago. */
export function watchLoad({
  read = readLoads,
  now = () => performance.now(),
}: LoadOptions = {}): () => LoadSeen | undefined {
  let last = read();
  let readAt = now();
  return () => {
    const sinceLast = now() - readAt;
    if (sinceLast < lookEveryMs) return undefined;
    const loads = read();
    const idle = Math.min(...loads.map((load, index) => idleShare(last[index] ?? load, load)));
    last = loads;
    readAt = now();
    return { idle, isForgotten: sinceLast > forgottenMs };
  };
}

/** Of the machine, and of the container where it has a limit. */
function readLoads(): Load[] {
  const container = readContainerLoad();
  return container ? [readMachine(), container] : [readMachine()];
}

function readMachine(): Load {
  return cpus().reduce(
    ({ busy, idle }, { times }) => ({
      busy: busy + times.user + times.nice + times.sys + times.irq,
      idle: idle + times.idle,
    }),
    { busy: 0, idle: 0 },
  );
}

/** The share of the time between two looks that was spare; all of it between two at one moment. */
function idleShare(last: Load, load: Load): number {
  const idle = Math.max(0, load.idle - last.idle);
  const passed = load.busy - last.busy + idle;
  return passed > 0 ? idle / passed : 1;
}
