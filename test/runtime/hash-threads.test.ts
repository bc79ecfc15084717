import type * as threads from 'node:worker_threads';
import type { Worker } from 'node:worker_threads';
import { createHashThreads } from '../../activities/runtime/crypto/hash-threads';

const opened: Worker[] = [];

jest.mock('node:worker_threads', () => {
  const actual = jest.requireActual<typeof threads>('node:worker_threads');
  class KnownWorker extends actual.Worker {
    constructor(...args: ConstructorParameters<typeof Worker>) {
      super(...args);
      opened.push(this);
    }
  }
  return { ...actual, Worker: KnownWorker };
});

const cost = { memoryCost: 8, timeCost: 1, parallelism: 1 };

beforeEach(() => opened.splice(0));
afterEach(() => Promise.all(opened.map((worker) => worker.terminate())));

it('a thread that ended while it was idle is not asked again', async () => {
  const hashing = createHashThreads(cost);
  await hashing.run({ password: 'one' });
  await opened[0]?.terminate();
  expect(await hashing.run({ password: 'two' })).toMatch(/^\$argon2id\$/);
  expect(opened).toHaveLength(2);
});

it('a job whose thread ends is an error, and the next one gets another thread', async () => {
  const hashing = createHashThreads(cost);
  const lost = hashing.run({ password: 'one' });
  const refused = expect(lost).rejects.toThrow('a thread that hashes passwords ended');
  await opened[0]?.terminate();
  await refused;
  expect(await hashing.run({ password: 'two' })).toMatch(/^\$argon2id\$/);
});

it('an idle thread is taken again', async () => {
  const hashing = createHashThreads(cost);
  for (const password of ['one', 'two', 'three']) await hashing.run({ password });
  expect(opened).toHaveLength(1);
});
