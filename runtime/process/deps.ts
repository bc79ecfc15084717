import { createDatabase, type Database } from '../../entities/database/database';
import { createAccessTokens, type AccessTokens } from '../crypto/access-tokens';
import { systemClock, type Clock } from '../observe/clock';
import type { Config } from '../config/config';
import { createLogger, type Logger } from '../observe/logger';
import { createMetrics, type Registry } from '../observe/metrics';
import { watchPool } from '../observe/pool-metrics';
import { openRedis, type RedisLink } from '../connections/redis';
import { openTemporal, type TemporalLink } from '../temporal/link';
import { createVault, type Vault } from '../crypto/vault';
import { createOutboundHttp, type OutboundHttp } from '../outbound/http';
import { createVendorHttp, type VendorHttp } from '../outbound/vendor-http';

interface Lifecycle {
  /** True once the process is asked to end. */
  stopping: boolean;
}

/** Everything that has a socket, a secret or a clock. Functions ask for the parts that they use. */
export interface Deps {
  config: Config;
  db: Database;
  redis: RedisLink;
  temporal: TemporalLink;
  vault: Vault;
  accessTokens: AccessTokens;
  clock: Clock;
  log: Logger;
  metrics: Registry;
  /** Posts to receivers of webhooks. */
  outbound: OutboundHttp;
  /** Asks services of others. */
  vendors: VendorHttp;
  /** Shared by all parts of the process. */
  lifecycle: Lifecycle;
}

export interface OpenDeps extends Deps {
  close(): Promise<void>;
}

/** Opens a process's connections. Any of the servers may be away. */
export async function openDeps(
  config: Config,
  processName: string,
  overrides: Partial<Pick<Deps, 'clock' | 'log'>> = {},
): Promise<OpenDeps> {
  const log = overrides.log ?? createLogger({ level: config.logLevel, process: processName });
  const db = createDatabase({
    url: config.databaseUrl,
    poolSize: config.databasePoolSize,
    pooler: config.databasePooler,
    applicationName: `affiliate-${processName}`,
    onPoolError: (error) => log.warn({ err: error }, 'a database connection broke'),
  });
  const metrics = createMetrics(processName);
  watchPool(db, metrics);
  const redis = await openRedis(
    {
      url: config.redisUrl,
      prefix: config.redisPrefix,
      commandTimeoutMs: config.redisTimeoutMs,
    },
    log,
    metrics,
  );
  const [temporal, vendors] = [openTemporal(config.temporal), createVendorHttp()];
  const outbound = createOutboundHttp({
    allowPrivate: config.webhooks.allowPrivate,
    connectTimeoutMs: Math.max(config.webhooks.timeoutMs, config.webhooks.pingTimeoutMs),
  });
  return {
    config,
    db,
    redis,
    temporal,
    vault: createVault(config.secrets),
    accessTokens: createAccessTokens(config.secrets.jwtKeys),
    clock: overrides.clock ?? systemClock,
    log,
    metrics,
    outbound,
    vendors,
    lifecycle: { stopping: false },
    async close() {
      await Promise.all([outbound.close(), vendors.close()]);
      await redis.close();
      await temporal.close();
      await db.destroy();
    },
  };
}
