import { setTimeout as pause } from 'node:timers/promises';
import { claimWork } from '../../../activities/journal/outbox-claims';
import { newId } from '../../../entities/ids';
import { execute, query, queryOne } from '../../../entities/database/sql';
import { processClaim, type TopicHandler } from '../../../workers/relay/process-claim';
import { startRelay } from '../../../workers/relay/relay';
import { handlersWith } from '../../support/workers/handlers-with';
import { relayOnce } from '../../support/workers/relay-once';
import { useDeps } from '../../support/app';
import { outboxOn } from '../../support/workers/outbox-rows';
import { until } from '../../support/eventually';
import { holdTransaction } from '../../support/postgres/held-transaction';

const deps = useDeps();
beforeEach(async () => {
  await execute(deps.db.manager, 'DELETE FROM outbox');
});

const { put, delay, rows, claimOf } = outboxOn(() => deps);

describe('the relay', () => {
  it('carries the others on within moments while a row of their topic fails and hangs', async () => {
    const [poison] = await put('event_deliveries', 1);
    const waits: number[] = [];
    const carried = new Set<string>();
    const handler: TopicHandler = {
      async handle(work) {
        if (work.some(({ ref }) => ref === poison)) {
          await pause(work.length === 1 ? 5_000 : 20);
          throw new Error('it always fails');
        }
        for (const { ref } of work) carried.add(ref);
        return work.map(({ id }) => id);
      },
    };
    await execute(deps.db.manager, 'UPDATE outbox SET attempts = 2');
    const relay = startRelay(deps, handlersWith('event_deliveries', handler));
    for (let count = 1; count <= 30; count += 1) {
      const since = performance.now();
      const [ref = ''] = await put('event_deliveries', 1);
      await until(() => carried.has(ref));
      waits.push(performance.now() - since);
    }
    await relay.stop();
    expect(Math.max(...waits)).toBeLessThan(3_000);
    expect(await rows()).toMatchObject([{ ref: poison }]);
  });

  it('carries few rows alone at the same time, of all topics together', async () => {
    const topics = ['event_deliveries', 'stripe_payment'] as const;
    for (const topic of topics) await put(topic, 12, newId());
    await put('event_deliveries', 12, newId());
    await execute(deps.db.manager, 'UPDATE outbox SET attempts = 3');
    let atOnce = 0;
    let carried = 0;
    const seen: number[] = [];
    const slow: TopicHandler = {
      async handle(work) {
        atOnce += 1;
        seen.push(atOnce);
        await pause(20);
        atOnce -= 1;
        carried += work.length;
        return work.map(({ id }) => id);
      },
    };
    const relay = startRelay(deps, {
      ...handlersWith('event_deliveries', slow),
      stripe_payment: slow,
    });
    await until(() => carried === 36);
    await relay.stop();
    expect(Math.max(...seen)).toBeLessThanOrEqual(deps.config.databasePoolSize * 0.3);
    expect(await rows()).toEqual([]);
  });

  it('lets nobody wait behind the backlog of one workspace', async () => {
    const [many, few] = [newId(), newId()];
    const seen: string[] = [];
    const handler: TopicHandler = {
      claimSize: 20,
      async handle(work) {
        seen.push(...work.map(({ workspaceId }) => workspaceId));
        await pause(5);
        return work.map(({ id }) => id);
      },
    };
    await put('stripe_event', 2_000, many);
    const relay = startRelay(deps, handlersWith('stripe_event', handler));
    await until(() => seen.length > 100);
    const before = seen.length;
    await put('stripe_event', 1, few);
    await until(() => seen.includes(few));
    await relay.stop();
    expect(seen.indexOf(few) - before).toBeLessThan(400);
  });

  it.each([
    ['at first', 10_000],
    ['once it begins its looks at higher ids', 20],
  ])(
    'finds a row whose transaction began before higher ids were done: %s',
    async (_, refreshMs) => {
      let carried = 0;
      const handler: TopicHandler = {
        handle(work) {
          carried += work.length;
          return Promise.resolve(work.map(({ id }) => id));
        },
      };
      const relay = startRelay(deps, handlersWith('mail', handler), { refreshMs });
      const slow = await holdTransaction(deps.db);
      await query(
        slow.tx,
        `INSERT INTO outbox (topic, ref, available_at) VALUES ('mail', $1, now())`,
        [newId()],
      );
      await put('mail', 3);
      await until(() => carried === 3);
      await slow.commit();
      await until(() => carried === 4);
      await relay.stop();
    },
  );

  it('leaves the rows that it did not reach uncounted when what they need is away', async () => {
    await put('mail', 4);
    const handler: TopicHandler = {
      handle(work, report) {
        report.defer(work[0]?.id ?? 0);
        report.away();
        return Promise.resolve([]);
      },
    };
    await relayOnce(deps, 'mail', handler);
    expect(await rows()).toMatchObject(Array(4).fill({ attempts: 0, leased: false }));
  });

  it('finds delayed rows below those that it looks at often, more than a claim takes', async () => {
    const carried = new Set<string>();
    const handler: TopicHandler = {
      claimSize: 2,
      handle(work) {
        work.forEach(({ ref }) => carried.add(ref));
        return Promise.resolve(work.map(({ id }) => id));
      },
    };
    const delayed = await put('stripe_payment', 5);
    await delay();
    const relay = startRelay(deps, handlersWith('stripe_payment', handler), { refreshMs: 20 });
    for (let turn = 0; turn < 3; turn += 1) {
      const [ref = ''] = await put('stripe_payment', 1);
      await until(() => carried.has(ref));
    }
    expect(delayed.some((ref) => carried.has(ref))).toBe(false);
    deps.clock.advance(61_000);
    await until(() => delayed.every((ref) => carried.has(ref)));
    await relay.stop();
  });

  it('holds its lease while the work takes long', async () => {
    await put('mail', 1);
    const claim = await claimWork(deps.db.manager, claimOf());
    await execute(deps.db.manager, `UPDATE outbox SET lease_until = now() + interval '1 second'`);
    const handler: TopicHandler = {
      async handle(work) {
        await until(async () => (await leaseLeft()) > 5);
        return work.map(({ id }) => id);
      },
    };
    expect(await processClaim(deps, handler, { claim, renewEveryMs: 50 })).toMatchObject({
      done: 1,
    });
    expect(await rows()).toEqual([]);
  });
});

async function leaseLeft(): Promise<number> {
  const row = await queryOne<{ left: number }>(
    deps.db.manager,
    'SELECT extract(epoch FROM lease_until - now())::float8 AS left FROM outbox',
  );
  return row?.left ?? 0;
}
