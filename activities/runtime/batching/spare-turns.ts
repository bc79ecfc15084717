/** Resolves when the next slice of work may run. */
export type NextTurn = () => Promise<void>;

/**
 * Turns of the event loop for work that can wait and comes in slices. A slice at a time, whoever it
 * is for: however many ask at once, all other work of the process waits for one slice. With `restMs`
 * there is a rest of that time whenever a slice and the turn after it took longer: others have work
 * then, or the machine does.
 */
export function createSpareTurns({ restMs = 0 } = {}): NextTurn {
  const waiting: (() => void)[] = [];
  let isUnderWay = false;

  const serve = (): void => {
    const next = waiting.shift();
    isUnderWay = next !== undefined;
    if (!next) return;
    const began = performance.now();
    setImmediate(() => {
      const isBusy = restMs > 0 && performance.now() - began > restMs;
      if (isBusy) setTimeout(serve, restMs);
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
