import { createPasswordHasher, hashesAtOnce } from '../../../runtime/crypto/passwords';

const hashesWaiting = 20;
const hasher = createPasswordHasher(hashesWaiting);

it('a hash is salted, and opens to its own password only', async () => {
  const { hash, verify } = hasher.of('a site');
  const [one, two] = [await hash('a password'), await hash('a password')];
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(two).not.toBe(one);
  expect(await verify(one, 'a password')).toBe(true);
  expect(await verify(one, 'another one')).toBe(false);
  expect(await verify(undefined, 'no account has this password')).toBe(false);
  await expect(verify('no hash', 'a password')).rejects.toThrow();
});

it('a flood has few places, a bounded queue, and the rest is refused at once', async () => {
  const sites = ['one', 'two', 'three', 'four'].map((site) => hasher.of(site));
  const count = hashesAtOnce + hashesWaiting + 10;
  const refused: unknown[] = [];
  const flood = Array.from({ length: count }, (_one, n) =>
    sites[n % sites.length]
      ?.verify(undefined, 'a guess')
      .catch((error: unknown) => refused.push(error)),
  );
  expect(() => hasher.of('a site')).toThrow();
  await Promise.all(flood);
  expect(refused.length).toBeGreaterThanOrEqual(10);
  expect(refused[0]).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    headers: { 'Retry-After': '2' },
  });
  expect(await hasher.of('a site').verify(undefined, 'later')).toBe(false);
});

it('one network fills a part of the queue, and the rest is for others', async () => {
  const own = hasher.of('a flood');
  const flood = Array.from({ length: hashesAtOnce + hashesWaiting }, () =>
    own.verify(undefined, 'a guess').catch(() => undefined),
  );
  expect(() => hasher.of('a flood')).toThrow();
  expect(await hasher.of('another site').verify(undefined, 'a guess')).toBe(false);
  await Promise.all(flood);
});
