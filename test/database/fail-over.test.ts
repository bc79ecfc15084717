import { driverCode, isDatabaseOutage } from '../../entities/database/errors';
import { execute, query } from '../../entities/database/sql';
import { createDatabase } from '../../entities/database/database';
import { startTestApp } from '../support/app';
import { useDatabase } from '../support/data-source';
import { asOwner, connectionTo } from '../support/database';
import { eventually } from '../support/eventually';

const database = useDatabase(1);

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

it('no connection is used for ever, so that none stays with a server that became a standby', async () => {
  const { url, pooler } = connectionTo(database.url);
  const source = createDatabase({ url, pooler, poolSize: 1, maxLifetimeSeconds: 1 });
  // The client's own count of its connections: through a pooler the server has fewer of them.
  const opened = jest.fn();
  source.pool.on('connect', opened);
  await query(source.manager, 'SELECT 1');
  await eventually(async () => {
    await query(source.manager, 'SELECT 1');
    return opened.mock.calls.length > 0 || undefined;
  });
  await source.destroy();
  expect(database.source.pool.options.maxLifetimeSeconds).toBe(1_800);
});

it('a standby is not ready, though it answers', async () => {
  const app = await startTestApp({ DATABASE_POOL_SIZE: '2' });
  const ready = async (): Promise<number> => (await app.client.get('/api/v1/health/ready')).status;
  expect(await ready()).toBe(200);
  // The server asks the first schema of the path: a stand-in for a server that became a standby.
  await asOwner(
    app.deps.config.databaseUrl,
    `CREATE SCHEMA standby; GRANT USAGE ON SCHEMA standby TO PUBLIC;
     CREATE FUNCTION standby.pg_is_in_recovery() RETURNS boolean LANGUAGE sql AS 'SELECT true'`,
  );
  const db = app.deps.db.manager;
  const inEach = (statement: string) => Promise.all([query(db, statement), query(db, statement)]);
  await inEach('SET search_path = standby, pg_catalog, public');
  expect(await ready()).toBe(503);
  await inEach('RESET search_path');
  expect(await ready()).toBe(200);
  await app.close();
});
