import { createDataSource } from '../../entities/database/data-source';
import { isDatabaseOutage } from '../../entities/database/errors';
import { execute, query, transaction } from '../../entities/database/sql';
import { openTestDataSource, type TestDataSource } from '../support/data-source';
import { connectionTo } from '../support/database';

let database: TestDataSource;
beforeAll(async () => {
  database = await openTestDataSource(1);
});
afterAll(() => database.close());

it('a server that answers no more loses the connection, and the next statement has another one', async () => {
  const { url, pooler } = connectionTo(database.url);
  const source = createDataSource({ url, pooler, poolSize: 1, statementTimeoutMs: 500 });
  await source.initialize();
  // The server would give up by itself: as if it could not, it is given a minute.
  const error: unknown = await transaction(source.manager, async (tx) => {
    await execute(tx, `SET LOCAL statement_timeout = '60s'`);
    await execute(tx, 'SELECT pg_sleep(60)');
  }).catch((reason: unknown) => reason);

  expect(String(error)).toContain('Query read timeout');
  expect(isDatabaseOutage(error)).toBe(true);
  expect(await query(source.manager, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await source.destroy();
});

it('a connection may rest, and may be used for longer than one statement may take', async () => {
  const { url, pooler } = connectionTo(database.url);
  const source = createDataSource({ url, pooler, poolSize: 1, statementTimeoutMs: 3_000 });
  await source.initialize();
  const [before] = await query<{ pid: number }>(source.manager, 'SELECT pg_backend_pid() AS pid');
  for (let turn = 0; turn < 3; turn += 1) await execute(source.manager, 'SELECT pg_sleep(1.5)');
  const [after] = await query<{ pid: number }>(source.manager, 'SELECT pg_backend_pid() AS pid');
  await source.destroy();
  // Through a pooler the server's processes change hands.
  if (pooler === 'none') expect(after).toEqual(before);
});
