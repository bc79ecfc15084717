import { MicroBatch, type MicroBatchOptions } from '../../../runtime/load/micro-batch';

interface Batch {
  items: number[];
  finish(): void;
  fail(error: Error): void;
}

/** Batches that end when the test says so. */
function stage(options: Partial<MicroBatchOptions<number, string>> = {}) {
  const batches: Batch[] = [];
  const group = new MicroBatch<number, string>({
    maxItems: 3,
    maxInFlight: 2,
    maxWaiting: 5,
    patienceMs: 60_000,
    commit: (items) =>
      new Promise((resolve, reject) => {
        batches.push({ items, finish: () => resolve(items.map(String)), fail: reject });
      }),
    ...options,
  });
  return { batches, group };
}

const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

describe('a group commit', () => {
  it('carries what arrives in one turn of the loop together, in order', async () => {
    const { batches, group } = stage();
    const results = Promise.all([group.submit(1), group.submit(2), group.submit(3)]);
    await turn();
    batches[0]?.finish();

    expect(batches.map(({ items }) => items)).toEqual([[1, 2, 3]]);
    expect(await results).toEqual(['1', '2', '3']);
  });

  it('keeps at most two under way and lets the next one grow', async () => {
    const { batches, group } = stage();
    const all = [group.submit(1)];
    await turn();
    all.push(group.submit(2));
    await turn();
    all.push(group.submit(3), group.submit(4));
    await turn();
    expect(batches).toHaveLength(2);

    batches[0]?.finish();
    await turn();
    expect(batches[2]?.items).toEqual([3, 4]);
    batches.forEach((batch) => batch.finish());
    expect(await Promise.all(all)).toEqual(['1', '2', '3', '4']);
  });

  it('lets a long queue leave beside them, up to a bound', async () => {
    const { batches, group } = stage({
      maxInFlight: 1,
      maxWaiting: 50,
      surge: { items: 2, maxInFlight: 2 },
    });
    const all = [group.submit(1)];
    await turn();
    all.push(group.submit(2));
    await turn();
    expect(batches).toHaveLength(1);

    all.push(group.submit(3));
    await turn();
    all.push(group.submit(4), group.submit(5));
    await turn();
    expect(batches.map(({ items }) => items)).toEqual([[1], [2, 3]]);

    batches.forEach((batch) => batch.finish());
    await turn();
    batches.forEach((batch) => batch.finish());
    expect(await Promise.all(all)).toEqual(['1', '2', '3', '4', '5']);
  });

  it('splits what is more than one batch may hold', async () => {
    const { batches, group } = stage();
    const all = [1, 2, 3, 4, 5].map((item) => group.submit(item));
    await turn();
    batches.forEach((batch) => batch.finish());
    await Promise.all(all);

    expect(batches.map(({ items }) => items)).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
  });

  it('gives a failure to all of its batch and to nobody else', async () => {
    const { batches, group } = stage();
    const first = group.submit(1);
    await turn();
    const second = group.submit(2);
    await turn();
    batches[0]?.fail(new Error('away'));
    batches[1]?.finish();

    await expect(first).rejects.toThrow('away');
    await expect(second).resolves.toBe('2');
  });

  it('refuses at once what it could not hold', async () => {
    const { batches, group } = stage({ maxInFlight: 0 });
    const held = [1, 2, 3, 4, 5].map((item) => group.submit(item));
    held.forEach((item) => item.catch(() => undefined));

    await expect(group.submit(6)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(batches).toHaveLength(0);
  });

  it('answers everybody in time when the database hangs', async () => {
    const { group } = stage({ patienceMs: 30, maxInFlight: 1 });
    const underway = group.submit(1);
    await turn();
    const waiting = group.submit(2);

    const unavailable = { code: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': '2' } };
    await expect(underway).rejects.toMatchObject(unavailable);
    await expect(waiting).rejects.toMatchObject(unavailable);
  });
});
