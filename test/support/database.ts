import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import { migrate } from '../../entities/database/data-source';

const SOURCE_IS_BUSY = '55006';

export interface TestDatabase {
  url: string;
  drop: () => Promise<void>;
}

/** A database of its own for a test file: a copy of the migrated template, made in some 50 ms. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await copyTemplate(name);
  return {
    url: urlOf(name),
    drop: () => asAdmin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/** A copy of a database that no one is connected to, as a restored backup is. */
export async function copyDatabase({ url }: TestDatabase): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdmin(`CREATE DATABASE ${name} TEMPLATE ${new URL(url).pathname.slice(1)}`);
  return {
    url: urlOf(name),
    drop: () => asAdmin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/** Migrated once per jest run; its copies are as good as migrated ones. */
export async function createTemplate(): Promise<void> {
  // A server that the environment gives may serve other runs too.
  const name = `template_app_${randomBytes(6).toString('hex')}`;
  process.env['TEST_TEMPLATE'] = name;
  await asAdmin(`CREATE DATABASE ${name}`);
  await migrate(urlOf(name));
}

export async function dropTemplate(): Promise<void> {
  const name = process.env['TEST_TEMPLATE'];
  if (name) await asAdmin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

async function copyTemplate(name: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await asAdmin(`CREATE DATABASE ${name} TEMPLATE ${process.env['TEST_TEMPLATE']}`);
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
