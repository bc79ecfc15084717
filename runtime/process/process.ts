import { ConfigError } from '../config/config-error';
import type { Logger } from '../observe/logger';

/** What a process runs beside others, until it is told to stop. */
export interface Stoppable {
  /** Finishes what is in flight. */
  stop(): Promise<void>;
}

/** What runs until its signal ends it; a stop waits for it. */
export function runUntilStopped(run: (signal: AbortSignal) => Promise<void>): Stoppable {
  const stopped = new AbortController();
  const running = run(stopped.signal);
  return {
    async stop() {
      stopped.abort();
      await running;
    },
  };
}

export interface RunningProcess {
  log: Logger;
  stopTimeoutMs: number;
  /** Finishes what is in flight and closes all that is open. */
  stop(): Promise<void>;
}

/** A bad start is one sentence and exit code 1. */
export function failToStart(name: string, error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  const text = error instanceof ConfigError ? reason : `The ${name} could not start: ${reason}`;
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

/** Runs a process until SIGTERM or SIGINT. */
export async function runProcess(
  name: string,
  start: () => Promise<RunningProcess>,
): Promise<void> {
  let running: RunningProcess;
  try {
    running = await start();
  } catch (error) {
    failToStart(name, error);
  }

  const { log, stop, stopTimeoutMs } = running;
  let stopping = false;
  const end = (signal: string): void => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, `${name} stops`);
    const late = setTimeout(() => process.exit(1), stopTimeoutMs - 250);
    late.unref();
    void stop()
      .catch((error: unknown) => log.error({ err: error }, `${name} did not stop cleanly`))
      .finally(() => process.exit(0));
  };
  process.on('SIGTERM', () => end('SIGTERM'));
  process.on('SIGINT', () => end('SIGINT'));
  process.on('unhandledRejection', (error) => {
    log.error({ err: error }, 'a promise was rejected and not handled');
  });
}
