import { KeyedSemaphore } from '../../../runtime/load/keyed-semaphore';

const bounds = { permits: 3, permitsPerKey: 2, maxWaitingPerKey: 3, maxWaitMs: 60_000 };

describe('a keyed semaphore', () => {
  it('gives one key a share and keeps the rest for others', async () => {
    const semaphore = new KeyedSemaphore(bounds);
    const release = await semaphore.acquire('a');
    await semaphore.acquire('a');
    const third = watched(semaphore.acquire('a'));
    await semaphore.acquire('b');
    await turn();
    expect(third.isDone).toBe(false);
    release();
  });

  it('lets keys take turns, whoever has asked for more', async () => {
    const semaphore = new KeyedSemaphore({ ...bounds, permits: 1 });
    const release = await semaphore.acquire('a');
    const served: string[] = [];
    const work = (key: string) => semaphore.run(key, () => Promise.resolve(void served.push(key)));
    const all = ['a', 'a', 'a', 'b', 'c'].map(work);
    release();
    await Promise.all(all);
    expect(served).toEqual(['a', 'b', 'c', 'a', 'a']);
  });

  it('serves a key that waits at its own bound as soon as that key gives one back', async () => {
    const semaphore = new KeyedSemaphore(bounds);
    const release = await semaphore.acquire('a');
    await semaphore.acquire('a');
    const third = watched(semaphore.acquire('a'));
    release();
    await turn();
    expect(third.isDone).toBe(true);
  });

  it('refuses at once what would wait behind too many, and in time what waits too long', async () => {
    const semaphore = new KeyedSemaphore({ ...bounds, permits: 1, maxWaitMs: 30 });
    await semaphore.acquire('a');
    const waiting = ['a', 'a', 'a'].map((key) => semaphore.acquire(key).catch(refusalOf));
    expect(() => semaphore.assertRoom('a')).toThrow();
    semaphore.assertRoom('b');
    const refusal = { code: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': '2' } };
    expect(await semaphore.acquire('a').catch(refusalOf)).toEqual(refusal);
    expect(await Promise.all(waiting)).toEqual(Array(3).fill(refusal));
    semaphore.assertRoom('a');
  });

  it('refuses by its own error, whoever asks while as many wait as may in all', async () => {
    const refusal = () => new Error('full');
    const semaphore = new KeyedSemaphore({ ...bounds, permits: 1, maxWaiting: 2, refusal });
    const release = await semaphore.acquire('a');
    const waiting = [semaphore.acquire('b'), semaphore.acquire('c')];
    await expect(semaphore.acquire('d')).rejects.toThrow('full');
    release();
    (await Promise.race(waiting))();
    (await Promise.all(waiting)).forEach((leave) => leave());
    await semaphore.acquire('d');
  });

  it('takes a permit back once, however often it is given', async () => {
    const semaphore = new KeyedSemaphore({ ...bounds, permits: 1 });
    const release = await semaphore.acquire('a');
    release();
    release();
    const releaseAgain = await semaphore.acquire('a');
    const second = watched(semaphore.acquire('b'));
    await turn();
    expect(second.isDone).toBe(false);
    releaseAgain();
  });

  it('gives the permit of work that fails back', async () => {
    const semaphore = new KeyedSemaphore({ ...bounds, permits: 1 });
    await expect(semaphore.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await semaphore.run('b', () => Promise.resolve('done'))).toBe('done');
  });
});

const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
const refusalOf = ({ code, headers }: { code: string; headers: object }) => ({ code, headers });

function watched(promise: Promise<unknown>): { isDone: boolean } {
  const state = { isDone: false };
  // Its refusal comes after the test has ended, and would fail another one as unhandled.
  promise.then(
    () => (state.isDone = true),
    () => undefined,
  );
  return state;
}
