import { createLimitTally } from '../../activities/runtime/batching/limit-tally';

const minute = 60_000;

describe('the tally beside the limits in Redis', () => {
  it('is what Redis gives, in whatever order its answers arrive', () => {
    const tally = createLimitTally(minute);
    const counts = [3, 1, 2].map((count) => tally.note('a', { count, ttlMs: minute }).count);

    expect(counts).toEqual([3, 1, 2]);
    expect(tally.peek('a')?.count).toBe(3);
  });

  it('goes on from there when Redis is late or away', () => {
    const tally = createLimitTally(minute);
    tally.note('a', { count: 7, ttlMs: 30_000 });

    expect(tally.note('a', 'late').count).toBe(8);
    expect(tally.note('a', 'unasked').count).toBe(9);
    expect(tally.note('a', 'unasked').ttlMs).toBeLessThanOrEqual(30_000);
    // Redis counted the late one, and never saw the other two.
    expect(tally.note('a', { count: 9, ttlMs: 29_000 }).count).toBe(11);
    expect(tally.peek('a')?.count).toBe(11);
  });

  it('counts by itself where nothing is known', () => {
    const tally = createLimitTally(minute);

    expect(tally.peek('a')).toBeUndefined();
    expect(tally.note('a', 'unasked').count).toBe(1);
    expect(tally.note('a', 'late').count).toBe(2);
    expect(tally.note('b', 'unasked').count).toBe(1);
  });

  it('begins again with the window of Redis', () => {
    const tally = createLimitTally(minute);
    tally.note('a', { count: 900, ttlMs: 5 });
    tally.note('a', 'unasked');

    expect(tally.note('a', { count: 1, ttlMs: minute })).toEqual({ count: 1, ttlMs: minute });
  });
});
