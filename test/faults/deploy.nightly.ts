import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Client } from 'pg';
import { testEnvironment } from '../support/app';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { buildService } from '../support/stack/service-process';

/** The step's own, for it gives its rights to a role of the whole server. */
const role = `deploys_${process.pid}`;
let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  buildService();
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
}, 120_000);
afterAll(async () => {
  await client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  await client.end();
  await database.drop();
});

/** The partition of events that is the furthest ahead. */
async function lastPartition(): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'events'::regclass AND c.relname <> 'events_default'
      ORDER BY c.relname DESC LIMIT 1`,
  );
  return rows[0]?.name ?? '';
}

async function isThere(table: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    'SELECT to_regclass($1) IS NOT NULL AS found',
    [table],
  );
  return rows[0]?.found === true;
}

it('the deploy step makes partitions, and tries again where a lock is held', async () => {
  const serving = new URL(database.url);
  serving.username = role;
  const last = await lastPartition();
  await client.query(`DROP TABLE ${last}`);
  await client.query('BEGIN; LOCK TABLE events_default IN ACCESS SHARE MODE');

  const script = path.join(__dirname, '../../dist/workers/commands/main.js');
  const child = spawn(process.execPath, [script, 'migrate'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      ...testEnvironment(database.url),
      DATABASE_URL: serving.toString(),
      DATABASE_OWNER_URL: database.url,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (text: Buffer) => (said += text.toString()));
  const exited = once(child, 'exit');
  await eventually(() => {
    if (child.exitCode !== null) throw new Error(`it has ended: ${said}`);
    return Promise.resolve(said.includes('This is tried again.') || undefined);
  }, 60_000);
  expect(said).toMatch(/^partitions failed of events: /);
  expect(await isThere(last)).toBe(false);

  await client.query('COMMIT');
  expect(await exited).toEqual([0, null]);
  expect(await isThere(last)).toBe(true);
}, 120_000);
