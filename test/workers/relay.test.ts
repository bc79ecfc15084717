import { setTimeout as pause } from 'node:timers/promises';
import { outboxTopics, noWorkspace, type OutboxTopic } from '../../activities/journal/outbox';
import { claimWork, type Claim, type ClaimOptions } from '../../activities/journal/outbox-claims';
import { claimDelayed } from '../../activities/journal/outbox-delayed';
import { attemptsAtMost, endClaim } from '../../activities/journal/outbox-outcome';
import { systemCause } from '../../activities/journal/cause';
import { listDeadWork, retryDeadWork } from '../../activities/journal/outbox-dead';
import { newId } from '../../entities/ids';
import { execute, query, queryOne } from '../../entities/database/sql';
import { carry, type TopicHandler } from '../../workers/carry-work';
import { createCursor, findLate } from '../../workers/outbox-cursor';
import { watchOutbox } from '../../workers/outbox-metrics';
import { startRelay, type RelayHandlers } from '../../workers/relay';
import { relayOnce } from '../support/workers/relay-once';
import { openTestDeps, type TestDeps } from '../support/app';

let deps: TestDeps;
beforeAll(async () => {
  deps = await openTestDeps();
});
afterAll(() => deps.close());
beforeEach(async () => {
  await execute(deps.db.manager, 'DELETE FROM outbox');
  await execute(deps.db.manager, 'DELETE FROM outbox_dead');
});

interface Row {
  id: number;
  ref: string;
  attempts: number;
  leased: boolean;
  waitMs: number;
  errorCode: string | null;
}

async function put(
  topic: OutboxTopic,
  count: number,
  workspaceId = noWorkspace,
): Promise<string[]> {
  const refs = Array.from({ length: count }, () => newId());
  await execute(
    deps.db.manager,
    `INSERT INTO outbox (topic, ref, workspace_id, available_at, created_at)
     SELECT $1, ref, $3, $4, $4 FROM unnest($2::uuid[]) WITH ORDINALITY AS r (ref, n) ORDER BY n`,
    [topic, refs, workspaceId, new Date(deps.clock.now().getTime() - 1_000)],
  );
  return refs;
}

/** All rows wait for a minute. */
async function delay(): Promise<void> {
  await execute(
    deps.db.manager,
    `UPDATE outbox SET available_at = created_at + interval '61 seconds'`,
  );
}

const rows = (now = deps.clock.now()): Promise<Row[]> =>
  query<Row>(
    deps.db.manager,
    `SELECT id, ref, attempts, lease_until > now() IS TRUE AS leased, error_code AS "errorCode",
       extract(epoch FROM available_at - $1::timestamptz)::float8 * 1000 AS "waitMs"
       FROM outbox ORDER BY id`,
    [now],
  );

const claimOf = (options: Partial<ClaimOptions> = {}): ClaimOptions => ({
  topic: 'mail',
  now: deps.clock.now(),
  limit: 10,
  from: 0,
  triedBelow: 1_000,
  afterWorkspace: null,
  ...options,
});

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 1_500; turn += 1) {
    if (await isTrue()) return;
    await pause(10);
  }
  throw new Error('it did not come to that');
}

/** A handler for one topic that cannot do the rows of `poison`; the other topics do theirs. */
function handlersWith(topic: OutboxTopic, handler: TopicHandler): RelayHandlers {
  const easy: TopicHandler = { handle: (work) => Promise.resolve(work.map(({ id }) => id)) };
  const all = Object.fromEntries(outboxTopics.map((name) => [name, easy])) as RelayHandlers;
  return { ...all, [topic]: handler };
}

