import { driverCode, isDatabaseOutage } from '../../entities/database/errors';
import { execute, query } from '../../entities/database/sql';
import { openTestDataSource, type TestDataSource } from '../support/data-source';

let database: TestDataSource;
beforeAll(async () => {
  database = await openTestDataSource(1);
});
afterAll(() => database.close());

it('a connection whose server became read-only is an outage, once, and is not used again', async () => {
  const db = database.source.manager;
  await query(db, 'SET default_transaction_read_only = on');
  const write = (): Promise<number> =>
    execute(
      db,
      `INSERT INTO outbox (topic, ref, available_at) VALUES ('mail', gen_random_uuid(), now())`,
    );
  const error: unknown = await write().catch((reason: unknown) => reason);
  expect(driverCode(error)).toBe('25006');
  expect(isDatabaseOutage(error)).toBe(true);
  expect(await write()).toBe(1);
});
