import { Client } from 'pg';
import type * as Migrations from '../../entities/migrations';
import { loadConfig } from '../../runtime/config/config';
import { prepareDatabase } from '../../runtime/process/prepare-database';
import { generateSecrets } from '../../runtime/config/secrets';
import { createDatabase } from '../../entities/database/database';
import { migrate, migrationLock } from '../../entities/database/migrate';
import {
  hasRoleTimeouts,
  setRoleTimeouts,
  timeoutProblem,
} from '../../entities/database/role-timeouts';
import { codeVersion } from '../../entities/database/schema-version';
import { createTestDatabase, type TestDatabase } from '../support/database';
import type * as Later from '../support/postgres/later-migrations';

// There is more than the first migration, as in the releases to come.
jest.mock('../../entities/migrations', () => {
  const { migrations } = jest.requireActual<typeof Migrations>('../../entities/migrations');
  const { laterMigrations } = jest.requireActual<typeof Later>(
    '../support/postgres/later-migrations',
  );
  return { migrations: [...migrations, ...laterMigrations] };
});

let database: TestDatabase;
let client: Client;
beforeEach(async () => {
  database = await createTestDatabase();
  await migrate(database.url);
  client = new Client({ connectionString: database.url });
  client.on('error', () => undefined);
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

const start = (migrateAtStart = false): Promise<void> =>
  prepareDatabase({
    databaseUrl: database.url,
    databaseOwnerUrl: database.url,
    databasePooler: 'none',
    migrateAtStart,
    logLevel: 'silent',
  });

const forgetLater = () =>
  client.query(`DELETE FROM migrations WHERE name LIKE 'Later%'; DROP TABLE later`);

it('a process starts on the schema of its own version', async () => {
  await expect(start()).resolves.toBeUndefined();
});

it('a process does not start on a schema that lacks a migration, and says which', async () => {
  await forgetLater();
  await expect(start()).rejects.toThrow(
    'lacks 1 migrations, LaterTable1700000000901 first: run aps migrate.',
  );
});

it('a process does not migrate by itself in production: it says what is missing and changes nothing', async () => {
  const config = loadConfig({
    ...generateSecrets(),
    NODE_ENV: 'production',
    DATABASE_URL: database.url,
    PUBLIC_BASE_URL: 'https://api.example',
    REDIS_URL: 'redis://redis.example:6379',
    TEMPORAL_ADDRESS: 'temporal.example:7233',
    MAIL_FROM: 'Affiliates <noreply@example.com>',
    SMTP_URL: 'smtp://mail.example:587',
    LOG_LEVEL: 'silent',
  });
  await client.query(`DELETE FROM migrations WHERE name LIKE 'Later%'`);
  await expect(prepareDatabase(config)).rejects.toThrow(
    'lacks 1 migrations, LaterTable1700000000901 first: run aps migrate.',
  );
  const { rows } = await client.query(`SELECT 1 FROM migrations WHERE name LIKE 'Later%'`);
  expect(rows).toEqual([]);
});

it('a process does not start on an empty database', async () => {
  await client.query('DROP TABLE migrations');
  await expect(start()).rejects.toThrow('run aps migrate');
});

it('a process starts on a newer schema that serves it, and not on one that does not', async () => {
  await client.query('UPDATE schema_versions SET version = 999');
  await expect(start()).resolves.toBeUndefined();
  await client.query('UPDATE schema_versions SET oldest_served = $1', [codeVersion + 1]);
  await expect(start()).rejects.toThrow(`and this is ${codeVersion}: start a newer release.`);
});

it('builds an index beside its own lock, and anew after an attempt that failed', async () => {
  await client.query(`
    DELETE FROM migrations WHERE name LIKE 'Index%';
    UPDATE pg_index SET indisvalid = false
     WHERE indexrelid = 'ix_deliveries_later'::regclass`);
  await migrate(database.url);
  const { rows } = await client.query(
    `SELECT indisvalid AS valid FROM pg_index
      WHERE indexrelid = 'ix_deliveries_later'::regclass`,
  );
  expect(rows).toEqual([{ valid: true }]);
}, 20_000);

it('leaves an index alone that an attempt finished before it failed', async () => {
  const built = async () => {
    const { rows } = await client.query(
      `SELECT c.relfilenode AS file, x.indisvalid AS valid
         FROM pg_class c JOIN pg_index x ON x.indexrelid = c.oid
        WHERE c.relname = 'ix_deliveries_later'`,
    );
    return rows;
  };
  const before = await built();
  expect(before).toMatchObject([{ valid: true }]);
  await client.query(`DELETE FROM migrations WHERE name LIKE 'Index%'`);
  await migrate(database.url);
  expect(await built()).toEqual(before);
}, 20_000);

it('migrates once when several start together', async () => {
  await forgetLater();
  await Promise.all([start(true), start(true), start(true)]);
  const { rows } = await client.query('SELECT version FROM schema_versions');
  expect(rows).toEqual([{ version: codeVersion }]);
});

it('changes nothing in an empty database before its turn to migrate', async () => {
  await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  await client.query('SELECT pg_advisory_lock($1)', [migrationLock]);
  const starting = [start(true), start(true)];
  await waitingForTurn();
  const { rows } = await client.query(`SELECT to_regclass('migrations') AS migrations`);
  expect(rows).toEqual([{ migrations: null }]);
  await client.query('SELECT pg_advisory_unlock($1)', [migrationLock]);
  await Promise.all(starting);
}, 30_000);

async function waitingForTurn(): Promise<void> {
  for (;;) {
    const { rowCount } = await client.query(
      `SELECT 1 FROM pg_stat_activity
       WHERE datname = current_database() AND query LIKE '%pg_try_advisory_xact_lock(%'
         AND pid <> pg_backend_pid()`,
    );
    if (rowCount) return;
  }
}

it('gives way to traffic when it does not get its lock, and tries again', async () => {
  await forgetLater();
  await client.query('BEGIN; SELECT 1 FROM webhook_deliveries');
  const printed = jest.spyOn(console, 'log');
  const said: string[] = [];
  const migrating = migrate(database.url, undefined, (sentence) => said.push(sentence));
  // Its first attempt has given up by the time that another reader got its turn behind it.
  const reader = new Client({ connectionString: database.url });
  await reader.connect();
  await waitingForLock(reader);
  await reader.query('SELECT 1 FROM webhook_deliveries');
  // Another attempt waits where the first did.
  await waitingForLock(reader);
  await reader.end();
  await client.query('COMMIT');
  await migrating;
  await expect(start()).resolves.toBeUndefined();
  // Once, however often it tried, and nothing by the library.
  expect(said).toEqual([
    expect.stringMatching(/^The migration LaterTable1700000000901 waits for /),
  ]);
  expect(printed).not.toHaveBeenCalled();
  printed.mockRestore();
}, 30_000);

async function waitingForLock(reader: Client): Promise<void> {
  for (;;) {
    const { rowCount } = await reader.query(
      `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
    );
    if (rowCount) return;
  }
}

it('gives the role of the processes the time-outs that a pooler does not carry', async () => {
  const role = `serves_${process.pid}`;
  await client.query(`CREATE ROLE ${role} LOGIN`);
  const owner = createDatabase({ url: database.url, poolSize: 1 });
  const url = new URL(database.url);
  url.username = role;
  const open = () => createDatabase({ url: url.toString(), poolSize: 1, pooler: 'transaction' });
  try {
    const before = await open();
    expect(await timeoutProblem(before.manager)).toContain('have no statement_timeout');
    await before.destroy();
    await setRoleTimeouts(owner.manager, role);
    expect(await hasRoleTimeouts(owner.manager, role)).toBe(true);
    const after = await open();
    expect(await timeoutProblem(after.manager)).toBeUndefined();
    await after.destroy();
  } finally {
    await owner.destroy();
    await client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  }
});
