import { withDataSource } from '../../entities/database/data-source';
import { migrate } from '../../entities/database/migrate';
import { schemaProblem } from '../../entities/database/schema-version';
import { timeoutProblem } from '../../entities/database/role-timeouts';
import type { Config } from './config';
import { ConfigError } from './config-error';
import { createLogger } from './logger';

type DatabaseConfig = Pick<
  Config,
  'databaseUrl' | 'databaseOwnerUrl' | 'databasePooler' | 'migrateAtStart' | 'logLevel'
>;

/**
 * Where the configuration says so the schema is brought up to date. Whatever did it: a process does
 * not start on a schema that it does not know, or on connections without time-outs.
 */
export async function prepareDatabase(config: DatabaseConfig): Promise<void> {
  if (config.migrateAtStart) {
    const serving = { url: config.databaseUrl, pooler: config.databasePooler };
    await migrate(config.databaseOwnerUrl, serving, (sentence) =>
      createLogger({ level: config.logLevel, process: 'migrate' }).warn(sentence),
    );
  }
  const options = {
    url: config.databaseUrl,
    poolSize: 1,
    pooler: config.databasePooler,
    applicationName: 'affiliate-start',
  };
  await withDataSource(options, async ({ manager }) => {
    const problem = (await schemaProblem(manager)) ?? (await timeoutProblem(manager));
    if (problem !== undefined) throw new ConfigError(problem);
  });
}
