import { claimWork, type Claim } from '../../../activities/journal/outbox-claims';
import { maxAttempts, endClaim } from '../../../activities/journal/outbox-outcome';
import { listDeadWork } from '../../../activities/journal/outbox-dead';
import { execute } from '../../../entities/database/sql';
import type { TopicHandler } from '../../../workers/relay/process-claim';
import { relayOnce } from '../../support/workers/relay-once';
import { useDeps } from '../../support/app';
import { outboxOn } from '../../support/workers/outbox-rows';

const deps = useDeps();
beforeEach(async () => {
  await execute(deps.db.manager, 'DELETE FROM outbox');
});

const { put, rows, claimOf } = outboxOn(() => deps);

describe('what is deferred', () => {
  const claimAgain = async (): Promise<Claim> => {
    await execute(deps.db.manager, 'UPDATE outbox SET available_at = $1', [deps.clock.now()]);
    return claimWork(deps.db.manager, claimOf());
  };

  it('comes back later each time, and is never given up for it', async () => {
    await put('mail', 1);
    const waits: number[] = [];
    for (let time = 0; time < maxAttempts + 5; time += 1) {
      const claim = await claimAgain();
      const deferred = claim.work.map(({ id }) => id);
      const now = deps.clock.now();
      const outcome = { done: [], refused: new Map(), deferred, untouched: [], now };
      expect(await endClaim(deps.db.manager, claim, outcome)).toBe(0);
      const [row] = await rows(now);
      expect(row).toMatchObject({ attempts: 0, leased: false });
      waits.push(row?.waitMs ?? 0);
    }
    expect(waits.slice(0, 7)).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 10_000]);
    expect(waits.at(-1)).toBe(10_000);
    expect(await listDeadWork(deps.db.manager)).toEqual([]);
  });

  it('lets the others of its topic pass, when as many as there are calls are deferred', async () => {
    const bad = new Set(await put('commission', 4));
    const carried = new Set<string>();
    const handler: TopicHandler = {
      claimSize: 4,
      handle(work, report) {
        const good = work.filter(({ ref }) => !bad.has(ref));
        if (good.length === 0) report.away();
        work.filter(({ ref }) => bad.has(ref)).forEach(({ id }) => report.defer(id));
        good.forEach(({ ref }) => carried.add(ref));
        return Promise.resolve(good.map(({ id }) => id));
      },
    };
    for (let round = 0; round < 4; round += 1) {
      await relayOnce(deps, 'commission', handler);
      deps.clock.advance(1_000);
    }
    const good = await put('commission', 4);
    await relayOnce(deps, 'commission', handler);
    expect([...carried].toSorted()).toEqual(good.toSorted());
  });
});