describe('a claim', () => {
  it('is for one relay until its lease runs out, and its result counts with its token only', async () => {
    await put('mail', 1);
    const first = await claimWork(deps.db.manager, claimOf());
    expect(first.work).toHaveLength(1);
    expect((await claimWork(deps.db.manager, claimOf())).work).toEqual([]);

    await execute(deps.db.manager, `UPDATE outbox SET lease_until = now() - interval '1 second'`);
    const second = await claimWork(deps.db.manager, claimOf());
    expect(second.work[0]?.attempts).toBe(2);
    const done = { done: [first.work[0]?.id ?? 0], refused: new Map(), putOff: [], untouched: [] };
    await endClaim(deps.db.manager, first, { ...done, now: deps.clock.now() });
    expect(await rows()).toHaveLength(1);
    await endClaim(deps.db.manager, second, { ...done, now: deps.clock.now() });
    expect(await rows()).toEqual([]);
  });

  it('takes some of each workspace, whatever the backlog of one', async () => {
    const workspaces = [newId(), newId(), newId()];
    await put('mail', 300, workspaces[0]);
    for (const workspaceId of workspaces.slice(1)) await put('mail', 2, workspaceId);

    const oldest = await claimWork(deps.db.manager, claimOf({ limit: 30 }));
    expect(new Set(oldest.work.map(({ workspaceId }) => workspaceId)).size).toBe(1);
    const start = '00000000-0000-0000-0000-000000000000';
    const shared = await claimWork(deps.db.manager, claimOf({ limit: 30, afterWorkspace: start }));
    const byWorkspace = workspaces.map(
      (one) => shared.work.filter(({ workspaceId }) => workspaceId === one).length,
    );
    expect(byWorkspace).toEqual([10, 2, 2]);
  });

  it('touches no index when it leases and gives back', async () => {
    const indexed = await query<{ columns: string; condition: string | null }>(
      deps.db.manager,
      `SELECT string_agg(a.attname, ',' ORDER BY k.n) AS columns,
          pg_get_expr(i.indpred, i.indrelid) AS condition
         FROM pg_index i CROSS JOIN unnest(i.indkey) WITH ORDINALITY AS k (attnum, n)
         JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
        WHERE i.indrelid = 'outbox'::regclass
        GROUP BY i.indexrelid, i.indpred, i.indrelid ORDER BY columns`,
    );
    const condition = `((available_at - created_at) > '00:00:05'::interval)`;
    expect(indexed).toEqual([
      { columns: 'topic,available_at', condition },
      { columns: 'topic,id', condition: null },
      { columns: 'topic,workspace_id,available_at', condition },
      { columns: 'topic,workspace_id,id', condition: null },
    ]);
  });

  it('of delayed rows takes some of each workspace, and goes on behind the last', async () => {
    const workspaces = [newId(), newId(), newId()].sort();
    await put('mail', 40, workspaces[0]);
    for (const one of workspaces.slice(1)) await put('mail', 2, one);
    await delay();
    const claim = (limit: number, afterWorkspace: string) =>
      claimDelayed(deps.db.manager, { ...claimOf({ limit }), token: newId(), afterWorkspace });
    const start = '00000000-0000-0000-0000-000000000000';
    expect(await claim(30, start)).toEqual({ work: [], behind: null });
    deps.clock.advance(61_000);

    const shared = await claim(30, start);
    expect(shared.behind).toBeNull();
    const byWorkspace = workspaces.map(
      (one) => shared.work.filter(({ workspaceId }) => workspaceId === one).length,
    );
    expect(byWorkspace).toEqual([10, 2, 2]);
    expect((await claimWork(deps.db.manager, claimOf({ kind: 'fresh' }))).work).toEqual([]);

    await execute(deps.db.manager, 'UPDATE outbox SET lease_until = NULL');
    const first = await claim(2, start);
    expect(new Set(first.work.map(({ workspaceId }) => workspaceId)).size).toBe(2);
    expect(first.behind).toBe(workspaces[1]);
    const last = await claim(2, first.behind ?? '');
    expect(last.work.map(({ workspaceId }) => workspaceId)).toEqual(Array(2).fill(workspaces[2]));
    expect(last.behind).toBeNull();
  });
});

describe('a handler that throws', () => {
  it('keeps no lease: the batch comes back in a moment, then row by row', async () => {
    const refs = await put('events', 5);
    const poison = refs[2];
    const sizes: number[] = [];
    const handler: TopicHandler = {
      handle(work) {
        sizes.push(work.length);
        if (work.some(({ ref }) => ref === poison)) throw new Error('a rule that throws');
        return Promise.resolve(work.map(({ id }) => id));
      },
    };
    expect(await relayOnce(deps, 'events', handler)).toBe(0);
    const after = await rows();
    expect(after.every(({ leased, attempts }) => !leased && attempts === 1)).toBe(true);
    expect(Math.max(...after.map(({ waitMs }) => waitMs))).toBeLessThanOrEqual(250);

    deps.clock.advance(1_000);
    await relayOnce(deps, 'events', handler);
    deps.clock.advance(1_000);
    expect(await relayOnce(deps, 'events', handler)).toBe(4);
    expect(sizes).toEqual([5, 5, 1, 1, 1, 1, 1]);
    expect(await rows()).toMatchObject([{ ref: poison, attempts: 3, errorCode: 'Error' }]);
  });

  it('counts no attempt while the database is away', async () => {
    await put('events', 3);
    const handler: TopicHandler = {
      handle: () => Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })),
    };
    await relayOnce(deps, 'events', handler);
    expect(await rows()).toMatchObject(Array(3).fill({ attempts: 0, leased: false }));
  });

  it('counts a held lock against the rows, so that these are found one by one', async () => {
    await put('events', 2);
    const handler: TopicHandler = {
      handle: () => Promise.reject(Object.assign(new Error('lock'), { code: '55P03' })),
    };
    await relayOnce(deps, 'events', handler);
    expect(await rows()).toMatchObject(Array(2).fill({ attempts: 1, errorCode: '55P03' }));
  });
});

