import { setTimeout as sleep } from 'node:timers/promises';
import { launch, type ProcessSpec, type RunningProcess } from '../parts/process';

export interface KeepOptions {
  /** Ends everything, also a start that is under way. */
  signal: AbortSignal;
  onUp: (name: string, pid: number) => void;
  onDown: (name: string, how: string) => void;
  firstDelayMs?: number;
}

export interface Kept {
  name: string;
  stop: () => Promise<void>;
}

const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5_000;
/** The time after which a start counts as good: whatever ends the process then would not end the next start. */
const STABLE_AFTER_MS = 5_000;

/**
 * Starts a process and starts it again whenever it ends by itself. Only the end counts: a process that is
 * frozen is left alone, since whoever froze it may be looking at it.
 */
export async function keepRunning(spec: ProcessSpec, options: KeepOptions): Promise<Kept> {
  let current = await launch(spec, options.signal);
  options.onUp(spec.name, current.pid);
  const stopping = new AbortController();
  const signal = AbortSignal.any([stopping.signal, options.signal]);

  const watching = watch();
  return { name: spec.name, stop };

  async function watch(): Promise<void> {
    let failures = 0;
    while (!stopping.signal.aborted) {
      const startedAt = Date.now();
      const how = await current.exited;
      if (signal.aborted) return;
      options.onDown(spec.name, how);
      failures = failuresThatCount(failures, Date.now() - startedAt);
      const successor = await relaunch(spec, failures, { ...options, signal });
      if (!successor) return;
      failures = successor.failures + 1;
      current = successor.process;
      options.onUp(spec.name, current.pid);
    }
  }

  async function stop(): Promise<void> {
    stopping.abort();
    await current.stop();
    await watching;
  }
}

/** The failures of earlier starts that still count: none after a start that served for long enough. */
export function failuresThatCount(failures: number, servedMs: number): number {
  return servedMs > STABLE_AFTER_MS ? 0 : failures;
}

export function delayBefore(failures: number, firstDelayMs = FIRST_DELAY_MS): number {
  return Math.min(LONGEST_DELAY_MS, firstDelayMs * 2 ** failures);
}

/** Tries until one start succeeds; nothing when the stack is stopped meanwhile. */
async function relaunch(
  spec: ProcessSpec,
  firstFailures: number,
  { signal, onDown, firstDelayMs }: KeepOptions,
): Promise<{ process: RunningProcess; failures: number } | undefined> {
  for (let failures = firstFailures; !signal.aborted; failures += 1) {
    await sleep(delayBefore(failures, firstDelayMs), undefined, { signal }).catch(() => undefined);
    try {
      return { process: await launch(spec, signal), failures };
    } catch (error) {
      if (!signal.aborted) onDown(spec.name, (error as Error).message);
    }
  }
  return undefined;
}
