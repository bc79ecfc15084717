/** Runs work in the order of the calls, one at a time. Resolves, or fails, as the work does. */
export type Line = <T>(work: () => Promise<T>) => Promise<T>;

/** Work that fails holds up nothing behind it. */
export function createLine(): Line {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const own = last.then(work);
    last = own.catch(() => undefined);
    return own;
  };
}