describe('dead letters', () => {
  it('take a row out after its attempts; a retry queues it again from the start', async () => {
    const workspaceId = newId();
    const [ref = ''] = await put('stripe_event', 1, workspaceId);
    const refuse: TopicHandler = {
      handle: (work, report) => {
        work.forEach(({ id }) => report.refused(id, 'GRPC_3'));
        return Promise.resolve([]);
      },
    };
    for (let attempt = 0; attempt < attemptsAtMost; attempt += 1) {
      deps.clock.advance(301_000);
      await relayOnce(deps, 'stripe_event', refuse);
    }
    expect(await rows()).toEqual([]);
    expect(await listDeadWork(deps.db.manager, 'mail')).toEqual([]);
    const [dead] = await listDeadWork(deps.db.manager);
    expect(dead).toMatchObject({ topic: 'stripe_event', ref, workspaceId, errorCode: 'GRPC_3' });
    expect(dead?.attempts).toBe(attemptsAtMost);
    watchOutbox(deps);
    expect(await deps.metrics.metrics()).toMatch(/outbox_dead\{topic="stripe_event".*\} 1\n/);

    const now = deps.clock.now();
    expect(await retryDeadWork(deps.db.manager, systemCause(now), { id: dead?.id ?? '' })).toBe(1);
    expect(await rows()).toMatchObject([{ ref, attempts: 0 }]);
    expect(await listDeadWork(deps.db.manager)).toEqual([]);
  });
});

describe('dead letters of the same work', () => {
  const refuse = (code: string): TopicHandler => ({
    handle: (work, report) => {
      work.forEach(({ id }) => report.refused(id, code));
      return Promise.resolve([]);
    },
  });
  const die = async (code: string): Promise<void> => {
    await execute(deps.db.manager, 'UPDATE outbox SET attempts = $1', [attemptsAtMost - 1]);
    await relayOnce(deps, 'test_reset', refuse(code));
    expect(await rows()).toEqual([]);
  };

  it('are one row, the latest, with how often and since when it died', async () => {
    const [ref = ''] = await put('test_reset', 1);
    await die('GRPC_3');
    const [first] = await listDeadWork(deps.db.manager);
    expect(first).toMatchObject({ ref, times: 1, firstDiedAt: first?.diedAt });

    for (let time = 2; time <= 3; time += 1) {
      deps.clock.advance(3_600_000);
      await put('test_reset', 1);
      await execute(deps.db.manager, 'UPDATE outbox SET ref = $1', [ref]);
      await die('GRPC_5');
    }
    const [dead, ...others] = await listDeadWork(deps.db.manager);
    const { id, diedAt = 0 } = first ?? {};
    expect(dead).toMatchObject({ id, ref, errorCode: 'GRPC_5', times: 3, firstDiedAt: diedAt });
    expect(Number(dead?.diedAt)).toBeGreaterThanOrEqual(Number(diedAt) + 7_200_000);
    expect(others).toEqual([]);

    await put('test_reset', 2);
    await execute(deps.db.manager, 'UPDATE outbox SET ref = $1', [ref]);
    await execute(
      deps.db.manager,
      `UPDATE outbox SET payload = '{"mode": "test"}' WHERE id = (SELECT max(id) FROM outbox)`,
    );
    await die('GRPC_5');
    const times = (await listDeadWork(deps.db.manager)).map((one) => one.times);
    expect(times.toSorted((a, b) => a - b)).toEqual([1, 4]);
  });
});

