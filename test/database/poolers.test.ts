import { createDatabase, poolers, type Pooler } from '../../entities/database/database';
import { driverCode, isDatabaseOutage } from '../../entities/database/errors';
import { execute, prepared, query } from '../../entities/database/sql';
import { createTestDatabase, type TestDatabase } from '../support/database';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const open = (pooler: Pooler) => createDatabase({ url: database.url, pooler, poolSize: 1 });

const named = {
  name: 'poolers.named',
  text: 'SELECT name FROM pg_prepared_statements WHERE name = $1',
  values: ['poolers.named'],
};
/** What a session says of itself, and how many statements it has under this name. */
const sessions: Record<Pooler, { timeout: string; statements: number }> = {
  none: { timeout: '9s', statements: 1 },
  transaction: { timeout: '0', statements: 0 },
};

describe.each(poolers)('with DATABASE_POOLER=%s', (pooler) => {
  it('a session has the settings and the statements that go with it', async () => {
    const source = await open(pooler);
    const [row] = await query<{ timeout: string }>(
      source.manager,
      `SELECT current_setting('statement_timeout') AS timeout`,
    );
    await prepared(source.manager, named);
    const found = await prepared(source.manager, named);
    expect({ ...row, statements: found.length }).toEqual(sessions[pooler]);
    await source.destroy();
  });

  it('a statement that failed works once its reason is gone', async () => {
    const source = await open(pooler);
    const db = source.manager;
    const divide = (by: number) =>
      prepared(db, { name: 'poolers.divide', text: 'SELECT 6 / $1::int AS n', values: [by] });
    expect(await divide(2)).toEqual([{ n: 3 }]);
    await expect(divide(0)).rejects.toMatchObject({ code: '22012' });
    expect(await divide(3)).toEqual([{ n: 2 }]);

    const late = () =>
      prepared(db, { name: 'poolers.late', text: 'SELECT n FROM late WHERE n = $1', values: [1] });
    await expect(late()).rejects.toMatchObject({ code: '42P01' });
    await execute(db, 'CREATE TABLE late AS SELECT 1 AS n');
    expect(await late()).toEqual([{ n: 1 }]);
    await execute(db, 'DROP TABLE late');
    await source.destroy();
  });

  it('a connection that has lost its statements fails once at most, as an outage', async () => {
    const source = await open(pooler);
    const db = source.manager;
    await prepared(db, named);
    await execute(db, 'DEALLOCATE ALL');
    const error: unknown = await prepared(db, named).catch((reason: unknown) => reason);
    const isNamed = sessions[pooler].statements === 1;
    expect([isDatabaseOutage(error), driverCode(error)]).toEqual(
      isNamed ? [true, '26000'] : [false, undefined],
    );
    expect(await prepared(db, named)).toHaveLength(sessions[pooler].statements);
    await source.destroy();
  });
});
