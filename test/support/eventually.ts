import { setTimeout as pause } from 'node:timers/promises';

/** Patience ran out. The one failure besides jest's own time-outs after which a suite is repeated. */
export class WaitedInVain extends Error {
  override readonly name = 'WaitedInVain';
}

/** Asks until there is an answer; fails when there is none for too long. */
export async function eventually<T>(
  ask: () => Promise<T | undefined>,
  patienceMs = 30_000,
): Promise<T> {
  const end = Date.now() + patienceMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > end) throw new WaitedInVain('nothing came of it in time');
    await pause(50);
  }
}

/**
 * What the work gives, where that took no longer. A machine that is full is slow too: it is out of patience, and repeated
 * beside load, as a wrong value never is.
 */
export async function within<T>(patienceMs: number, work: Promise<T>): Promise<T> {
  const began = performance.now();
  const given = await work;
  const ms = Math.round(performance.now() - began);
  if (ms > patienceMs) throw new WaitedInVain(`it took ${ms} ms, and has ${patienceMs}`);
  return given;
}

/** Waits until it is so; fails when it is not for too long. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  patienceMs?: number,
): Promise<void> {
  await eventually(async () => ((await isSo()) ? true : undefined), patienceMs);
}
