import { execFile } from 'node:child_process';
import path from 'node:path';
import { createDatabase, type Database } from '../../../entities/database/database';
import { createVault } from '../../../runtime/crypto/vault';
import { loadConfig } from '../../../runtime/config/config';
import { createLogger } from '../../../runtime/observe/logger';
import { testEnvironment } from '../app';
import type { TestDatabase } from '../database';
import type { ShopDeps } from '../stripe/shop';

export interface OperatedDatabases {
  environmentOf(database: TestDatabase): Record<string, string>;
  /** A connection to it, until `close` drops the database as well. */
  open(database: TestDatabase): Promise<ShopDeps>;
  close(): Promise<void>;
}

/** Databases that a suite makes and copies, as an operator does with backups. */
export function operatedDatabases(env: () => Record<string, string>): OperatedDatabases {
  const databases: TestDatabase[] = [];
  const pools: Database[] = [];
  const environmentOf = ({ url }: TestDatabase) => testEnvironment(url, env());
  return {
    environmentOf,
    async open(database) {
      databases.push(database);
      const config = loadConfig(environmentOf(database));
      const db = createDatabase({ url: database.url, poolSize: 2 });
      pools.push(db);
      const log = createLogger({ level: 'silent', process: 'test' });
      const vault = createVault(config.secrets);
      return { db, config, vault, clock: { now: () => new Date() }, log };
    },
    async close() {
      for (const pool of pools) await pool.destroy();
      for (const database of databases) await database.drop();
    },
  };
}

/** A command of `aps` as it was built, as an operator runs it: its code and all that it printed. */
export function runBuiltCommand(
  name: string,
  environment: Record<string, string>,
  ...args: string[]
): Promise<{ code: number; out: string }> {
  const script = path.join(__dirname, '../../../dist/workers/commands/main.js');
  const env = { PATH: process.env['PATH'] ?? '', ...environment };
  return new Promise((resolve) => {
    execFile(process.execPath, [script, name, ...args], { env }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out: out + err }),
    );
  });
}
