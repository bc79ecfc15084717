import { queryOne } from '../../entities/database/sql';
import { createApp } from '../../api/app';
import { warmUp } from '../../api/http/server/warm-up';
import { openTestDeps, type TestDeps } from '../support/app';

let deps: TestDeps;

beforeAll(async () => {
  deps = await openTestDeps({
    RATE_LIMIT_TRACKING: '1000',
    RATE_LIMIT_CONVERSIONS: '1000',
    REQUIRE_HTTPS: 'true',
  });
});
afterAll(() => deps.close());

test('a process warms up by itself and leaves nothing behind', async () => {
  const { listener, services, endStreams } = createApp(deps);
  const statuses = new Map<number, number>();
  await warmUp(
    {
      deps,
      clicks: services.clicks,
      listener: (request, response) => {
        response.once('close', () => {
          statuses.set(response.statusCode, (statuses.get(response.statusCode) ?? 0) + 1);
        });
        listener(request, response);
      },
    },
    1_500,
  );
  endStreams();

  // Clicks went all the way to the statement that stores them, reports as far as their fields.
  expect([...statuses.keys()].sort()).toEqual([200, 422]);
  expect(deps.lifecycle.warming).toBe(false);
  const row = await queryOne<{ rows: number }>(
    deps.db.manager,
    `SELECT (SELECT count(*) FROM clicks) + (SELECT count(*) FROM conversions)
          + (SELECT count(*) FROM api_keys) + (SELECT count(*) FROM outbox) AS rows`,
  );
  expect(row?.rows).toBe(0);
});

test('a time of nothing leaves it cold', async () => {
  const { listener, services, endStreams } = createApp(deps);
  let requests = 0;
  const counting = (...args: Parameters<typeof listener>): void => {
    requests += 1;
    listener(...args);
  };
  await warmUp({ deps, clicks: services.clicks, listener: counting }, 0);
  endStreams();
  expect(requests).toBe(0);
});

test('a database that does not answer keeps no process from serving', async () => {
  const { listener, services, endStreams } = createApp(deps);
  const release = jest.fn();
  const silent = { query: () => new Promise(() => undefined), release };
  const db = { manager: { dataSource: { createQueryRunner: () => silent } } };
  await expect(
    warmUp({ deps: { ...deps, db: db as never }, clicks: services.clicks, listener }, 10),
  ).rejects.toThrow('the time for warming up is over');
  endStreams();
  expect(deps.lifecycle.warming).toBe(false);
});
