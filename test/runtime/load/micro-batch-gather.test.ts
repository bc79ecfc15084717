import { MicroBatch } from '../../../runtime/load/micro-batch';

/** Batches that take one turn of the loop, of which only the sizes are told. */
function stage(gatherMs: number) {
  const sizes: number[] = [];
  const group = new MicroBatch<number, number>({
    maxItems: 100,
    maxInFlight: 1,
    maxWaiting: 1_000,
    patienceMs: 60_000,
    gatherMs,
    commit: async (items) => {
      sizes.push(items.length);
      return Promise.resolve(items);
    },
  });
  return { sizes, group };
}

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
};

describe('a group commit that gathers', () => {
  it('keeps those together who were answered together', async () => {
    const { sizes, group } = stage(10_000);
    await Promise.all([1, 2, 3, 4].map((item) => group.submit(item)));

    const straggling: Promise<number>[] = [];
    for (const item of [1, 2, 3]) {
      straggling.push(group.submit(item));
      await turns(3);
    }
    await Promise.all(straggling);
    expect(sizes).toEqual([4, 3]);
  });

  it('goes without those who do not come back, and then expects no more than came', async () => {
    const { sizes, group } = stage(5);
    await Promise.all([1, 2, 3, 4, 5].map((item) => group.submit(item)));
    await group.submit(6);
    await group.submit(7);
    expect(sizes.at(-1)).toBe(1);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(7);
  });
});
