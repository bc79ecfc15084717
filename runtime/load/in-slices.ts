import { setImmediate as nextTurn } from 'node:timers/promises';

/** Longer than this nothing else waits for the work. */
const sliceMs = 5;
const stepsBetweenLooks = 16;

/** Work in steps, with a turn for everything else every few milliseconds; what it returns. */
export async function inSlices<T>(steps: Iterator<unknown, T>): Promise<T> {
  let since = performance.now();
  for (let count = 1; ; count += 1) {
    const step = steps.next();
    if (step.done) return step.value;
    if (count % stepsBetweenLooks !== 0 || performance.now() - since < sliceMs) continue;
    await nextTurn();
    since = performance.now();
  }
}
