import { createFallbackCounts } from '../../../activities/clicks/fallback-counts';

const minute = 60_000;

describe('the counts of clicks', () => {
  it('is what Redis reports as long as it answers', () => {
    const counts = createFallbackCounts(minute);

    expect(counts.note('key', { count: 1, ttlMs: minute })).toEqual({ count: 1, ttlMs: minute });
    expect(counts.note('key', { count: 7, ttlMs: 59_000 })).toEqual({ count: 7, ttlMs: 59_000 });
    expect(counts.note('other', { count: 3, ttlMs: 500 })).toEqual({ count: 3, ttlMs: 500 });
  });

  it('goes on from there when Redis is away, and afterwards', () => {
    const counts = createFallbackCounts(minute);
    counts.note('key', { count: 7, ttlMs: 30_000 });

    expect(counts.note('key', undefined).count).toBe(8);
    expect(counts.note('key', undefined).ttlMs).toBeLessThanOrEqual(30_000);
    // Redis never saw those two.
    expect(counts.note('key', { count: 8, ttlMs: 29_000 }).count).toBe(10);
  });

  it('begins a minute of its own when nothing is known', () => {
    expect(createFallbackCounts(minute).note('key', undefined)).toEqual({
      count: 1,
      ttlMs: minute,
    });
  });

  it('begins anew with the minute of Redis', () => {
    const counts = createFallbackCounts(minute);
    counts.note('key', { count: 900, ttlMs: 5 });

    expect(counts.note('key', { count: 1, ttlMs: minute })).toEqual({ count: 1, ttlMs: minute });
    expect(counts.note('key', { count: 2, ttlMs: minute }).count).toBe(2);
  });
});
