import 'reflect-metadata';
import { DataSource, DefaultNamingStrategy, type Logger } from 'typeorm';
import { snakeCase } from 'typeorm/util/StringUtils';
import { Connection } from './connection';
import { entities } from './tables';
import { migrations } from '../migrations';

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

/** Columns are called as their properties, in the way of SQL. */
class SnakeCase extends DefaultNamingStrategy {
  override columnName(property: string): string {
    return snakeCase(property);
  }
}

/**
 * TypeORM's part: what entities declare of their tables, and the runner of migrations. Statements go by
 * `Database`. `sessionOptions` are settings of each session, as command line options of the server.
 */
export function createOrm(url: string, sessionOptions?: string): DataSource {
  return new DataSource({
    type: 'postgres',
    url,
    applicationName: 'affiliate-migrate',
    poolSize: 1,
    poolErrorHandler: nothing,
    synchronize: false,
    logger,
    entities,
    namingStrategy: new SnakeCase(),
    migrations,
    migrationsTransactionMode: 'each',
    extra: {
      Client: Connection,
      connectionTimeoutMillis: 3_000,
      keepAlive: true,
      ...(sessionOptions !== undefined && { options: sessionOptions }),
    },
  });
}

/** Does what its argument asks of the connected ORM, and closes its connections. */
export async function withOrm<T>(orm: DataSource, work: () => Promise<T>): Promise<T> {
  await orm.initialize();
  try {
    return await work();
  } finally {
    await orm.destroy();
  }
}
