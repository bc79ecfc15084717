import 'reflect-metadata';
import { types } from 'pg';
import { DataSource } from 'typeorm';
import { entities } from './tables';
import { migrations } from '../migrations';

const int8 = 20;

/** int8 as a number; a value that a double cannot hold exactly is a bug, never a rounded sum. */
function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`unsafe integer from the database`);
  return value;
}

types.setTypeParser(int8, safeInteger);

export interface DataSourceOptions {
  url: string;
  poolSize?: number;
  applicationName?: string;
  onPoolError?: (error: Error) => void;
  /** Longest statement, in milliseconds; 0 is no bound (migrations). */
  statementTimeoutMs?: number;
}

export function createDataSource(options: DataSourceOptions): DataSource {
  const statementTimeoutMs = options.statementTimeoutMs ?? 9_000;
  return new DataSource({
    type: 'postgres',
    url: options.url,
    applicationName: options.applicationName ?? 'affiliate',
    poolSize: options.poolSize ?? 10,
    poolErrorHandler: options.onPoolError ?? (() => undefined),
    synchronize: false,
    entities,
    migrations,
    migrationsTransactionMode: 'each',
    extra: {
      connectionTimeoutMillis: 3_000,
      statement_timeout: statementTimeoutMs,
      // The client's own bound: a frozen server keeps none of its promises.
      query_timeout: statementTimeoutMs === 0 ? 0 : statementTimeoutMs + 1_000,
      lock_timeout: statementTimeoutMs === 0 ? 0 : 5_000,
      idle_in_transaction_session_timeout: statementTimeoutMs === 0 ? 0 : 30_000,
      keepAlive: true,
      // A server that changed its role behind a proxy keeps its connections; they end all the same.
      maxLifetimeSeconds: 1_800,
    },
  });
}

/** Any constant: every process that migrates takes this advisory lock first. */
const migrationLock = 7_204_551;

/** Brings the schema up to date; processes that start together wait for the first of them. */
export async function migrate(url: string): Promise<void> {
  const source = createDataSource({
    url,
    poolSize: 2,
    applicationName: 'affiliate-migrate',
    statementTimeoutMs: 0,
  });
  await source.initialize();
  const lock = source.createQueryRunner();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [migrationLock]);
    await source.runMigrations();
  } finally {
    await lock.query('SELECT pg_advisory_unlock($1)', [migrationLock]).catch(() => undefined);
    await lock.release();
    await source.destroy();
  }
}
