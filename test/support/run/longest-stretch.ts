import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** What this thread has had of a processor, in ms: others on the machine do not count. */
function usedMs(): number {
  const [ranNs] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ');
  return Number(ranNs) / 1e6;
}

/** What the work returns, and the most of a processor that it took between two turns of the event loop. */
export async function longestStretchOf<T>(
  work: () => Promise<T>,
): Promise<{ result: T; longestMs: number }> {
  let longestMs = 0;
  let isOver = false;
  const watch = async (): Promise<void> => {
    for (let since = usedMs(); !isOver;) {
      await nextTurn();
      const now = usedMs();
      longestMs = Math.max(longestMs, now - since);
      since = now;
    }
  };
  const watching = watch();
  const result = await work().finally(() => (isOver = true));
  await watching;
  return { result, longestMs };
}
