import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * When a process started, as the kernel reports it. A pid alone is no identity: it is given out again, and
 * killing a recorded pid after a reboot must never hit a stranger.
 */
export function startOf(pid: number): string | undefined {
  try {
    return process.platform === 'linux' ? startFromProc(pid) : startFromPs(pid);
  } catch {
    return undefined;
  }
}

/** Whether a process runs. On Linux one that ended and waits for its parent (a zombie) does not. */
export function isAlive(pid: number): boolean {
  return startOf(pid) !== undefined;
}

export function isSameProcess(pid: number, start: string | undefined): boolean {
  return isAlive(pid) && startOf(pid) === start;
}

function startFromProc(pid: number): string | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The command's name is in brackets and may hold spaces: fields are counted behind the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const isZombie = fields[0] === 'Z';
  return isZombie ? undefined : fields[19];
}

function startFromPs(pid: number): string {
  return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
}
