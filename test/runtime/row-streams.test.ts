import { createRowStreams, type PagedRows } from '../../activities/runtime/connections/row-streams';
import { createTestDatabase, type TestDatabase } from '../support/database';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const exporter = { accountId: 'one', workspaceId: 'site' };
const openStreams = () =>
  createRowStreams({
    databaseUrl: database.url,
    databaseReplicaUrl: undefined,
    databasePooler: 'none',
    limits: { exportsPerAccount: 1 },
  });

const numbers: PagedRows = {
  pageSize: 2,
  page: (after, limit) => ({
    text: `SELECT n::text FROM generate_series(1, 5) AS n
            WHERE n > coalesce($1::int, 0) ORDER BY n LIMIT $2`,
    params: [after, limit],
  }),
};

it('gives the rows of all pages in turn', async () => {
  const rows = await openStreams().open(exporter, () => numbers);
  expect(await rows.toArray()).toEqual([['1'], ['2'], ['3'], ['4'], ['5']]);
});

it('looks at all rows before the first, and gives its place back when they are refused', async () => {
  const seen: unknown[] = [];
  const checked = (most: number): PagedRows => ({
    ...numbers,
    check: {
      statement: { text: 'SELECT count(*)::int FROM generate_series(1, 5)', params: [] },
      refuse([row]) {
        seen.push(row);
        if (Number(row?.[0]) > most) throw new Error('too many');
      },
    },
  });
  const streams = openStreams();
  await expect(streams.open(exporter, () => checked(4))).rejects.toThrow('too many');
  const rows = await streams.open(exporter, () => checked(5));
  expect(await rows.toArray()).toHaveLength(5);
  expect(seen).toEqual([[5], [5]]);
});

it('reads one page of a workspace at a time', async () => {
  const streams = openStreams();
  const slow = (): PagedRows => ({
    page: () => ({
      text: `SELECT count(*)::text FROM pg_stat_activity, pg_sleep(0.2)
              WHERE query LIKE '%one at a time%' AND state = 'active' AND datname = current_database()`,
      params: [],
    }),
  });
  const open = async (accountId: string): Promise<unknown[]> =>
    (await streams.open({ ...exporter, accountId }, slow)).toArray();
  expect(await Promise.all([open('one'), open('two'), open('three')])).toEqual([
    [['1']],
    [['1']],
    [['1']],
  ]);
});

it('reads nothing for an export that has to wait for another of its account', async () => {
  const streams = openStreams();
  const unread = await streams.open(exporter, () => numbers);
  const prepare = jest.fn(() => numbers);
  await expect(streams.open(exporter, prepare)).rejects.toMatchObject({
    code: 'RATE_LIMIT_EXCEEDED',
  });
  expect(prepare).not.toHaveBeenCalled();
  unread.destroy();
});
