import { createFairPlaces } from '../../../runtime/load/fair-places';

const bounds = { places: 3, perOwner: 2, waitingPerOwner: 3, waitingInAll: 5, patienceMs: 60_000 };

describe('fair places', () => {
  it('gives one owner a share and keeps the rest for others', async () => {
    const places = createFairPlaces(bounds);
    await places.enter('a');
    await places.enter('a');
    const third = watched(places.enter('a'));
    await places.enter('b');
    await turn();
    expect(third.isDone).toBe(false);
  });

  it('lets owners take turns, whoever has asked for more', async () => {
    const places = createFairPlaces({ ...bounds, places: 1 });
    const leave = await places.enter('a');
    const served: string[] = [];
    const work = (owner: string) =>
      places.run(owner, () => Promise.resolve(void served.push(owner)));
    const all = ['a', 'a', 'a', 'b', 'c'].map(work);
    leave();
    await Promise.all(all);
    expect(served).toEqual(['a', 'b', 'c', 'a', 'a']);
  });

  it('refuses at once what would wait behind too many, and in time what waits too long', async () => {
    const places = createFairPlaces({ ...bounds, places: 1, patienceMs: 30 });
    await places.enter('a');
    const waiting = ['a', 'a', 'a'].map((owner) => places.enter(owner).catch(codeOf));
    expect(await places.enter('a').catch(codeOf)).toBe('SERVICE_UNAVAILABLE');
    expect(await Promise.all(waiting)).toEqual(Array(3).fill('SERVICE_UNAVAILABLE'));
  });

  it('makes room in a full queue for whoever has less in it', async () => {
    const places = createFairPlaces({ ...bounds, places: 1, waitingPerOwner: 5 });
    const leave = await places.enter('a');
    const work = (owner: string) =>
      places.run(owner, () => Promise.resolve(`${owner} served`)).catch(codeOf);
    const flood = ['a', 'a', 'a', 'a', 'a'].map(work);
    expect(() => places.assertRoom('a')).toThrow();
    places.assertRoom('b');
    const others = ['b', 'c', 'd', 'e'].map(work);
    // Each owner has one waiting by then: none has room to give up.
    expect(await work('f')).toBe('SERVICE_UNAVAILABLE');
    leave();
    expect(await Promise.all(flood)).toEqual([
      'a served',
      ...Array<string>(4).fill('SERVICE_UNAVAILABLE'),
    ]);
    expect(await Promise.all(others)).toEqual(['b served', 'c served', 'd served', 'e served']);
  });

  it('gives a place to others during what is done outside it', async () => {
    const places = createFairPlaces({ ...bounds, places: 1 });
    const order: string[] = [];
    const note = (what: string) => Promise.resolve(order.push(what));
    await Promise.all([
      places.run('a', async (outside) => {
        await outside(() => turn().then(() => note('outside')));
        await note('back');
      }),
      places.run('b', () => note('another')),
    ]);
    expect(order).toEqual(['another', 'outside', 'back']);
  });

  it('is left by what fails outside it', async () => {
    const places = createFairPlaces({ ...bounds, places: 1 });
    const failed = places.run('a', (outside) => outside(() => Promise.reject(new Error('no'))));
    await expect(failed).rejects.toThrow('no');
    expect(await places.run('b', () => Promise.resolve('done'))).toBe('done');
  });

  it('takes a place back once, however often it is given', async () => {
    const places = createFairPlaces({ ...bounds, places: 1 });
    const leave = await places.enter('a');
    leave();
    leave();
    await places.enter('a');
    const second = watched(places.enter('b'));
    await turn();
    expect(second.isDone).toBe(false);
  });

  it('keeps the last place for an owner that holds none', async () => {
    const places = createFairPlaces({ ...bounds, places: 4, forNewcomers: 1 });
    await Promise.all([places.enter('a'), places.enter('a'), places.enter('b')]);
    const [second, third] = [watched(places.enter('b')), watched(places.enter('a'))];
    places.assertRoom('c');
    const leave = await places.enter('c');
    leave();
    await turn();
    expect([second.isDone, third.isDone]).toEqual([false, false]);
  });

  it('gives two places when one that is left makes its owner one that holds none', async () => {
    const places = createFairPlaces({ ...bounds, forNewcomers: 1 });
    await places.enter('a');
    const leave = await places.enter('b');
    const [ofA, ofB] = [watched(places.enter('a')), watched(places.enter('b'))];
    leave();
    await turn();
    expect([ofA.isDone, ofB.isDone]).toEqual([true, true]);
  });

  it('gives owners that have met a lock all places again after a while', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const heldUp = { isShownBy: () => true, forMs: 10_000, forOthers: 1 };
    const places = createFairPlaces({ ...bounds, places: 2, heldUp });
    await places.run('a', () => Promise.reject(new Error('lock'))).catch(() => undefined);
    const leave = await places.enter('a');
    const second = watched(places.enter('a'));
    await turn();
    const isSecondDone = second.isDone;
    jest.advanceTimersByTime(10_001);
    leave();
    const third = watched(places.enter('a'));
    await turn();
    jest.useRealTimers();
    expect([isSecondDone, second.isDone, third.isDone]).toEqual([false, true, true]);
  });

  it('gives an owner that has met a lock a place where there is but one', async () => {
    const heldUp = { isShownBy: () => true, forMs: 10_000, forOthers: 2 };
    const places = createFairPlaces({ ...bounds, places: 1, heldUp });
    await places.run('a', () => Promise.reject(new Error('lock'))).catch(() => undefined);
    expect(await places.run('a', () => Promise.resolve('done'))).toBe('done');
  });
});

const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
const codeOf = (error: unknown) => (error as { code: string }).code;

function watched(promise: Promise<unknown>): { isDone: boolean } {
  const state = { isDone: false };
  // Its refusal comes after the test has ended, and would fail another one as unhandled.
  promise.then(
    () => (state.isDone = true),
    () => undefined,
  );
  return state;
}