describe('what is put off', () => {
  const claimAgain = async (): Promise<Claim> => {
    await execute(deps.db.manager, 'UPDATE outbox SET available_at = $1', [deps.clock.now()]);
    return claimWork(deps.db.manager, claimOf());
  };

  it('comes back later each time, and is never given up for it', async () => {
    await put('mail', 1);
    const waits: number[] = [];
    for (let time = 0; time < attemptsAtMost + 5; time += 1) {
      const claim = await claimAgain();
      const putOff = claim.work.map(({ id }) => id);
      const now = deps.clock.now();
      const outcome = { done: [], refused: new Map(), putOff, untouched: [], now };
      expect(await endClaim(deps.db.manager, claim, outcome)).toBe(0);
      const [row] = await rows(now);
      expect(row).toMatchObject({ attempts: 0, leased: false });
      waits.push(row?.waitMs ?? 0);
    }
    expect(waits.slice(0, 7)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    expect(waits.at(-1)).toBe(30_000);
    expect(await listDeadWork(deps.db.manager)).toEqual([]);
  });

  it('lets the others of its topic pass, when as many as there are calls are put off', async () => {
    const bad = new Set(await put('commission', 4));
    const carried = new Set<string>();
    const handler: TopicHandler = {
      batch: () => 4,
      handle(work, report) {
        const good = work.filter(({ ref }) => !bad.has(ref));
        if (good.length === 0) report.away();
        work.filter(({ ref }) => bad.has(ref)).forEach(({ id }) => report.putOff(id));
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

describe('the relay', () => {
  it('carries the others on within moments while a row of their topic fails and hangs', async () => {
    const [poison] = await put('events', 1);
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
    const relay = startRelay(deps, handlersWith('events', handler));
    for (let count = 1; count <= 30; count += 1) {
      const since = performance.now();
      const [ref = ''] = await put('events', 1);
      await until(() => carried.has(ref));
      waits.push(performance.now() - since);
    }
    await relay.stop();
    expect(Math.max(...waits)).toBeLessThan(3_000);
    expect(await rows()).toMatchObject([{ ref: poison }]);
  });

  it('carries few rows alone at the same time, of all topics together', async () => {
    const topics = ['events', 'stripe_payment'] as const;
    for (const topic of topics) await put(topic, 12, newId());
    await put('events', 12, newId());
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
    const relay = startRelay(deps, { ...handlersWith('events', slow), stripe_payment: slow });
    await until(() => carried === 36);
    await relay.stop();
    expect(Math.max(...seen)).toBeLessThanOrEqual(deps.config.databasePoolSize * 0.3);
    expect(await rows()).toEqual([]);
  });

  it('lets nobody wait behind the backlog of one workspace', async () => {
    const [many, few] = [newId(), newId()];
    const seen: string[] = [];
    const handler: TopicHandler = {
      batch: () => 20,
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
  ])('finds a row whose transaction began before higher ids were done: %s', async (_, cursorMs) => {
    let carried = 0;
    const handler: TopicHandler = {
      handle(work) {
        carried += work.length;
        return Promise.resolve(work.map(({ id }) => id));
      },
    };
    const relay = startRelay(deps, handlersWith('mail', handler), { cursorMs });
    const slow = deps.db.createQueryRunner();
    await slow.startTransaction();
    await slow.query(`INSERT INTO outbox (topic, ref, available_at) VALUES ('mail', $1, now())`, [
      newId(),
    ]);
    await put('mail', 3);
    await until(() => carried === 3);
    await slow.commitTransaction();
    await slow.release();
    await until(() => carried === 4);
    await relay.stop();
  });

  it('leaves the rows that it did not reach uncounted when what they need is away', async () => {
    await put('mail', 4);
    const handler: TopicHandler = {
      handle(work, report) {
        report.putOff(work[0]?.id ?? 0);
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
      batch: () => 2,
      handle(work) {
        work.forEach(({ ref }) => carried.add(ref));
        return Promise.resolve(work.map(({ id }) => id));
      },
    };
    const delayed = await put('stripe_payment', 5);
    await delay();
    const relay = startRelay(deps, handlersWith('stripe_payment', handler), { cursorMs: 20 });
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
        await until(async () => (await leaseLeft()) > 20);
        return work.map(({ id }) => id);
      },
    };
    expect(await carry(deps, handler, { claim, renewEveryMs: 50 })).toMatchObject({ done: 1 });
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

describe('what a relay looks at often', () => {
  it('begins after rows that are delayed, and not after those that are leased', async () => {
    await put('mail', 1);
    await delay();
    await put('mail', 3);
    await claimWork(deps.db.manager, claimOf({ kind: 'fresh', limit: 1 }));
    const cursor = createCursor(-1);
    const from = async (): Promise<number> => {
      await cursor.advance(deps.db.manager, 'mail');
      return cursor.fresh;
    };
    const first = (await rows())[1]?.id ?? 0;
    // The look before the last counts as well.
    expect([await from(), await from()]).toEqual([0, first]);
    expect(await findLate(deps.db.manager, 'mail', cursor)).toBe(false);

    await execute(deps.db.manager, 'DELETE FROM outbox WHERE id = $1', [first]);
    expect([await from(), await from()]).toEqual([first, first + 1]);
    await execute(
      deps.db.manager,
      `INSERT INTO outbox (topic, id, ref, available_at, created_at) OVERRIDING SYSTEM VALUE
       VALUES ('mail', $1, $2, now(), now())`,
      [first, newId()],
    );
    expect(await from()).toBe(first + 1);
    expect(await findLate(deps.db.manager, 'mail', cursor)).toBe(true);
    expect(cursor.fresh).toBe(first);
  });
});
