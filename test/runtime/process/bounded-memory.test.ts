import type * as Isbot from 'isbot';
import type * as Jose from 'jose';
import { createBotJudge } from '../../../activities/clicks/bots';
import { LimitAndRepeat } from '../../../activities/clicks/limit-and-repeat';
import { createLocalCounts } from '../../../runtime/connections/local-counts';
import { createRateLimiter } from '../../../runtime/connections/rate-limiter';
import type { RedisLink } from '../../../runtime/connections/redis';
import { createAccessTokens } from '../../../runtime/crypto/access-tokens';

import { generateSecrets, type PrivateJwk } from '../../../runtime/config/secrets';
import { newId } from '../../../entities/ids';

/** The work that each memory spares: which User-Agents were judged, which tokens were verified. */
const mockJudged: string[] = [];
const mockVerified: string[] = [];
const mockId = '019f0000-0000-7000-8000-000000000000';

jest.mock('isbot', () => ({
  ...jest.requireActual<typeof Isbot>('isbot'),
  createIsbotFromList: () => (userAgent: string) => {
    mockJudged.push(userAgent);
    return false;
  },
}));
jest.mock('jose', () => ({
  ...jest.requireActual<typeof Jose>('jose'),
  jwtVerify: (token: string) => {
    mockVerified.push(token);
    const payload = { typ: 'partner', sub: mockId, sid: mockId, exp: 2_000_000_000 };
    return Promise.resolve({ payload });
  },
}));

const usedEvery = 500;

/**
 * Puts in one that stays in use, one that does not, and more than the memory keeps. A memory that forgets by
 * age alone loses both, one without a bound neither. Gives how often the first was used.
 */
async function fill(kept: number, use: (subject: string) => unknown): Promise<number> {
  const others = Array.from({ length: kept * 1.5 }, (_, n) => `other ${n}`);
  await use('in use');
  await use('out of use');
  for (let start = 0; start < others.length; start += usedEvery) {
    await Promise.all(others.slice(start, start + usedEvery).map(use));
    await use('in use');
  }
  return 1 + others.length / usedEvery;
}

const timesOf = (done: string[], subject: string): number =>
  done.filter((one) => one === subject).length;
const hour = 3_600_000;

describe('what is in use stays, and what is not makes room, in the memory of', () => {
  it('the counts beside the limits in Redis', async () => {
    const counts = createLocalCounts();
    const used = await fill(50_000, (key) => counts.note({ key, windowMs: hour }, 'unasked'));
    expect(counts.peek('in use')?.count).toBe(used);
    expect(counts.peek('out of use')).toBeUndefined();
    expect(counts.peek('other 0')).toBeUndefined();
  });

  it('clicks that a repeat may follow, while Redis is away', async () => {
    const redis = {
      client: { defineCommand: () => undefined },
      prefix: '',
      available: () => false,
      attempt: () => Promise.resolve(undefined),
    } as unknown as RedisLink;
    const limits = new LimitAndRepeat(createRateLimiter(redis), 0);
    const now = new Date();
    const click = (visitorId: string) =>
      limits.reserve({ visitorId, linkId: 'link', clickId: newId(now), isReturning: true, now });
    const [inUse, outOfUse] = [await click('in use'), await click('out of use')];
    await fill(20_000, click);
    expect(await click('in use')).toBe(inUse);
    expect(await click('out of use')).not.toBe(outOfUse);
  });

  it('judged User-Agents', async () => {
    const isKnownBot = createBotJudge();
    await fill(1_000, isKnownBot);
    isKnownBot('out of use');
    expect([timesOf(mockJudged, 'in use'), timesOf(mockJudged, 'out of use')]).toEqual([1, 2]);
  });

  it('verified access tokens', async () => {
    const keys = JSON.parse(generateSecrets().JWT_PRIVATE_KEYS) as PrivateJwk[];
    const tokens = createAccessTokens(keys);
    const now = new Date();
    await fill(10_000, (token) => tokens.verify(token, now));
    expect(await tokens.verify('in use', now)).toMatchObject({ accountId: mockId });
    await tokens.verify('out of use', now);
    expect([timesOf(mockVerified, 'in use'), timesOf(mockVerified, 'out of use')]).toEqual([1, 2]);
  });
});
