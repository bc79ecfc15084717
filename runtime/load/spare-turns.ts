/** Resolves when the next slice of work may run. */
export type NextTurn = () => Promise<void>;

/**
 * Turns of the event loop for work that can wait and comes in slices. A slice at a time, whoever it
 * is for: however many ask at once, all other work of the process waits for one slice. `restAfter` gives
 * the milliseconds of rest after a slice that took so many with the turn after it: when they are many,
 * others have work, or the machine does.
 */
export function createSpareTurns(restAfter: (tookMs: number) => number = () => 0): NextTurn {
  const waiting: (() => void)[] = [];
  let isUnderWay = false;

  const serve = (): void => {
    const next = waiting.shift();
    isUnderWay = next !== undefined;
    if (!next) return;
    const began = performance.now();
    setImmediate(() => {
      const restMs = restAfter(performance.now() - began);
      if (restMs > 0) setTimeout(serve, restMs);
      else serve();
    });
    next();
  };

  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (isUnderWay) return;
      isUnderWay = true;
      setImmediate(serve);
    });
}
