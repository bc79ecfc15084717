import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ProcessOwner {
  uid: number;
  gid: number;
}

/** Everything that is needed to start a part, to know that it serves, and to stop it. */
export interface ProcessSpec {
  name: string;
  command: string;
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  owner?: ProcessOwner;
  logFile: string;
  isReady: (pid: number) => Promise<boolean>;
  readyTimeoutMs?: number;
  stopSignal?: NodeJS.Signals;
  stopTimeoutMs?: number;
  onSpawn?: (pid: number) => void;
  /** True for a part in the group of the process that starts it: a signal to that group goes to it too. */
  inGroupOfParent?: boolean;
}

export interface RunningProcess {
  pid: number;
  /** Resolves with a few words on how it ended. */
  exited: Promise<string>;
  stop: () => Promise<void>;
}

const READY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 10_000;
const READY_POLL_MS = 25;

/** Starts a process and answers when it serves; what does not become ready, or is not to, is stopped. */
export async function launch(spec: ProcessSpec, signal?: AbortSignal): Promise<RunningProcess> {
  signal?.throwIfAborted();
  const child = spawnLogged(spec);
  const exited = exitOf(child);
  const { pid } = child;
  if (pid === undefined) throw new Error(`${spec.name} did not start: ${await exited}`);
  spec.onSpawn?.(pid);

  const stop = (): Promise<void> => stopProcess(spec, pid, exited);
  const failure = await failureToStart(spec, { pid, exited }, signal);
  if (failure === undefined) return { pid, exited, stop };
  await stop();
  throw new Error(`${spec.name} did not start: ${failure}.\n${lastLines(spec.logFile)}`);
}

/** The group's leader is the part itself, so what it may have started goes with it. */
export function killGroup(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // Nothing is left of it.
  }
}

function spawnLogged(spec: ProcessSpec): ChildProcess {
  mkdirSync(path.dirname(spec.logFile), { recursive: true });
  // A file, not a pipe: a part that outlives its supervisor must not die of a broken pipe.
  const log = openSync(spec.logFile, 'a', 0o600);
  try {
    return spawn(spec.command, spec.args, {
      ...(spec.cwd && { cwd: spec.cwd }),
      ...spec.owner,
      env: spec.env ?? process.env,
      // Its own group: Ctrl-C in the terminal reaches the supervisor alone, which stops parts in order.
      detached: spec.inGroupOfParent !== true,
      stdio: ['ignore', log, log],
    });
  } finally {
    closeSync(log);
  }
}

function exitOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
}

/** Answers undefined when the process serves, else a few words. */
async function failureToStart(
  spec: ProcessSpec,
  { pid, exited }: { pid: number; exited: Promise<string> },
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  let how: string | undefined;
  void exited.then((outcome) => {
    how = `it ended (${outcome})`;
  });
  const deadline = Date.now() + (spec.readyTimeoutMs ?? READY_TIMEOUT_MS);
  while (Date.now() < deadline) {
    if (signal?.aborted) return 'the stack is stopping';
    if (how !== undefined) return how;
    if (await spec.isReady(pid)) return how;
    await sleep(READY_POLL_MS);
  }
  return 'it did not answer in time';
}

async function stopProcess(spec: ProcessSpec, pid: number, exited: Promise<string>): Promise<void> {
  signalProcess(pid, spec.stopSignal ?? 'SIGTERM');
  const timeout = new AbortController();
  const late = sleep(spec.stopTimeoutMs ?? STOP_TIMEOUT_MS, undefined, timeout);
  await Promise.race([exited, late.catch(() => undefined)]);
  timeout.abort();
  // One in another's group leads none.
  if (spec.inGroupOfParent) signalProcess(pid, 'SIGKILL');
  else killGroup(pid);
  await exited;
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself.
  }
}

function lastLines(file: string): string {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-8).join('\n');
  } catch {
    return '';
  }
}
