import { createLocalCounts } from '../../../runtime/connections/local-counts';

const minute = 60_000;
const a = { key: 'a', windowMs: minute };
const b = { key: 'b', windowMs: minute };

describe('the counts beside the limits in Redis', () => {
  it('is what Redis gives, in whatever order its answers arrive', () => {
    const counts = createLocalCounts();
    const noted = [3, 1, 2].map((count) => counts.note(a, { count, ttlMs: minute }).count);

    expect(noted).toEqual([3, 1, 2]);
    expect(counts.peek('a')?.count).toBe(3);
  });

  it('goes on from there when Redis is late or away', () => {
    const counts = createLocalCounts();
    counts.note(a, { count: 7, ttlMs: 30_000 });

    expect(counts.note(a, 'late').count).toBe(8);
    expect(counts.note(a, 'unasked').count).toBe(9);
    expect(counts.note(a, 'unasked').ttlMs).toBeLessThanOrEqual(30_000);
    // Redis counted the late one, and never saw the other two.
    expect(counts.note(a, { count: 9, ttlMs: 29_000 }).count).toBe(11);
    expect(counts.peek('a')?.count).toBe(11);
  });

  it('counts by itself where nothing is known', () => {
    const counts = createLocalCounts();

    expect(counts.peek('a')).toBeUndefined();
    expect(counts.note(a, 'unasked').count).toBe(1);
    expect(counts.note(a, 'late').count).toBe(2);
    expect(counts.note(b, 'unasked').count).toBe(1);
  });

  it('begins again with the window of Redis', () => {
    const counts = createLocalCounts();
    counts.note(a, { count: 900, ttlMs: 5 });
    counts.note(a, 'unasked');

    expect(counts.note(a, { count: 1, ttlMs: minute })).toEqual({ count: 1, ttlMs: minute });
  });
});
