/** Every order of the items. */
export function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, index) =>
    permutations(items.filter((_, other) => other !== index)).map((rest) => [item, ...rest]),
  );
}

/** Runs the work on each item, some side by side. */
export async function inLanes<T>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const lanes = 6;
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      for (let n = lane; n < items.length; n += lanes) await work(items[n] as T, n);
    }),
  );
}
