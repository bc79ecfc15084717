import 'reflect-metadata';
import { validateSync } from 'class-validator';
import { temporalTls } from './temporal-tls';
import { ConfigError } from './config-error';
import { Environment } from './environment';
import { readVariable, variableDocs } from './environment-fields';
import { checkSecrets, loadSecrets } from './secrets';

export type Config = ReturnType<typeof toConfig> & {
  /** The admin port was not asked for: where it is taken the next free one does as well. */
  adminPortMayMove: boolean;
};
export type RateLimits = Config['limits'];

/** Validates the environment; every problem is reported at once. */
export function readEnvironment(env: NodeJS.ProcessEnv): Environment {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const values = new Environment();
  const written: Record<string, unknown> = { ...values, ...given };
  const names = variableDocs.map(({ name }) => name).filter((name) => written[name] !== undefined);
  const read = names.map((name) => [name, readVariable(name, written[name])] as const);
  const environment = Object.assign(values, Object.fromEntries(read));
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

/** What leads to the local stack by default. */
const meantInProduction = [
  'DATABASE_URL',
  'PUBLIC_BASE_URL',
  'REDIS_URL',
  'TEMPORAL_ADDRESS',
  'SMTP_URL',
  'MAIL_FROM',
] as const satisfies (keyof Environment)[];

/** What has a default for the local stack must be meant where real merchants are. */
function checkProduction(
  { PUBLIC_BASE_URL, SMTP_URL }: Environment,
  given: Record<string, unknown>,
): void {
  const missing = meantInProduction.filter((name) => given[name] === undefined);
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
  // The admin port may move outside of production only: there a process that is not where it is looked for is a fault.
  return { ...config, adminPortMayMove: !env['ADMIN_PORT'] && !config.production };
}

function toConfig(env: Environment) {
  const production = env.NODE_ENV === 'production';
  const publicBaseUrl = trimSlash(env.PUBLIC_BASE_URL ?? `http://127.0.0.1:${env.PORT}`);
  return {
    production,
    /** Tests: an answer or code that a contract does not declare is an error. */
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
    /** 0: clicks are kept for ever. */
    clickRetentionMonths: env.CLICK_RETENTION_MONTHS,
    redisUrl: env.REDIS_URL,
    redisPrefix: env.REDIS_PREFIX,
    redisTimeoutMs: env.REDIS_TIMEOUT_MS,
    temporal: toTemporal(env),
    workerQueues: env.WORKER_QUEUES.includes('all') ? ('all' as const) : env.WORKER_QUEUES,
    relayStartsPerSecond: env.RELAY_STARTS_PER_SECOND,
    ...toMail(env),
    stripeApiBase: env.STRIPE_API_BASE,
    paddleApiBase: env.PADDLE_API_BASE,
    polarApiBase: env.POLAR_API_BASE,
    importBases: toImportBases(env),
    payouts: toPayouts(env),
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

function toTemporal(env: Environment) {
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
    /** The URL of Postgres itself, for what needs a session. */
    databaseDirectUrl,
    /** The URL with the role that owns the schema, for what only the deploy step does. */
    databaseOwnerUrl: env.DATABASE_OWNER_URL ?? databaseDirectUrl,
  };
}

function toWebhooks(env: Environment) {
  return {
    allowPrivate: env.WEBHOOK_ALLOW_PRIVATE,
    /** Delays before each attempt, in milliseconds. */
    retrySchedule: env.WEBHOOK_RETRY_SCHEDULE,
    timeoutMs: env.WEBHOOK_TIMEOUT_MS,
    pingTimeoutMs: env.WEBHOOK_PING_TIMEOUT_MS,
    breakerFailures: env.WEBHOOK_BREAKER_FAILURES,
  };
}

/** Other hosts of the sources that an import asks. */
function toImportBases(env: Environment) {
  return {
    rewardful: env.REWARDFUL_API_BASE,
    tolt: env.TOLT_API_BASE,
    firstpromoter: env.FIRSTPROMOTER_API_BASE,
  };
}

/** How payouts are sent by a provider; times in milliseconds. */
function toPayouts(env: Environment) {
  return {
    bases: { paypal: env.PAYPAL_API_BASE },
    trySchedule: env.PAYOUT_TRY_SCHEDULE,
    timeoutMs: env.PAYOUT_TRY_TIMEOUT_MS,
    giveUpMs: env.PAYOUT_GIVE_UP,
    askSchedule: env.PAYOUT_ASK_SCHEDULE,
  };
}

function toLimits(env: Environment) {
  return {
    tracking: env.RATE_LIMIT_TRACKING,
    conversions: env.RATE_LIMIT_CONVERSIONS,
    auth: env.RATE_LIMIT_AUTH,
    general: env.RATE_LIMIT_GENERAL,
    waitlist: env.RATE_LIMIT_WAITLIST,
    erasurePerHour: env.RATE_LIMIT_ERASURE,
    resendPerHour: env.RATE_LIMIT_RESEND,
    mailPerHour: env.RATE_LIMIT_MAIL,
    /** Invites of a workspace on its first day. */
    invitesPerDay: env.INVITES_PER_DAY,
    /** The exports of an account at a time, in one process. */
    exportsPerAccount: env.EXPORTS_PER_ACCOUNT,
    passwordHashesWaiting: env.PASSWORD_HASHES_WAITING,
  };
}

function trimSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
