import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessName, StackInfo } from '../../../stack/supervisor/info';

const ROOT = path.join(__dirname, '../../..');
// What a developer has set for the other stack must not reach this one.
const GIVEN = ['DATABASE_URL', 'REDIS_URL', 'TEMPORAL_ADDRESS', 'SMTP_URL', 'PORT', 'ADMIN_PORT'];

export interface LocalStack {
  dir: string;
  info: () => StackInfo;
  /** What serves under the name at that moment; throws where nothing does. */
  kill: (name: ProcessName) => void;
  output: () => string;
  /** Closes the output, as when the other side of a pipe ends. */
  closeOutput: () => void;
  /** Ctrl-C or its like; answers the exit code. */
  stop: () => Promise<number | null>;
}

export function newStackDir(): string {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'affiliate-stack-'));
  chmodSync(dir, 0o711);
  return dir;
}

export function removeStackDir(dir: string): void {
  rmSync(dir, { recursive: true, force: true });
}

/** `npm start`, as a user types it, with a folder of its own; answers when info.json is written. */
export async function startLocalStack(
  dir: string,
  env: NodeJS.ProcessEnv = {},
): Promise<LocalStack> {
  const child = spawn('npm', ['start'], {
    cwd: ROOT,
    env: { ...environment(), STACK_DIR: dir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (text) => (output += String(text)));
  child.stderr.on('data', (text) => (output += String(text)));
  const file = path.join(dir, 'info.json');
  while (!existsSync(file)) {
    if (child.exitCode !== null) throw new Error(`npm start ended:\n${output}`);
    await sleep(100);
  }
  const info = (): StackInfo => JSON.parse(readFileSync(file, 'utf8')) as StackInfo;
  return {
    dir,
    info,
    kill(name) {
      const pid = info().processes[name];
      if (pid === undefined) throw new Error(`no ${name} is there to kill`);
      process.kill(pid, 'SIGKILL');
    },
    output: () => output,
    closeOutput: () => {
      child.stdout.destroy();
      child.stderr.destroy();
    },
    stop: () => stop(child),
  };
}

function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !GIVEN.includes(name));
  return { ...Object.fromEntries(kept), NODE_ENV: 'development' };
}

function stop(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null) return Promise.resolve(child.exitCode);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  child.kill('SIGTERM');
  return ended;
}
