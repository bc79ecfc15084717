import { QueryFailedError } from 'typeorm';
import { createFairBatch } from '../../../runtime/load/fair-batch';
import type { LockWait } from '../../../entities/database/sql';
import { eventually } from '../../support/eventually';

const locked = () =>
  new QueryFailedError('', [], Object.assign(new Error('locked'), { code: '55P03' }));

it('an item that was refused for its wait leaves no rejection behind', async () => {
  const unhandled: unknown[] = [];
  const onUnhandled = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', onUnhandled);
  let commits = 0;
  let release: (() => void) | undefined;
  const batch = createFairBatch<string, string>({
    maxItems: 10,
    maxInFlight: 1,
    maxWaiting: 100,
    patienceMs: 30,
    ownerOf: (item) => item,
    errorIn: () => undefined,
    async commit() {
      commits += 1;
      if (commits > 1) throw new Error('the part failed');
      await new Promise<void>((resolve) => (release = resolve));
      throw locked();
    },
  });
  await expect(batch.submit('one')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  release?.();
  await eventually(async () => (commits === 2 ? true : undefined));
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', onUnhandled);
  expect(unhandled).toEqual([]);
});

/** A batch whose commit meets a lock whenever it holds an item that begins with `locked`. */
function stage() {
  const commits: { items: string[]; wait: LockWait }[] = [];
  const locks = { areHeld: true };
  const batch = createFairBatch<string, string>({
    maxItems: 10,
    maxInFlight: 1,
    maxWaiting: 100,
    patienceMs: 60_000,
    ownerOf: (item) => item.split(':')[0] ?? '',
    errorIn: () => undefined,
    commit: (items, wait) => {
      commits.push({ items, wait });
      const isLocked = locks.areHeld && items.some((item) => item.includes('locked'));
      return isLocked ? Promise.reject(locked()) : Promise.resolve(items);
    },
  });
  return { batch, commits, locks };
}

describe('of a fair batch that meets a lock', () => {
  it('only the item in its way waits long, alone, and none is refused', async () => {
    const { batch, commits, locks } = stage();
    const items = ['mallory:locked', 'mallory:free', 'nancy:1', 'nancy:2'];
    const [held, ...others] = items.map((item) => batch.submit(item));
    expect(await Promise.all(others)).toEqual(['mallory:free', 'nancy:1', 'nancy:2']);
    locks.areHeld = false;
    expect(await held).toBe('mallory:locked');

    expect(commits[0]).toEqual({ items, wait: 'shared' });
    expect(commits).toContainEqual({ items: ['nancy:1', 'nancy:2'], wait: 'shared' });
    for (const { items: own, wait } of commits.filter(({ wait }) => wait === 'own')) {
      expect(own).toHaveLength(1);
      expect(wait).toBe('own');
    }
    expect(commits).toContainEqual({ items: ['mallory:locked'], wait: 'own' });
  });

  it('its owner goes apart, where its items still share their commits', async () => {
    const { batch, commits, locks } = stage();
    const held = batch.submit('mallory:locked');
    await eventually(async () => commits.some(({ wait }) => wait === 'own') || undefined, 5_000);
    commits.length = 0;
    locks.areHeld = false;
    const items = ['mallory:1', 'nancy:1', 'mallory:2', 'mallory:3', 'nancy:2'];
    expect(await Promise.all(items.map((item) => batch.submit(item)))).toEqual(items);

    const own = commits.filter(({ items: [first] }) => first !== 'mallory:locked');
    expect(own.map(({ items }) => items)).toEqual(
      expect.arrayContaining([
        ['mallory:1', 'mallory:2', 'mallory:3'],
        ['nancy:1', 'nancy:2'],
      ]),
    );
    expect(own).toHaveLength(2);
    await held;
  });
});
