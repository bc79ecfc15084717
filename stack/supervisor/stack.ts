import { forgetChild, recordChild } from '../parts/children';
import type { ProcessSpec } from '../parts/process';
import { keepRunning, type Kept } from './keep';
import { rotateLog } from './log-tail';

export interface Stack {
  signal: AbortSignal;
  pids: ReadonlyMap<string, number>;
  keep: (spec: ProcessSpec) => Promise<void>;
  onStop: (stop: () => Promise<void>) => void;
  /** Called whenever a process serves again under another pid. */
  onChange: (listener: () => void) => void;
  /** Ends starts that are under way; what runs is left to stop(). */
  abort: () => void;
  stop: () => Promise<void>;
}

const SERVICES = new Set(['api', 'worker']);

/** What was started in one place, so that it can be stopped in order: services first, then their parts. */
export function createStack(stackDir: string): Stack {
  const stopping = new AbortController();
  const pids = new Map<string, number>();
  const kept: Kept[] = [];
  const starts = new Set<Promise<unknown>>();
  const stops: (() => Promise<void>)[] = [];
  const listeners: (() => void)[] = [];

  function onUp(name: string, pid: number): void {
    const isSuccessor = pids.has(name);
    pids.set(name, pid);
    if (isSuccessor) console.log(`${name} runs again (process ${pid})`);
    for (const listener of listeners) listener();
  }

  async function keep(spec: ProcessSpec): Promise<void> {
    rotateLog(spec.logFile);
    const recorded = { ...spec, onSpawn: (pid: number) => recordChild(stackDir, spec.name, pid) };
    const start = keepRunning(recorded, { signal: stopping.signal, onUp, onDown: tellEnd });
    starts.add(start);
    kept.push(await start);
  }

  async function stop(): Promise<void> {
    stopping.abort();
    await Promise.allSettled(starts);
    await stopAll(kept.filter(({ name }) => SERVICES.has(name)));
    await Promise.allSettled(stops.map((end) => end()));
    await stopAll(kept.filter(({ name }) => !SERVICES.has(name)));
  }

  async function stopAll(group: Kept[]): Promise<void> {
    await Promise.allSettled(
      group.map(async (one) => {
        await one.stop();
        forgetChild(stackDir, one.name);
      }),
    );
  }

  return {
    signal: stopping.signal,
    pids,
    keep,
    onStop: (end) => stops.push(end),
    onChange: (listener) => listeners.push(listener),
    abort: () => stopping.abort(),
    stop,
  };
}

function tellEnd(name: string, how: string): void {
  console.log(`${name} ended (${how}); it is started again`);
}
