import {
  createRowStreams,
  type Exporter,
  type PagedRows,
} from '../../../runtime/connections/row-streams';
import { createTestDatabase, type TestDatabase } from '../../support/database';

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

it('reads the size of all rows before the first, page by page, and gives its place back when they are refused', async () => {
  const sized = (max: number): PagedRows => ({
    ...numbers,
    size: {
      page: (after, limit) => ({
        text: `SELECT n::text, 10 FROM generate_series(1, 5) AS n
                WHERE n > coalesce($1::int, 0) ORDER BY n LIMIT $2`,
        params: [after, limit],
      }),
      max,
      refusal: () => new Error('too large'),
    },
  });
  const streams = openStreams();
  await expect(streams.open(exporter, () => sized(49))).rejects.toThrow('too large');
  const rows = await streams.open(exporter, () => sized(50));
  expect(await rows.toArray()).toHaveLength(5);
});

it('reads nothing for an export that has to wait for another of its account', async () => {
  const streams = openStreams();
  const unread = await streams.open(exporter, () => numbers);
  const prepare = jest.fn(() => numbers);
  await expect(streams.open(exporter, prepare)).rejects.toMatchObject({
    code: 'RATE_LIMIT_EXCEEDED',
    headers: { 'Retry-After': '10' },
  });
  expect(prepare).not.toHaveBeenCalled();
  unread.destroy();
});

it('begins one that waits as soon as the one before ends', async () => {
  const streams = openStreams();
  const first = await streams.open(exporter, () => numbers);
  const second = streams.open(exporter, () => numbers);
  first.destroy();
  expect(await (await second).toArray()).toHaveLength(5);
});

it.each([
  ['a workspace', (n: number) => ({ accountId: `member ${n}`, workspaceId: 'site' })],
  ['all partners together', (n: number) => ({ accountId: `partner ${n}` })],
])('leaves others room, whatever accounts of %s ask for', async (_whose, exporterOf) => {
  const streams = openStreams();
  const open = (of: Exporter) => streams.open(of, () => numbers);
  const unread = await Promise.all(Array.from({ length: 30 }, (_one, n) => open(exporterOf(n))));
  await expect(open(exporterOf(30))).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    headers: { 'Retry-After': '10' },
  });
  const other = await open({ accountId: 'ann', workspaceId: 'another site' });
  for (const rows of [...unread, other]) rows.destroy();
});
