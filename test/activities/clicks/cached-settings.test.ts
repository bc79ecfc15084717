import { ClickRecorder } from '../../../activities/clicks/record';
import { createKeyCache } from '../../../activities/credentials/api-key-cache';
import { createRateLimiter } from '../../../runtime/connections/rate-limiter';
import { newId } from '../../../entities/ids';
import type { Scope } from '../../../entities/rules/values/mode';
import { useDeps } from '../../support/app';
import { buildApiKey } from '../../support/build/accounts';
import { buildParticipant } from '../../support/build/programs';

const deps = useDeps({ CACHED_KEYS: '2', CACHED_LINKS: '2' });

describe('a process remembers as much as its settings say, and forgets what was out of use longest', () => {
  it('of keys: CACHED_KEYS', async () => {
    const db = deps.db.manager;
    const keys: string[] = [];
    for (let n = 0; n < 3; n += 1) keys.push((await buildApiKey(db)).key);
    const cache = createKeyCache(deps.db, deps.config.cachedKeys);
    const use = (n: number) =>
      cache.resolve({ key: keys[n] ?? '', kind: 'secret' }, deps.clock.now());
    for (const n of [0, 1, 0, 2]) expect(await use(n)).toMatchObject({ kind: 'secret_key' });
    expect(keys.map((key) => cache.has(key))).toEqual([true, false, true]);
  });

  it('of links: CACHED_LINKS', async () => {
    const recorder = new ClickRecorder({ ...deps, rates: createRateLimiter(deps.redis) });
    const { workspaceId } = await buildApiKey(deps.db.manager);
    const scope: Scope = { workspaceId, mode: 'test' };
    const nothing = {
      url: null,
      referrer: null,
      page: null,
      visitorToken: null,
      userAgent: null,
      ip: '',
    };
    const visitOf = (ref: string) => ({ scope, ref, ...nothing, now: deps.clock.now() });
    const sender = { apiKeyId: newId(), visitorIp: null };
    const isKnown = async (ref: string): Promise<boolean> =>
      (await recorder.arrive(sender, visitOf(ref))).reservation !== undefined;
    const visit = async (referralCode: string): Promise<void> => {
      await buildParticipant(deps.db.manager, { ...scope, referralCode });
      const arrival = await recorder.arrive(sender, visitOf(referralCode));
      expect(await recorder.record(visitOf(referralCode), arrival)).toMatchObject({
        created: true,
      });
    };
    await visit('first');
    await visit('second');
    expect(await isKnown('first')).toBe(true);
    await visit('third');
    expect(await isKnown('second')).toBe(false);
    expect([await isKnown('first'), await isKnown('third')]).toEqual([true, true]);
  });
});
