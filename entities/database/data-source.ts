import 'reflect-metadata';
import { types } from 'pg';
import { DataSource, DefaultNamingStrategy, type Logger } from 'typeorm';
import { snakeCase } from 'typeorm/util/StringUtils';
import { entities } from './tables';
import { migrations } from '../migrations';

const int8 = 20;

/** A sum that a double cannot hold exactly: refused, never rounded. */
export class UnsafeIntegerError extends RangeError {
  override readonly name = 'UnsafeIntegerError';
}

/** int8 as a number; of one inside JSON, too, once it is text there. */
export function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new UnsafeIntegerError('an integer beyond 2^53');
  return value;
}

export const longestStatementMs = 9_000;

const nothing = (): void => undefined;
/** What fails is thrown, and logged in lines of our own by whoever catches it. */
const logger: Logger = {
  logQuery: nothing,
  logQueryError: nothing,
  logQuerySlow: nothing,
  logSchemaBuild: nothing,
  logMigration: nothing,
  log: nothing,
};

types.setTypeParser(int8, safeInteger);

/** Columns are called as their properties, in the way of SQL. */
class SnakeCase extends DefaultNamingStrategy {
  override columnName(property: string): string {
    return snakeCase(property);
  }
}

export interface DataSourceOptions {
  url: string;
  poolSize?: number;
  applicationName?: string;
  onPoolError?: (error: Error) => void;
  /** Longest statement, in milliseconds; 0 is no bound. */
  statementTimeoutMs?: number;
  /** What stands at the URL; default: Postgres itself. */
  pooler?: Pooler;
  /** A connection is used no longer than this. */
  maxLifetimeSeconds?: number;
  /** Settings of each session, as command line options of the server; not through a pooler. */
  sessionOptions?: string;
}

/**
 * `none`: Postgres itself. `transaction`: a pooler that gives each transaction another connection of
 * the server, so that a session has neither settings nor prepared statements of its own.
 */
export const poolers = ['none', 'transaction'] as const;
export type Pooler = (typeof poolers)[number];

/** Opens connections for some work, and closes them after it. */
export async function withDataSource<T>(
  options: DataSourceOptions,
  work: (source: DataSource) => Promise<T>,
): Promise<T> {
  const source = createDataSource(options);
  await source.initialize();
  try {
    return await work(source);
  } finally {
    await source.destroy();
  }
}

export function createDataSource(options: DataSourceOptions): DataSource {
  const statementTimeoutMs = options.statementTimeoutMs ?? longestStatementMs;
  const { pooler = 'none', sessionOptions } = options;
  const { maxLifetimeSeconds } = { maxLifetimeSeconds: 1_800, ...options };
  return new DataSource({
    type: 'postgres',
    url: options.url,
    applicationName: options.applicationName ?? 'affiliate',
    poolSize: options.poolSize ?? 10,
    poolErrorHandler: options.onPoolError ?? (() => undefined),
    synchronize: false,
    logger,
    entities,
    namingStrategy: new SnakeCase(),
    migrations,
    migrationsTransactionMode: 'each',
    extra: {
      connectionTimeoutMillis: 3_000,
      // The client's own bound: a frozen server keeps none of its promises.
      query_timeout: statementTimeoutMs === 0 ? 0 : statementTimeoutMs + 1_000,
      keepAlive: true,
      // A server that changed its role behind a proxy keeps its connections; they end all the same.
      maxLifetimeSeconds,
      namesStatements: pooler !== 'transaction',
      ...(sessionOptions !== undefined && { options: sessionOptions }),
      // A pooler refuses settings at the start of a session: there they are the role's.
      ...(pooler === 'none' && statementTimeoutMs > 0 && timeouts(statementTimeoutMs)),
    },
  });
}

/** Settings of a session, in milliseconds. */
export function timeouts(statementTimeoutMs: number) {
  return {
    statement_timeout: statementTimeoutMs,
    lock_timeout: 5_000,
    idle_in_transaction_session_timeout: 30_000,
  };
}
