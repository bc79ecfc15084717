import { setTimeout as pause } from 'node:timers/promises';

/** Asks until there is an answer; fails when there is none for too long. */
export async function eventually<T>(
  ask: () => Promise<T | undefined>,
  patienceMs = 30_000,
): Promise<T> {
  const end = Date.now() + patienceMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > end) throw new Error('nothing came of it in time');
    await pause(50);
  }
}
