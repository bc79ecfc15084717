import { createReferralCache, type Asked } from '../../../activities/clicks/link-cache';
import type { Db } from '../../../entities/database/sql';
import { eventually } from '../../support/eventually';

const asked: Asked = { scope: { workspaceId: 'workspace', mode: 'live' }, ref: 'acme' };

/** A database that has what is in `rows`, and a clock that stands. */
function world() {
  const state = { now: 0, lookUps: 0, isAway: false, rows: [{ linkId: 'first', erased: false }] };
  const run = async () => {
    await Promise.resolve();
    state.lookUps += 1;
    if (state.isAway) throw new Error('away');
    return state;
  };
  const db = { run } as unknown as Db;
  return { state, cache: createReferralCache(db, 10, { now: () => 1 + state.now }) };
}

// Remembered for as long as any.
beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(1));
afterEach(() => jest.restoreAllMocks());

describe('the refs that a process remembers', () => {
  it('are looked up again before their time is over, once, while clicks go on with what is known', async () => {
    const { state, cache } = world();
    expect(await cache.find(asked)).toBe('first');
    state.now = 24_000;
    expect(cache.known(asked)).toBe('first');
    expect(state.lookUps).toBe(1);

    state.now = 51_000;
    state.rows = [{ linkId: 'second', erased: false }];
    expect(cache.known(asked)).toBe('first');
    expect(cache.known(asked)).toBe('first');
    await eventually(() => Promise.resolve(cache.known(asked) === 'second' || undefined));
    expect(state.lookUps).toBe(2);
    state.now = 51_000 + 24_000;
    expect(cache.known(asked)).toBe('second');
  });

  it('are forgotten after a minute without an answer, and at once when they lead nowhere', async () => {
    const { state, cache } = world();
    await cache.find(asked);
    state.isAway = true;
    state.now = 51_000;
    expect(cache.known(asked)).toBe('first');
    state.now = 60_001;
    expect(cache.known(asked)).toBeUndefined();

    state.isAway = false;
    await cache.find(asked);
    state.rows = [];
    state.now += 51_000;
    cache.known(asked);
    await eventually(() => Promise.resolve(cache.known(asked) === undefined || undefined));
  });
});
