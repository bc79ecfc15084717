export interface Parallel {
  /** Items under way at the same time. */
  atOnce: number;
  /** True: nothing more begins. */
  isEnough?: () => boolean;
}

/** Runs the work on each item, in their order, a few at the same time. */
export async function inParallel<T extends object>(
  items: readonly T[],
  { atOnce, isEnough = () => false }: Parallel,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const next = (): T | undefined => (isEnough() ? undefined : queue.shift());
  const run = async (): Promise<void> => {
    for (let item = next(); item; item = next()) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, run));
}
