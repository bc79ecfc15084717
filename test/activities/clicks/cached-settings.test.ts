import { createClickRecorder } from '../../../activities/clicks/record';
import { isKnownKey } from '../../../activities/credentials/api-key-cache';
import { createRateLimiter } from '../../../runtime/load/rate-limiter';
import { resolveSecretKey } from '../../../activities/credentials/principals';
import { newId } from '../../../entities/ids';
import type { Scope } from '../../../entities/rules/values/mode';
import { openTestDeps, type TestDeps } from '../../support/app';
import { buildApiKey } from '../../support/build/accounts';

let deps: TestDeps;
beforeAll(async () => {
  deps = await openTestDeps({ CACHED_KEYS: '2', CACHED_LINKS: '2' });
});
afterAll(() => deps.close());

describe('a process remembers as much as its settings say, and forgets what was out of use longest', () => {
  it('of keys: CACHED_KEYS', async () => {
    const db = deps.db.manager;
    const keys: string[] = [];
    for (let n = 0; n < 3; n += 1) keys.push((await buildApiKey(db)).key);
    const use = (n: number) => resolveSecretKey(deps, keys[n] ?? '', deps.clock.now());
    for (const n of [0, 1, 0, 2]) expect(await use(n)).toMatchObject({ kind: 'secret_key' });
    expect(keys.map((key) => isKnownKey(deps, key))).toEqual([true, false, true]);
  });

  it('of links: CACHED_LINKS', async () => {
    const recorder = createClickRecorder({ ...deps, rates: createRateLimiter(deps.redis) });
    const scope: Scope = { workspaceId: newId(), mode: 'test' };
    const isKnown = async (ref: string): Promise<boolean> => {
      const nothing = { url: null, referrer: null, visitorToken: null, userAgent: null, ip: '' };
      const visit = { scope, ref, ...nothing, now: deps.clock.now() };
      return (await recorder.arrive(newId(), visit)).reservation !== undefined;
    };
    recorder.assume({ scope, ref: 'first' }, newId());
    recorder.assume({ scope, ref: 'second' }, newId());
    expect(await isKnown('first')).toBe(true);
    recorder.assume({ scope, ref: 'third' }, newId());
    expect(await isKnown('second')).toBe(false);
    expect([await isKnown('first'), await isKnown('third')]).toEqual([true, true]);
  });
});
