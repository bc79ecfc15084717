import type { KeyKind } from '../../../entities/rules/values/mode';
import { useApp } from '../../support/app';
import { buildApiKey } from '../../support/build/accounts';

const app = useApp({ RATE_LIMIT_CONVERSIONS: '8', RATE_LIMIT_GENERAL: '5' });

const buildKey = async (kind: KeyKind = 'secret') =>
  (await buildApiKey(app.deps.db.manager, { kind, mode: 'test' })).key;

const report = (key: string) =>
  app.client.post<{ code?: string }>(
    '/api/v1/conversions',
    {},
    { headers: { Authorization: `Bearer ${key}` } },
  );

const remaining = ({ headers }: { headers: Headers }) => headers.get('ratelimit-remaining');

describe('the limit of a secret key (requests.md, Limits)', () => {
  it('counts the first request and those of a key that is in memory alike', async () => {
    const key = await buildKey();
    const answers = [await report(key), await report(key), await report(key)];

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect(answers.map(remaining)).toEqual(['7', '6', '5']);
    expect(answers[2]?.headers.get('ratelimit-limit')).toBe('8');
    expect(Number(answers[2]?.headers.get('ratelimit-reset'))).toBeGreaterThan(0);
  });

  it('is one of sign-ups and conversions together', async () => {
    const key = await buildKey();
    const headers = { Authorization: `Bearer ${key}` };
    const signUp = await app.client.post('/api/v1/customers', {}, { headers });
    expect([signUp.status, remaining(signUp), remaining(await report(key))]).toEqual([
      400,
      '7',
      '6',
    ]);
  });

  it('is the general one of a management key, for conversions too', async () => {
    const key = await buildKey('management');
    const answers = [await report(key), await report(key)];

    expect(answers.map(remaining)).toEqual(['4', '3']);
    expect(answers[1]?.headers.get('ratelimit-limit')).toBe('5');
  });

  it('holds for requests at once', async () => {
    const key = await buildKey();
    await report(key);
    const answers = await Promise.all(Array.from({ length: 12 }, () => report(key)));

    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5);
    expect((await report(await buildKey())).status).toBe(400);
  });

  it('counts nothing while its address is refused for bad credentials', async () => {
    const [key, refusedKey] = [await buildKey(), `sk_test_${'x'.repeat(43)}`];
    expect(remaining(await report(key))).toBe('7');
    for (let guess = 0; guess < 5; guess += 1) expect((await report(refusedKey)).status).toBe(401);

    const refused = await report(key);
    expect(refused.status).toBe(429);
    // The limit of the address, not of the key.
    expect(refused.headers.get('ratelimit-limit')).toBe('5');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const keys = await app.deps.redis.client.keys(`${app.deps.redis.prefix}limit:conversions:*`);
    const counts = await Promise.all(keys.map((name) => app.deps.redis.client.get(name)));
    expect(counts.toSorted()).toEqual(['1', '1', '13', '2', '3']);
  });
});
