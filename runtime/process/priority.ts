import { writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const attempts = 10;
/** Linux takes one change in this time of whoever is not its administrator. */
const pauseMs = 110;

/**
 * Gives a process, and what it starts, a niceness of 0 to 19. With autogroups Linux shares the cores
 * among sessions first and compares niceness only within one: the session of the process needs the
 * niceness too, or it takes as much as any other.
 */
export async function yieldToOthers(pid: number, niceness: number): Promise<void> {
  try {
    // Whoever is nicer already may not go back.
    setPriority(pid, Math.max(getPriority(pid), niceness));
  } catch {
    // It has ended already, which is found out elsewhere.
    return;
  }
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const refusal = yieldSession(pid, niceness);
    if (refusal !== 'EAGAIN') return;
    await sleep(pauseMs);
  }
}

/** Why it was refused; elsewhere, and in most containers, there are no such sessions. */
function yieldSession(pid: number, niceness: number): string | undefined {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(niceness));
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}
