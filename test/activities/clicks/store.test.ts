import { createClickBatcher, type ClickRow } from '../../../activities/clicks/store';
import { findClick } from '../../../activities/clicks/clicks';
import { ensurePartitionsOf } from '../../../activities/maintenance/partitions';
import { createDatabase } from '../../../entities/database/database';
import { newId, uuidTime } from '../../../entities/ids';
import { execute, query, queryOne } from '../../../entities/database/sql';
import { buildParticipant, type BuiltParticipant } from '../../support/build/programs';
import { createTestDatabase, type TestDatabase } from '../../support/database';

let database: TestDatabase;
let source: ReturnType<typeof createDatabase>;
let participant: BuiltParticipant;

beforeAll(async () => {
  database = await createTestDatabase();
  source = createDatabase({ url: database.url });
  participant = await buildParticipant(source.manager);
});
afterAll(async () => {
  await source.destroy();
  await database.drop();
});

const row = (overrides: Partial<ClickRow> = {}): ClickRow => {
  const id = overrides.id ?? newId();
  return {
    id,
    createdAt: uuidTime(id),
    linkId: participant.linkId,
    visitorId: newId(),
    url: 'https://shop.example/"quoted", {braces} and \\',
    referrer: null,
    userAgent: null,
    ipHash: null,
    isRepeat: false,
    ...overrides,
  };
};

const countOf = async (ids: string[]) =>
  (
    await queryOne<{ count: number }>(
      source.manager,
      'SELECT count(*) AS count FROM clicks WHERE id = ANY($1::uuid[])',
      [ids],
    )
  )?.count;

describe('the click batcher', () => {
  it('stores each row of a burst before it answers', async () => {
    const batcher = createClickBatcher(source.manager);
    const rows = Array.from({ length: 1_200 }, () => row());
    const results = await Promise.all(rows.map((one) => batcher.submit(one)));

    expect(results.every((result) => result?.created)).toBe(true);
    expect(await countOf(rows.map(({ id }) => id))).toBe(1_200);
    const stored = await findClick(source.manager, participant, rows[0]?.id ?? '');
    expect(stored).toMatchObject({
      url: rows[0]?.url,
      participantId: participant.id,
      programId: participant.programId,
      mode: participant.mode,
      creditable: true,
    });
  });

  it('tells exactly one of several equal clicks that it is the first', async () => {
    const batcher = createClickBatcher(source.manager);
    const id = newId();
    const results = await Promise.all(
      [true, true, false, true].map((isRepeat) => batcher.submit(row({ id, isRepeat }))),
    );

    expect(results.map((result) => result?.created)).toEqual([false, false, true, false]);
    expect((await batcher.submit(row({ id, isRepeat: true })))?.created).toBe(false);
    expect(await countOf([id])).toBe(1);
  });

  it('stores a repeat whose first was lost', async () => {
    const batcher = createClickBatcher(source.manager);
    const id = newId();

    expect((await batcher.submit(row({ id, isRepeat: true })))?.created).toBe(true);
    expect(await countOf([id])).toBe(1);
  });

  it('stores nothing for a link or partner that is gone, and tells so', async () => {
    const batcher = createClickBatcher(source.manager);
    const gone = row({ linkId: newId() });
    const [missing, present] = await Promise.all([batcher.submit(gone), batcher.submit(row())]);

    expect(missing).toBeUndefined();
    expect(present?.created).toBe(true);
    expect(await countOf([gone.id])).toBe(0);
  });

  it('stores the neighbours of a row that the database refuses', async () => {
    const batcher = createClickBatcher(source.manager);
    const good = [row(), row()];
    const bad = row({ url: 'a\0b' });
    const [first, refused, last] = await Promise.allSettled([
      batcher.submit(good[0] as ClickRow),
      batcher.submit(bad),
      batcher.submit(good[1] as ClickRow),
    ]);

    expect(first).toMatchObject({ status: 'fulfilled', value: { created: true } });
    expect(refused.status).toBe('rejected');
    expect(last).toMatchObject({ status: 'fulfilled', value: { created: true } });
    expect(await countOf([...good, bad].map(({ id }) => id))).toBe(2);
  });

  it('survives the loss of its connections: what it answered is stored', async () => {
    const batcher = createClickBatcher(source.manager);
    const acknowledged: string[] = [];
    let refused = 0;
    const admin = createDatabase({ url: database.url });

    for (let round = 0; round < 8; round += 1) {
      const rows = Array.from({ length: 300 }, () => row());
      const settled = Promise.allSettled(rows.map((one) => batcher.submit(one)));
      await execute(
        admin.manager,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
      (await settled).forEach((result, index) => {
        if (result.status === 'rejected') refused += 1;
        else if (result.value?.created) acknowledged.push(rows[index]?.id ?? '');
      });
    }
    await admin.destroy();

    expect(acknowledged.length + refused).toBe(2_400);
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(await countOf(acknowledged)).toBe(acknowledged.length);
  });

  it('does not wait for itself when batches share ids in another order', async () => {
    const batcher = createClickBatcher(source.manager);
    const ids = Array.from({ length: 40 }, () => newId());
    const rounds = await Promise.all(
      [ids, [...ids].reverse(), ids, [...ids].reverse()].map((order) =>
        Promise.all(order.map((id) => batcher.submit(row({ id, isRepeat: true })))),
      ),
    );

    const created = rounds.flat().filter((result) => result?.created);
    expect(created).toHaveLength(40);
  });
});

describe('the partitions of clicks', () => {
  const partitions = async () =>
    (
      await query<{ name: string }>(
        source.manager,
        `SELECT relid::text AS name FROM pg_partition_tree('clicks') WHERE isleaf ORDER BY 1`,
      )
    ).map(({ name }) => name);

  it('are there for this month and the next ones, and are made once', async () => {
    const now = new Date();
    const name = `clicks_${now.toISOString().slice(0, 7).replace('-', '_')}`;

    expect(await partitions()).toContain(name);
    expect(await ensurePartitionsOf(source.manager, 'clicks', now)).toBe(0);
  });

  it('take over what the default partition caught', async () => {
    const batcher = createClickBatcher(source.manager);
    const strays = ['2031-05-31T23:59:59.999Z', '2031-06-01T00:00:00.000Z'].map((at) =>
      row({ id: newId(new Date(at)) }),
    );
    await Promise.all(strays.map((stray) => batcher.submit(stray)));

    expect(await ensurePartitionsOf(source.manager, 'clicks', new Date('2031-05-10'))).toBe(4);
    const homes = await query<{ home: string }>(
      source.manager,
      'SELECT tableoid::regclass::text AS home FROM clicks WHERE id = ANY($1::uuid[]) ORDER BY id',
      [strays.map(({ id }) => id)],
    );
    expect(homes.map(({ home }) => home)).toEqual(['clicks_2031_05', 'clicks_2031_06']);
    expect(await findClick(source.manager, participant, strays[0]?.id ?? '')).toBeDefined();
  });

  it('can be made by several processes at once', async () => {
    const later = new Date('2032-01-15');
    const made = await Promise.all(
      [1, 2, 3].map(() => ensurePartitionsOf(source.manager, 'clicks', later)),
    );

    expect(made.reduce((sum, count) => sum + count, 0)).toBe(4);
  });
});
