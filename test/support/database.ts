import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import type { Pooler } from '../../entities/database/database';
import { roleTimeouts } from '../../entities/database/role-timeouts';
import { migrate } from '../../entities/database/migrate';
import { TEST_ROLE } from '../../stack/test-parts';

const SOURCE_IS_BUSY = '55006';
const NO_ROLE_OF_ONES_OWN = /may not create it|permission denied/;

export interface TestDatabase {
  /** The URL of Postgres itself, as the owner of the schema. */
  url: string;
  drop: () => Promise<void>;
}

/** A database of its own for a test file: a copy of the migrated template, made in some 20 ms. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await copyTemplate(name);
  return {
    url: urlOf(name),
    drop: () => asAdmin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/** A copy of a database that no one is connected to, as a restored backup is. */
export async function copyDatabase({ url }: { url: string }): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const source = new URL(url).pathname.slice(1);
  // A template has no sessions: pools take new connections afterwards.
  await asAdmin(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${source}'`,
  );
  await asAdmin(`CREATE DATABASE ${name} TEMPLATE ${source}`);
  return {
    url: urlOf(name),
    drop: () => asAdmin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/** Puts a copy in the place of a database, as a restore does: whoever is connected there connects anew. */
export async function restoreDatabase({ url }: { url: string }, from: TestDatabase): Promise<void> {
  const [name, source] = [url, from.url].map((one) => new URL(one).pathname.slice(1));
  await asAdmin(`DROP DATABASE ${name} WITH (FORCE)`);
  await asAdmin(`CREATE DATABASE ${name} TEMPLATE ${source}`);
}

/** Migrated once per jest run; its copies are as good as migrated ones. */
export async function createTemplate(): Promise<void> {
  // A server that the environment gives may serve other runs too.
  const name = `template_app_${randomBytes(6).toString('hex')}`;
  process.env['TEST_TEMPLATE'] = name;
  await asAdmin(`CREATE DATABASE ${name}`);
  await migrate(urlOf(name));
  await createServingRole(urlOf(name));
  if (process.env['TEST_POOLER_URL']) await giveTimeouts();
}

/** Tests meet the database as processes do; on a server where that role cannot be, as its owner. */
async function createServingRole(template: string): Promise<void> {
  process.env['TEST_SERVING_ROLE'] = TEST_ROLE;
  try {
    await migrate(template, { url: asServing(template), pooler: 'none' });
  } catch (error) {
    if (!NO_ROLE_OF_ONES_OWN.test(String(error))) throw error;
    delete process.env['TEST_SERVING_ROLE'];
  }
}

function asServing(url: string): string {
  const serving = new URL(url);
  serving.username = process.env['TEST_SERVING_ROLE'] ?? serving.username;
  return serving.toString();
}

/** A connection of the role that owns the tables of this database. */
export async function connectAsOwner(databaseUrl: string): Promise<Client> {
  const client = new Client({ connectionString: urlOf(new URL(databaseUrl).pathname.slice(1)) });
  await client.connect();
  return client;
}

/** Runs a statement that the role of the processes may not run, on the database that they use. */
export async function asOwner(
  databaseUrl: string,
  statement: string,
  params: unknown[] = [],
): Promise<void> {
  const client = await connectAsOwner(databaseUrl);
  try {
    await client.query(statement, params);
  } finally {
    await client.end();
  }
}

/**
 * Gives the role its time-outs, as the deploy step does for a database; these are copies, so the
 * role has them everywhere.
 */
async function giveTimeouts(): Promise<void> {
  const { username } = new URL(asServing(adminUrl()));
  for (const [name, milliseconds] of Object.entries(roleTimeouts)) {
    await asAdmin(`ALTER ROLE ${username} SET ${name} = ${milliseconds}`);
  }
}

/** How a service reaches a database: through the pooler when the run has one, else directly. */
export function connectionTo(url: string): {
  url: string;
  pooler: Pooler;
  environment: Record<string, string>;
} {
  const own = asServing(url);
  const through = process.env['TEST_POOLER_URL'];
  if (!through) return { url: own, pooler: 'none', environment: { DATABASE_URL: own } };
  const [pooled, direct] = [new URL(own), new URL(own)];
  pooled.host = new URL(through).host;
  direct.host = new URL(adminUrl()).host;
  const environment = {
    DATABASE_URL: pooled.toString(),
    DATABASE_DIRECT_URL: direct.toString(),
    DATABASE_POOLER: 'transaction',
  };
  return { url: environment.DATABASE_URL, pooler: 'transaction', environment };
}

export async function dropTemplate(): Promise<void> {
  const name = process.env['TEST_TEMPLATE'];
  if (name) await asAdmin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

async function copyTemplate(name: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const template = process.env['TEST_TEMPLATE'];
      // The other strategy sends each page through the log.
      return await asAdmin(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
    } catch (error) {
      // Autovacuum may be looking at the template just now.
      const isBusy = error instanceof DatabaseError && error.code === SOURCE_IS_BUSY;
      if (!isBusy || attempt === 20) throw error;
      await sleep(100);
    }
  }
}

async function asAdmin(statement: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl() });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function urlOf(database: string): string {
  const url = new URL(adminUrl());
  url.pathname = `/${database}`;
  return url.toString();
}

function adminUrl(): string {
  const url = process.env['TEST_DATABASE_URL'];
  if (!url) throw new Error('TEST_DATABASE_URL is not set: does TEST_PARTS leave postgres out?');
  return url;
}
