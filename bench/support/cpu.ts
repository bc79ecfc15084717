import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** User and system time of a process that has run so far, in microseconds, with its children. */
export function cpuOf(root: number): number {
  const tick = tickUs();
  const children = new Map<number, number[]>();
  const times = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const fields = /^\d+$/.test(name) ? readStat(name) : undefined;
    if (!fields) continue;
    const [pid, parent] = [Number(name), Number(fields[1])];
    children.set(parent, [...(children.get(parent) ?? []), pid]);
    // Own time and that of children that have ended, user and system each.
    times.set(
      pid,
      fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0),
    );
  }
  const sum = (pid: number): number =>
    (children.get(pid) ?? []).reduce((total, child) => total + sum(child), times.get(pid) ?? 0);
  return sum(root) * tick;
}

/** What follows the name of the command, which may hold spaces: state, parent, ... */
function readStat(pid: string): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    // It has ended meanwhile.
    return undefined;
  }
}

let cachedTick: number | undefined;

function tickUs(): number {
  cachedTick ??= 1_000_000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  return cachedTick;
}

export type CpuPerRequest<Name extends string> = Record<Name, number>;

/** Runs a load and gives what each of the processes spent on one of its requests, in microseconds. */
export async function withCpu<Name extends string, R extends { requests: number }>(
  pids: Record<Name, number>,
  run: () => Promise<R>,
): Promise<{ result: R; cpu: CpuPerRequest<Name> }> {
  const names = Object.keys(pids) as Name[];
  const before = names.map((name) => cpuOf(pids[name]));
  const result = await run();
  const spent = names.map((name, index) => [
    name,
    Math.round((cpuOf(pids[name]) - (before[index] ?? 0)) / Math.max(1, result.requests)),
  ]);
  return { result, cpu: Object.fromEntries(spent) as CpuPerRequest<Name> };
}
