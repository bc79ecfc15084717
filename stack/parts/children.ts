import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isSameProcess, startOf } from './identity';
import { killGroup } from './process';

const FOLDER = 'pids';

/** Writes down that a child runs, so that a later start can end it when its supervisor was killed. */
export function recordChild(stackDir: string, name: string, pid: number): void {
  const folder = path.join(stackDir, FOLDER);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, name), `${pid} ${startOf(pid)}`);
}

export function forgetChild(stackDir: string, name: string): void {
  rmSync(path.join(stackDir, FOLDER, name), { force: true });
}

/** Ends what an earlier supervisor left running, gently first, and answers the names. */
export async function endLeftovers(stackDir: string): Promise<string[]> {
  const left = readChildren(stackDir).filter((child) => isSameProcess(child.pid, child.start));
  // Postgres reads SIGINT as "stop now, cleanly"; to the others it is as good as SIGTERM.
  for (const { pid } of left) tryKill(pid, 'SIGINT');
  await untilGone(left, 8_000);
  for (const child of left) {
    if (isSameProcess(child.pid, child.start)) killGroup(child.pid);
  }
  await untilGone(left, 2_000);
  rmSync(path.join(stackDir, FOLDER), { recursive: true, force: true });
  return left.map((child) => child.name);
}

interface RecordedChild {
  name: string;
  pid: number;
  start: string | undefined;
}

function readChildren(stackDir: string): RecordedChild[] {
  const folder = path.join(stackDir, FOLDER);
  return namesIn(folder).map((name) => {
    const [pid, start] = readFileSync(path.join(folder, name), 'utf8').split(' ');
    return { name, pid: Number(pid), start };
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

async function untilGone(children: readonly RecordedChild[], timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    if (!children.some((child) => isSameProcess(child.pid, child.start))) return;
    await sleep(50);
  }
}

function tryKill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended meanwhile.
  }
}
