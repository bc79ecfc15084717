import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * What the container has used of what it may use, in microseconds; undefined without a limit. A
 * container's processes see the processors of its host, most of which may be idle while it has
 * nothing left.
 */
export function readContainerLoad(
  group = '/sys/fs/cgroup',
  now = performance.now(),
): { busy: number; idle: number } | undefined {
  const [quota, period] = wordsOf(group, 'cpu.max').map(Number);
  const usage = Number(/usage_usec (\d+)/.exec(wordsOf(group, 'cpu.stat').join(' '))?.[1]);
  // Without a limit the quota is the word `max`.
  if (!quota || !period || Number.isNaN(usage)) return undefined;
  const allowed = (now * 1_000 * quota) / period;
  return { busy: usage, idle: allowed - usage };
}

/** None where there is no such file: version 1 of control groups, and other systems than Linux. */
function wordsOf(group: string, file: string): string[] {
  try {
    return readFileSync(path.join(group, file), 'utf8').split(/\s+/);
  } catch {
    return [];
  }
}
