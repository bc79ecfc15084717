import { execute } from '../../../entities/database/sql';
import type { TopicHandler } from '../../../workers/relay/process-claim';
import { relayOnce } from '../../support/workers/relay-once';
import { useDeps } from '../../support/app';
import { outboxOn } from '../../support/workers/outbox-rows';

const deps = useDeps();
beforeEach(async () => {
  await execute(deps.db.manager, 'DELETE FROM outbox');
});

const { put, rows } = outboxOn(() => deps);

describe('a handler that throws', () => {
  it('keeps no lease: the batch comes back in a moment, then row by row', async () => {
    const refs = await put('event_deliveries', 5);
    const poison = refs[2];
    const sizes: number[] = [];
    const handler: TopicHandler = {
      handle(work) {
        sizes.push(work.length);
        if (work.some(({ ref }) => ref === poison)) throw new Error('a rule that throws');
        return Promise.resolve(work.map(({ id }) => id));
      },
    };
    expect(await relayOnce(deps, 'event_deliveries', handler)).toBe(0);
    const after = await rows();
    expect(after.every(({ leased, attempts }) => !leased && attempts === 1)).toBe(true);
    expect(Math.max(...after.map(({ waitMs }) => waitMs))).toBeLessThanOrEqual(250);

    deps.clock.advance(1_000);
    await relayOnce(deps, 'event_deliveries', handler);
    deps.clock.advance(1_000);
    expect(await relayOnce(deps, 'event_deliveries', handler)).toBe(4);
    expect(sizes).toEqual([5, 5, 1, 1, 1, 1, 1]);
    expect(await rows()).toMatchObject([{ ref: poison, attempts: 3, errorCode: 'Error' }]);
  });

  it('counts no attempt while the database is away', async () => {
    await put('event_deliveries', 3);
    const handler: TopicHandler = {
      handle: () => Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })),
    };
    await relayOnce(deps, 'event_deliveries', handler);
    expect(await rows()).toMatchObject(Array(3).fill({ attempts: 0, leased: false }));
  });

  it('counts a held lock against the rows, so that these are found one by one', async () => {
    await put('event_deliveries', 2);
    const handler: TopicHandler = {
      handle: () => Promise.reject(Object.assign(new Error('lock'), { code: '55P03' })),
    };
    await relayOnce(deps, 'event_deliveries', handler);
    expect(await rows()).toMatchObject(Array(2).fill({ attempts: 1, errorCode: '55P03' }));
  });
});
