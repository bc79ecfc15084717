import type { HashProcesses } from '../../../runtime/crypto/hash-processes';
import { createPasswordHasher, hashesAtOnce } from '../../../runtime/crypto/passwords';

const hashesWaiting = 20;
const hasher = createPasswordHasher(hashesWaiting, { duty: { restAfter: () => 0 } });
const { hash, verify } = hasher.of('a site');

it('a hash is salted, and opens to its own password only', async () => {
  const [one, two] = [await hash('a password'), await hash('a password')];
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(two).not.toBe(one);
  expect(await verify(one, 'a password')).toBe(true);
  expect(await verify(one, 'another one')).toBe(false);
  expect(await verify(undefined, 'no account has this password')).toBe(false);
  await expect(verify('no hash', 'a password')).rejects.toThrow();
});

it('a hash rests before the next one, however the first one ended', async () => {
  const worked: number[] = [];
  const duty = { restAfter: (ms: number) => worked.push(ms) };
  const processes: HashProcesses = {
    async run({ passwordHash }) {
      if (passwordHash === 'no hash') throw new Error('no hash');
      return 'a hash';
    },
  };
  const resting = createPasswordHasher(hashesWaiting, { processes, duty }).of('a site');
  await resting.hash('a password');
  await expect(resting.verify('no hash', 'a password')).rejects.toThrow('no hash');
  expect(worked).toHaveLength(2);
});

it('a flood has few places, a bounded queue, and the rest is refused at once', async () => {
  const count = hashesAtOnce + hashesWaiting + 10;
  const refused: unknown[] = [];
  const flood = Array.from({ length: count }, () =>
    verify(undefined, 'a guess').catch((error: unknown) => refused.push(error)),
  );
  expect(() => hasher.assertRoom('a site')).toThrow();
  // A network with fewer requests in the queue than the flood takes the place of the flood's last one.
  hasher.assertRoom('another site');
  await Promise.race(flood);
  expect(refused).toHaveLength(10);
  expect(refused[0]).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    headers: { 'Retry-After': '2' },
  });
  await Promise.all(flood);
  expect(refused).toHaveLength(10);
  expect(await verify(undefined, 'later')).toBe(false);
});
