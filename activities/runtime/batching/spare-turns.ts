/** Waits for a turn of the event loop that nobody else has. */
export type NextTurn = () => Promise<void>;

/**
 * Turns of the event loop for work that can wait and comes in slices. A slice at a time, whoever it
 * is for: however many ask at once, all other work of the process waits for one slice. With
 * `everyMs` the slices also begin no sooner after each other, so that the processor has rest.
 */
export function createSpareTurns({ everyMs = 0 } = {}): NextTurn {
  const waiting: (() => void)[] = [];
  let isUnderWay = false;

  const serve = (): void => {
    const next = waiting.shift();
    isUnderWay = next !== undefined;
    if (!next) return;
    if (everyMs > 0) setTimeout(serve, everyMs);
    else setImmediate(serve);
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
