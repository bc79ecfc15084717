import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isSameProcess, startOf } from '../parts/identity';

/** One supervisor per stack folder; the lock of one that was killed is taken over. */
export function takeLock(stackDir: string): () => void {
  mkdirSync(stackDir, { recursive: true });
  const file = path.join(stackDir, 'supervisor.pid');
  const holder = readHolder(file);
  if (holder && isSameProcess(holder.pid, holder.start)) {
    throw new Error(
      `This stack runs already (process ${holder.pid}). Stop it first, or set STACK_DIR to another folder.`,
    );
  }
  writeFileSync(file, `${process.pid} ${startOf(process.pid)}`);
  return () => rmSync(file, { force: true });
}

function readHolder(file: string): { pid: number; start: string | undefined } | undefined {
  try {
    const [pid, start] = readFileSync(file, 'utf8').split(' ');
    return { pid: Number(pid), start };
  } catch {
    return undefined;
  }
}
