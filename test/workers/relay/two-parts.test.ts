import { claimWork, type Work } from '../../../activities/journal/outbox-claims';
import { execute } from '../../../entities/database/sql';
import { carry, type TopicHandler } from '../../../workers/relay/carry-work';
import { startRelay } from '../../../workers/relay/relay';
import { openTestDeps, type TestDeps } from '../../support/app';
import { eventually } from '../../support/eventually';
import { handlersWith } from '../../support/workers/handlers-with';
import { outboxOn } from '../../support/workers/outbox-rows';

let deps: TestDeps;
beforeAll(async () => {
  deps = await openTestDeps();
});
afterAll(() => deps.close());
beforeEach(async () => {
  await execute(deps.db.manager, 'DELETE FROM outbox');
});

const { put, rows, claimOf } = outboxOn(() => deps);

const idsOf = (work: readonly Work[]): number[] => work.map(({ id }) => id);
const untilTrue = (isTrue: () => boolean): Promise<true> =>
  eventually(() => Promise.resolve(isTrue() || undefined));

describe('work in two parts', () => {
  it('is handled while what was handled before is finished, and finished in its order', async () => {
    const handled: string[] = [];
    const finished: string[] = [];
    let mayFinish = (): void => undefined;
    const finishing = new Promise<void>((resolve) => {
      mayFinish = resolve;
    });
    const handler: TopicHandler = {
      handle(work) {
        handled.push(...work.map(({ ref }) => ref));
        return Promise.resolve(idsOf(work));
      },
      async finish(work) {
        await finishing;
        finished.push(...work.map(({ ref }) => ref));
        return idsOf(work);
      },
    };
    const relay = startRelay(deps, handlersWith('events', handler));
    const refs: string[] = [];
    for (let count = 1; count <= 3; count += 1) {
      refs.push(...(await put('events', 1)));
      await untilTrue(() => handled.length === count);
    }
    const [fourth = ''] = await put('events', 1);
    expect(finished).toEqual([]);
    expect((await rows()).filter(({ leased }) => leased)).toHaveLength(3);

    mayFinish();
    await untilTrue(() => finished.length === 4);
    await relay.stop();
    expect(handled).toEqual([...refs, fourth]);
    expect(finished).toEqual([...refs, fourth]);
    expect(await rows()).toEqual([]);
  });

  it('is finished for the rows only that were handled', async () => {
    const refs = await put('mail', 3);
    const finished: string[] = [];
    const handler: TopicHandler = {
      handle(work, report) {
        report.putOff(work[0]?.id ?? 0);
        return Promise.resolve(idsOf(work).slice(1));
      },
      finish(work) {
        finished.push(...work.map(({ ref }) => ref));
        return Promise.resolve(idsOf(work).slice(1));
      },
    };
    const claim = await claimWork(deps.db.manager, claimOf());
    expect(await carry(deps, handler, { claim })).toMatchObject({ done: 1 });
    expect(finished).toEqual(refs.slice(1));
    expect(await rows()).toMatchObject([
      { ref: refs[0], attempts: 0 },
      { ref: refs[1], attempts: 1, errorCode: 'NOT_DONE' },
    ]);
  });

  it('is given back uncounted where it has not begun when the process stops', async () => {
    await put('mail', 2);
    const claim = await claimWork(deps.db.manager, claimOf());
    const handle = jest.fn<Promise<number[]>, []>();
    deps.lifecycle.stopping = true;
    const carried = await carry(deps, { handle }, { claim });
    deps.lifecycle.stopping = false;
    expect(carried).toEqual({ done: 0, isAway: true });
    expect(handle).not.toHaveBeenCalled();
    expect(await rows()).toMatchObject(Array(2).fill({ attempts: 0, leased: false }));
  });

  it('is done again from the first part when the second throws', async () => {
    await put('mail', 2);
    const handler: TopicHandler = {
      handle: (work) => Promise.resolve(idsOf(work)),
      finish: () => Promise.reject(new Error('a rule that throws')),
    };
    const claim = await claimWork(deps.db.manager, claimOf());
    expect(await carry(deps, handler, { claim })).toMatchObject({ done: 0 });
    expect(await rows()).toMatchObject(
      Array(2).fill({ attempts: 1, leased: false, errorCode: 'Error' }),
    );
  });
});
