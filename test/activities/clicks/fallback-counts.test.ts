import { createFallbackCounts } from '../../../activities/clicks/fallback-counts';

const minute = 60_000;

describe('the tally of clicks', () => {
  it('is what Redis tells as long as it tells something', () => {
    const tally = createFallbackCounts(minute);

    expect(tally.note('key', { count: 1, ttlMs: minute })).toEqual({ count: 1, ttlMs: minute });
    expect(tally.note('key', { count: 7, ttlMs: 59_000 })).toEqual({ count: 7, ttlMs: 59_000 });
    expect(tally.note('other', { count: 3, ttlMs: 500 })).toEqual({ count: 3, ttlMs: 500 });
  });

  it('goes on from there when Redis is away, and afterwards', () => {
    const tally = createFallbackCounts(minute);
    tally.note('key', { count: 7, ttlMs: 30_000 });

    expect(tally.note('key', undefined).count).toBe(8);
    expect(tally.note('key', undefined).ttlMs).toBeLessThanOrEqual(30_000);
    // Redis never saw those two.
    expect(tally.note('key', { count: 8, ttlMs: 29_000 }).count).toBe(10);
  });

  it('begins a minute of its own when nothing is known', () => {
    expect(createFallbackCounts(minute).note('key', undefined)).toEqual({
      count: 1,
      ttlMs: minute,
    });
  });

  it('begins anew with the minute of Redis', () => {
    const tally = createFallbackCounts(minute);
    tally.note('key', { count: 900, ttlMs: 5 });

    expect(tally.note('key', { count: 1, ttlMs: minute })).toEqual({ count: 1, ttlMs: minute });
    expect(tally.note('key', { count: 2, ttlMs: minute }).count).toBe(2);
  });
});
