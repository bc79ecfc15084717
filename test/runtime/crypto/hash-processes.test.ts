import type * as processes from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createHashProcesses } from '../../../runtime/crypto/hash-processes';

const opened: ChildProcess[] = [];

jest.mock('node:child_process', () => {
  const actual = jest.requireActual<typeof processes>('node:child_process');
  const spawn = (...args: Parameters<typeof actual.spawn>): ChildProcess => {
    const child = actual.spawn(...args);
    opened.push(child);
    return child;
  };
  return { ...actual, spawn };
});

const cost = { memoryCost: 8, timeCost: 1, parallelism: 1 };

beforeEach(() => opened.splice(0));
afterEach(() => Promise.all(opened.map(end)));

async function end(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

it('one that ended while it was idle is not asked again', async () => {
  const hashing = createHashProcesses(cost);
  await hashing.run({ password: 'one' });
  await end(opened[0]);
  expect(await hashing.run({ password: 'two' })).toMatch(/^\$argon2id\$/);
  expect(opened).toHaveLength(2);
});

it('a job whose process is killed is done by another', async () => {
  const hashing = createHashProcesses(cost);
  const hash = hashing.run({ password: 'one' });
  await end(opened[0]);
  expect(await hash).toMatch(/^\$argon2id\$/);
  expect(opened).toHaveLength(2);
});

it('a job for which no process lives long enough is refused for now', async () => {
  const hashing = createHashProcesses(cost);
  const refused = expect(hashing.run({ password: 'one' })).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  });
  await end(opened[0]);
  await nextTurn();
  await end(opened[1]);
  await refused;
});

it('an idle one is taken again', async () => {
  const hashing = createHashProcesses(cost);
  for (const password of ['one', 'two', 'three']) await hashing.run({ password });
  expect(opened).toHaveLength(1);
});

it('ends with the channel to its service, which may die at any moment', async () => {
  const hashing = createHashProcesses(cost);
  await hashing.run({ password: 'one' });
  const [child] = opened;
  child?.disconnect();
  expect(child && (await once(child, 'exit'))).toEqual([0, null]);
});

it('lets everything else of the machine go before', async () => {
  const hashing = createHashProcesses(cost);
  await hashing.run({ password: 'one' });
  const [child] = opened;
  expect(getPriority(child?.pid)).toBe(10);
});
