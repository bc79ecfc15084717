import { withDatabase } from '../../entities/database/database';
import { migrate } from '../../entities/database/migrate';
import { isDatabaseOutage } from '../../entities/database/errors';
import { schemaProblem } from '../../entities/database/schema-version';
import { timeoutProblem } from '../../entities/database/role-timeouts';
import type { Config } from '../config/config';
import { ConfigError } from '../config/config-error';
import type { Deps } from './deps';
import { createLogger } from '../observe/logger';
import { retry, waits } from '../load/retry';

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
  await withDatabase(options, async ({ manager }) => {
    const problem = (await schemaProblem(manager)) ?? (await timeoutProblem(manager));
    if (problem !== undefined) throw new ConfigError(problem);
  });
}

type Starting = Pick<Deps, 'db' | 'log' | 'lifecycle'> & { config: DatabaseConfig };

/**
 * Does that for a process that has its connections. While Postgres is away the process starts without
 * it: its database refuses work as in any outage, until one was seen that this code works with.
 * Resolves after the first try; `onFailure` is called for one that waiting does not mend.
 */
export async function prepareOrWait(
  deps: Starting,
  onFailure: (error: unknown) => void,
): Promise<void> {
  const { db, log, config } = deps;
  const accept = db.refuse('the database was not seen since the start');
  try {
    await prepareDatabase(config);
    accept();
  } catch (error) {
    if (!isDatabaseOutage(error)) throw error;
    log.warn({ err: error }, 'the database is away; the process starts without it');
    void waitForDatabase(deps).then(accept, onFailure);
  }
}

/** Does not end when the process is to stop. */
async function waitForDatabase({ config, log, lifecycle }: Starting): Promise<void> {
  await retry({ waitsMs: waits(500), isWorthIt: isDatabaseOutage }, async () => {
    if (lifecycle.stopping) return new Promise(() => undefined);
    return prepareDatabase(config);
  });
  log.info('the database is there');
}
