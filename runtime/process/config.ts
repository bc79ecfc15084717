import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import type { Pooler } from '../../entities/database/data-source';
import { temporalTls, type TemporalTls } from './temporal-tls';
import { ConfigError } from './config-error';
import { Environment } from './environment';
import { checkSecrets, loadSecrets, type Secrets } from './secrets';

export interface RateLimits {
  tracking: number;
  conversions: number;
  auth: number;
  general: number;
  waitlist: number;
  erasurePerHour: number;
  resendPerHour: number;
  mailPerHour: number;
  /** Of a workspace on its first day. */
  invitesPerDay: number;
  /** At a time, in one process. */
  exportsPerAccount: number;
  passwordHashesWaiting: number;
}

export interface Config {
  production: boolean;
  /** Tests: an answer or code that a contract does not declare is an error. */
  checkContracts: boolean;
  port: number;
  host: string;
  /** Open connections of clients; more are refused. */
  maxConnections: number;
  adminPort: number;
  adminHost: string;
  /** The admin port was not asked for: where it is taken the next free one does as well. */
  adminPortMayMove: boolean;
  publicBaseUrl: string;
  /** Where links in mails lead. */
  /** Whether /app and /portal are served. */
  dashboard: boolean;
  /** A shop of the local stack that a new merchant may try things with. */
  demoShopUrl: string | undefined;
  dashboardUrl: string;
  databaseUrl: string;
  databaseReplicaUrl: string | undefined;
  databasePoolSize: number;
  /** API keys and links that a process remembers. */
  cachedKeys: number;
  cachedLinks: number;
  databasePooler: Pooler;
  /** To Postgres itself: what needs a session. */
  databaseDirectUrl: string;
  /** As the role that owns the schema: what only the deploy step does. */
  databaseOwnerUrl: string;
  migrateAtStart: boolean;
  /** 0: clicks are kept for ever. */
  clickRetentionMonths: number;
  redisUrl: string;
  redisPrefix: string;
  redisTimeoutMs: number;
  temporal: {
    address: string;
    namespace: string;
    /** Of a namespace that the deploy step makes. */
    retentionDays: number;
    apiKey: string | undefined;
    tls: boolean | TemporalTls;
    /** Run by others: nothing of it is made by the deploy step. */
    managed: boolean;
  };
  workerQueues: string[] | 'all';
  relayStartsPerSecond: number;
  smtpUrl: string;
  /** Of one process. */
  smtpConnections: number;
  mailFrom: string;
  mailReplyTo: string | undefined;
  stripeApiBase: string | undefined;
  requireHttps: boolean;
  trustedProxies: string[];
  corsOrigins: string[];
  waitlistOrigins: string[];
  logLevel: string;
  stackDir: string;
  shutdownTimeoutMs: number;
  shutdownDelayMs: number;
  limits: RateLimits;
  webhooks: {
    allowPrivate: boolean;
    /** Delays before each attempt, in milliseconds. */
    retrySchedule: number[];
    timeoutMs: number;
    pingTimeoutMs: number;
    breakerFailures: number;
  };
  waitlist: { total: number; offset: number; countTtlSeconds: number };
  secrets: Secrets;
}

/** Validates the environment; every problem is reported at once. */
export function readEnvironment(env: NodeJS.ProcessEnv): Environment {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const environment = plainToInstance(Environment, given, {
    exposeDefaultValues: true,
    excludePrefixes: [],
  });
  const problems = validateSync(environment, { whitelist: true });
  if (problems.length > 0) {
    throw new ConfigError(
      problems
        .map(({ property, constraints }) => {
          const reason = Object.values(constraints ?? {})[0] ?? 'is not valid';
          return `The environment variable ${property} is not valid: ${reason}.`;
        })
        .join(' '),
    );
  }
  const production = environment.NODE_ENV === 'production';
  if (production) checkProduction(environment, given);
  checkTemporal(environment, given);
  checkPooler(environment);
  checkSecrets(environment, production);
  return environment;
}

/** What has a default for the local stack must be meant where real merchants are. */
function checkProduction(
  { PUBLIC_BASE_URL, SMTP_URL }: Environment,
  given: Record<string, unknown>,
): void {
  const missing = ['DATABASE_URL', 'PUBLIC_BASE_URL'].filter((name) => given[name] === undefined);
  if (missing.length > 0) {
    throw new ConfigError(`In production the environment must set ${missing.join(', ')}.`);
  }
  if (!PUBLIC_BASE_URL?.startsWith('https:')) {
    throw notValid('PUBLIC_BASE_URL', 'in production it must be an https URL');
  }
  if (SMTP_URL.includes('ignoreTLS=true')) {
    throw notValid('SMTP_URL', 'in production mails are not sent without TLS');
  }
}

/** An API key is worth as much as a password: it is not sent in plain. */
function checkTemporal(environment: Environment, given: Record<string, unknown>): void {
  if (environment.TEMPORAL_API_KEY === undefined) return;
  if (given['TEMPORAL_TLS'] === undefined) environment.TEMPORAL_TLS = true;
  if (!environment.TEMPORAL_TLS) {
    throw notValid('TEMPORAL_TLS', 'TEMPORAL_API_KEY is only sent over TLS');
  }
}

function notValid(name: string, reason: string): ConfigError {
  return new ConfigError(`The environment variable ${name} is not valid: ${reason}.`);
}

