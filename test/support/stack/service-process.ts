import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const root = path.join(__dirname, '../../..');
/** The time to the first answer beside five others that start on a busy machine; one that ends is told at once. */
const ANSWERS_WITHIN_MS = 180_000;

/** Compiles the service for processes of its own; quick when nothing changed. */
export function buildService(): void {
  const { status, stderr } = spawnSync(process.execPath, ['stack/build.mjs'], { cwd: root });
  if (status !== 0) throw new Error(`the build failed:\n${String(stderr)}`);
}

export interface ServiceProcess {
  isRunning(): boolean;
  /** What it logged so far. */
  output(): string;
  /** Kills it as a power cut would. */
  kill(): Promise<void>;
  /** Asks it to end. */
  stop(): Promise<void>;
}

/**
 * One process of the built service, of this checkout unless told; resolves once it answers on its
 * admin or public port.
 */
export async function startService(
  script: 'api/main.js' | 'workers/main.js',
  env: Record<string, string>,
  checkout = root,
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [path.join(checkout, 'dist', script)], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (text: Buffer) => (output += text.toString()));
  child.stderr.on('data', (text: Buffer) => (output += text.toString()));
  const path_ =
    script === 'api/main.js' ? `${env['PORT']}/api/v1/health` : `${env['ADMIN_PORT']}/metrics`;
  try {
    await untilItAnswers(`http://127.0.0.1:${path_}`, child, () => output);
  } catch (error) {
    await end(child, 'SIGKILL');
    throw error;
  }
  return {
    isRunning: () => child.exitCode === null && child.signalCode === null,
    output: () => output,
    kill: () => end(child, 'SIGKILL'),
    stop: () => end(child, 'SIGTERM'),
  };
}

async function untilItAnswers(
  url: string,
  child: ChildProcess,
  output: () => string,
): Promise<void> {
  const deadline = Date.now() + ANSWERS_WITHIN_MS;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the process ended:\n${output()}`);
    const answer = await fetch(url).catch(() => undefined);
    // Unread, it would keep the connection open after the process has died.
    await answer?.text().catch(() => undefined);
    if (answer?.ok) return;
    await pause(50);
  }
  throw new Error(`the process does not answer:\n${output()}`);
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}
