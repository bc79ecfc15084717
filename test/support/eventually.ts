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

/** Waits until it is so; fails when it is not for too long. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  patienceMs?: number,
): Promise<void> {
  await eventually(async () => ((await isSo()) ? true : undefined), patienceMs);
}
