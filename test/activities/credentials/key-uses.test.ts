import { Client } from 'pg';
import { createKeyCache, type KeyCache } from '../../../activities/credentials/api-key-cache';
import { query } from '../../../entities/database/sql';
import { useDeps } from '../../support/app';
import { buildApiKey, type BuiltApiKey } from '../../support/build/accounts';
import { eventually } from '../../support/eventually';

const deps = useDeps();
let cache: KeyCache;
const keys: BuiltApiKey[] = [];
beforeAll(async () => {
  cache = createKeyCache(deps.db, 100);
  const first = await buildApiKey(deps.db.manager);
  const { workspaceId } = first;
  keys.push(first);
  while (keys.length < 40) keys.push(await buildApiKey(deps.db.manager, { workspaceId }));
});
afterEach(() => jest.restoreAllMocks());

const resolve = (key: string, now: Date) => cache.resolve({ key, kind: 'secret' }, now);

interface Querying {
  query: (...args: unknown[]) => unknown;
}

/** The writes of last uses, each of which waits for `until`. */
function watchWrites(until: Promise<void>): unknown[] {
  const client = Client.prototype as unknown as Querying;
  const real = client.query;
  const writes: unknown[] = [];
  jest.spyOn(client, 'query').mockImplementation(function (this: Client, ...args: unknown[]) {
    if (!String(args[0]).includes('UPDATE api_keys')) return real.apply(this, args);
    writes.push(args[0]);
    return until.then(() => real.apply(this, args));
  });
  return writes;
}

const areNoted = (at: Date): Promise<true> =>
  eventually(async () => {
    const noted = await query(
      deps.db.manager,
      'SELECT 1 FROM api_keys WHERE id = ANY($1) AND last_used_at = $2',
      [keys.map(({ id }) => id), at],
    );
    return noted.length === keys.length || undefined;
  });

it('last uses of keys are written behind the requests: none of them waits', async () => {
  let release = (): void => undefined;
  const writes = watchWrites(new Promise((resolve) => (release = resolve)));
  const now = deps.clock.now();
  // While a write hangs as well.
  expect(await resolve(keys[0]?.key ?? '', now)).toBeDefined();
  await eventually(() => Promise.resolve(writes.length > 0 || undefined));
  for (const { key } of keys) expect(await resolve(key, now)).toBeDefined();
  release();
  await areNoted(now);
});

it('last uses of many keys are one statement', async () => {
  // A use is noted once a minute and process.
  deps.clock.advance(61_000);
  const now = deps.clock.now();
  for (const { key } of keys) await resolve(key, now);
  await areNoted(now);

  const writes = watchWrites(Promise.resolve());
  // What is known is believed for less than a second: here for as long as it takes.
  jest.spyOn(performance, 'now').mockReturnValue(performance.now());
  await resolve(keys[0]?.key ?? '', now);
  const later = new Date(now.getTime() + 61_000);
  const use = ({ key }: BuiltApiKey) => cache.known({ key, kind: 'secret' }, later);
  expect(keys.map(use)).not.toContain(undefined);
  jest.spyOn(performance, 'now').mockRestore();
  await areNoted(later);
  expect(writes).toHaveLength(1);
});
