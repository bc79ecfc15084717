import { readdirSync, readFileSync } from 'node:fs';
import {
  hashesAtOnce,
  hashesWaiting,
  hashPassword,
  verifyPassword,
} from '../../activities/runtime/crypto/passwords';

/** Niceness of each thread of this process; a place further on than the name, which may hold blanks. */
function priorities(): number[] {
  return readdirSync('/proc/self/task').map((id) => {
    const stat = readFileSync(`/proc/self/task/${id}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  });
}

/** Threads of other suites in the same process may still be there. */
const before = lowPriorities();

function lowPriorities(): number {
  return process.platform === 'linux' ? priorities().filter((value) => value === 10).length : 0;
}

it('a hash is salted, and opens to its own password only', async () => {
  const [one, two] = [await hashPassword('a password'), await hashPassword('a password')];
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(two).not.toBe(one);
  expect(await verifyPassword(one, 'a password')).toBe(true);
  expect(await verifyPassword(one, 'another one')).toBe(false);
  expect(await verifyPassword(undefined, 'no account has this password')).toBe(false);
  await expect(verifyPassword('no hash', 'a password')).rejects.toThrow();
});

it('a flood has few threads, a bounded queue, and the rest is refused at once', async () => {
  const count = hashesAtOnce + hashesWaiting + 10;
  const refused: unknown[] = [];
  const flood = Array.from({ length: count }, () =>
    verifyPassword(undefined, 'a guess').catch((error: unknown) => refused.push(error)),
  );
  await Promise.race(flood);
  expect(refused).toHaveLength(10);
  expect(refused[0]).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    headers: { 'Retry-After': '2' },
  });
  await Promise.all(flood);
  expect(refused).toHaveLength(10);
  expect(await verifyPassword(undefined, 'later')).toBe(false);
});

it('hashing has a lower priority than the requests of its process', async () => {
  // Elsewhere a priority is the whole process's.
  if (process.platform !== 'linux') return;
  await hashPassword('a password');
  expect(lowPriorities()).toBeGreaterThan(0);
  expect(lowPriorities() - before).toBeLessThanOrEqual(hashesAtOnce);
  expect(priorities().filter((value) => value === 0).length).toBeGreaterThan(0);
});
