import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** What this thread has had of a processor, in ms: others on the machine do not count. */
function usedMs(): number {
  const [ranNs] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ');
  return Number(ranNs) / 1e6;
}

/**
 * How often a fixed piece of work would fit into so many milliseconds of this processor, right now: 50,000 short texts,
 * each cut in two. A bound in pieces holds on a slow machine as on a fast one.
 */
export function inPieces(ms: number): number {
  const tries = [0, 1, 2].map(() => {
    const began = usedMs();
    for (let n = 0; n < 50_000; n += 1) `somebody${n}@shop.example`.split('@');
    return usedMs() - began;
  });
  return ms / Math.min(...tries);
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