/** Through a pooler neither LISTEN nor a migration works. */
function checkPooler({ DATABASE_POOLER, DATABASE_DIRECT_URL }: Environment): void {
  if (DATABASE_POOLER === 'none' || DATABASE_DIRECT_URL !== undefined) return;
  throw new ConfigError(
    'With DATABASE_POOLER the environment must set DATABASE_DIRECT_URL, past the pooler.',
  );
}

/** The only reader of process.env: environment -> validated variables -> grouped configuration. */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const config = toConfig(readEnvironment(env));
  // In production a process that is not where it is looked for is a fault.
  return { ...config, adminPortMayMove: !env['ADMIN_PORT'] && !config.production };
}

function toConfig(env: Environment): Omit<Config, 'adminPortMayMove'> {
  const production = env.NODE_ENV === 'production';
  const publicBaseUrl = trimSlash(env.PUBLIC_BASE_URL ?? `http://127.0.0.1:${env.PORT}`);
  return {
    production,
    checkContracts: env.NODE_ENV === 'test',
    port: env.PORT,
    host: env.HOST,
    maxConnections: env.MAX_CONNECTIONS,
    adminPort: env.ADMIN_PORT,
    adminHost: env.ADMIN_HOST,
    publicBaseUrl,
    dashboard: env.DASHBOARD === 'on',
    demoShopUrl: env.DEMO_SHOP_URL,
    dashboardUrl: trimSlash(env.DASHBOARD_URL ?? publicBaseUrl),
    ...toDatabase(env),
    migrateAtStart: env.MIGRATE_AT_START ?? !production,
    clickRetentionMonths: env.CLICK_RETENTION_MONTHS,
    redisUrl: env.REDIS_URL,
    redisPrefix: env.REDIS_PREFIX,
    redisTimeoutMs: env.REDIS_TIMEOUT_MS,
    temporal: toTemporal(env),
    workerQueues: env.WORKER_QUEUES.includes('all') ? 'all' : env.WORKER_QUEUES,
    relayStartsPerSecond: env.RELAY_STARTS_PER_SECOND,
    ...toMail(env),
    stripeApiBase: env.STRIPE_API_BASE,
    requireHttps: env.REQUIRE_HTTPS ?? production,
    trustedProxies: env.TRUSTED_PROXIES,
    corsOrigins: env.CORS_ORIGINS,
    waitlistOrigins: env.WAITLIST_ORIGINS,
    logLevel: env.LOG_LEVEL,
    stackDir: env.STACK_DIR,
    shutdownTimeoutMs: env.SHUTDOWN_TIMEOUT_MS,
    shutdownDelayMs: env.SHUTDOWN_DELAY_MS,
    limits: toLimits(env),
    webhooks: toWebhooks(env),
    waitlist: {
      total: env.WAITLIST_TOTAL,
      offset: env.WAITLIST_OFFSET,
      countTtlSeconds: env.WAITLIST_COUNT_TTL_SECONDS,
    },
    secrets: loadSecrets(env, production),
  };
}

function toTemporal(env: Environment): Config['temporal'] {
  return {
    address: env.TEMPORAL_ADDRESS,
    namespace: env.TEMPORAL_NAMESPACE,
    retentionDays: env.TEMPORAL_RETENTION_DAYS,
    apiKey: env.TEMPORAL_API_KEY,
    tls: temporalTls(env),
    managed: env.TEMPORAL_MANAGED,
  };
}

function toMail(env: Environment) {
  const { SMTP_URL: smtpUrl, SMTP_CONNECTIONS: smtpConnections } = env;
  return { smtpUrl, smtpConnections, mailFrom: env.MAIL_FROM, mailReplyTo: env.MAIL_REPLY_TO };
}

function toDatabase(env: Environment) {
  const databaseDirectUrl = env.DATABASE_DIRECT_URL ?? env.DATABASE_URL;
  return {
    databaseUrl: env.DATABASE_URL,
    databaseReplicaUrl: env.DATABASE_REPLICA_URL,
    databasePoolSize: env.DATABASE_POOL_SIZE,
    cachedKeys: env.CACHED_KEYS,
    cachedLinks: env.CACHED_LINKS,
    databasePooler: env.DATABASE_POOLER,
    databaseDirectUrl,
    databaseOwnerUrl: env.DATABASE_OWNER_URL ?? databaseDirectUrl,
  };
}

function toWebhooks(env: Environment): Config['webhooks'] {
  return {
    allowPrivate: env.WEBHOOK_ALLOW_PRIVATE,
    retrySchedule: env.WEBHOOK_RETRY_SCHEDULE,
    timeoutMs: env.WEBHOOK_TIMEOUT_MS,
    pingTimeoutMs: env.WEBHOOK_PING_TIMEOUT_MS,
    breakerFailures: env.WEBHOOK_BREAKER_FAILURES,
  };
}

function toLimits(env: Environment): RateLimits {
  return {
    tracking: env.RATE_LIMIT_TRACKING,
    conversions: env.RATE_LIMIT_CONVERSIONS,
    auth: env.RATE_LIMIT_AUTH,
    general: env.RATE_LIMIT_GENERAL,
    waitlist: env.RATE_LIMIT_WAITLIST,
    erasurePerHour: env.RATE_LIMIT_ERASURE,
    resendPerHour: env.RATE_LIMIT_RESEND,
    mailPerHour: env.RATE_LIMIT_MAIL,
    invitesPerDay: env.INVITES_PER_DAY,
    exportsPerAccount: env.EXPORTS_PER_ACCOUNT,
    passwordHashesWaiting: env.PASSWORD_HASHES_WAITING,
  };
}

function trimSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
