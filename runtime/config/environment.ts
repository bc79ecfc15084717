import {
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
} from 'class-validator';
import { poolers, type Pooler } from '../../entities/database/database';
import { dayMs, durationToMs } from '../../entities/rules/values/duration';
import {
  variable,
  number,
  flag,
  list,
  schedule,
  duration,
  port,
  count,
  milliseconds,
  whole,
  optional,
  text,
  httpUrl,
  postgresUrl,
  redisUrl,
  smtpUrl,
  hostAndPort,
  addressRanges,
  sender,
  origins,
} from './environment-fields';
import { usualQuestions } from './payout-questions';

/** Task queues, and the loops that a worker process runs beside them. */
const workerRoles = [
  'commissions',
  'stripe',
  'webhooks',
  'payouts',
  'mail',
  'erasure',
  'bulk',
  'maintenance',
  'relay',
  'dispatcher',
];

const process_ = 'Process';
const parts = 'Parts';
const access = 'Access';
const limits = 'Limits';
const webhooks = 'Webhooks';
const secrets = 'Secrets';
const mail = 'Mail and billers';
const payouts = 'Payouts by a provider';

/** Every environment variable of the service, with its default for the local stack. */
export class Environment {
  @variable(
    process_,
    'development, test or production, which makes secrets and HTTPS mandatory',
    IsIn(['development', 'test', 'production']),
  )
  NODE_ENV = 'development';

  @variable(process_, 'port of the public API', ...port)
  PORT = 4000;

  @variable(process_, 'address that the servers listen on', ...text)
  HOST = '127.0.0.1';

  @variable(
    process_,
    'port of /metrics, when not set and taken the next free one; never open it to the public',
    ...port,
  )
  ADMIN_PORT = 4001;

  @variable(process_, 'open connections of clients; more are refused', ...whole(1))
  MAX_CONNECTIONS = 10_000;

  @variable(process_, 'address that the admin port listens on', ...text)
  ADMIN_HOST = '127.0.0.1';

  @variable(
    process_,
    'what clients call us; default http://127.0.0.1:PORT',
    ...optional(...httpUrl),
  )
  PUBLIC_BASE_URL?: string;

  @variable(process_, 'where links in mails lead; default PUBLIC_BASE_URL', ...optional(...httpUrl))
  DASHBOARD_URL?: string;

  @variable(process_, 'off: /app and /portal are not served', IsIn(['on', 'off']))
  DASHBOARD: 'on' | 'off' = 'on';

  @variable(
    process_,
    'shop to try the first steps with, which Get started offers; the local stack sets it',
    ...optional(...httpUrl),
  )
  DEMO_SHOP_URL?: string;

  @variable(process_, 'folder of the local stack', ...text)
  STACK_DIR = '.stack';

  @variable(process_, 'time for a clean stop, in milliseconds', ...milliseconds)
  SHUTDOWN_TIMEOUT_MS = 10_000;

  @variable(
    process_,
    'how long the API serves on after SIGTERM while /ready says no, so that a balancer learns of it first; in milliseconds',
    ...whole(0, 60_000),
  )
  SHUTDOWN_DELAY_MS = 0;

  @variable(process_, 'API keys that a process remembers', ...whole(1, 1_000_000))
  CACHED_KEYS = 50_000;

  @variable(process_, 'links that a process remembers', ...whole(1, 1_000_000))
  CACHED_LINKS = 200_000;

  @variable(
    process_,
    'lowest level that is logged',
    IsIn(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
  )
  LOG_LEVEL = 'info';

  @variable(parts, 'Postgres, the truth', postgresUrl)
  DATABASE_URL = 'postgres://postgres:postgres@127.0.0.1:5432/affiliate';

  @variable(parts, 'read replica for exports; default DATABASE_URL', ...optional(postgresUrl))
  DATABASE_REPLICA_URL?: string;

  @variable(parts, 'connections per process', ...whole(2, 200))
  DATABASE_POOL_SIZE = 10;

  @variable(
    parts,
    'what DATABASE_URL leads to: none, or transaction (a pooler such as PgBouncer)',
    IsIn(poolers),
  )
  DATABASE_POOLER: Pooler = 'none';

  @variable(
    parts,
    'past a pooler, for LISTEN and migrations; default DATABASE_URL',
    ...optional(postgresUrl),
  )
  DATABASE_DIRECT_URL?: string;

  @variable(
    parts,
    'for the deploy step: the role that owns the schema; default DATABASE_DIRECT_URL',
    ...optional(postgresUrl),
  )
  DATABASE_OWNER_URL?: string;

  @variable(
    parts,
    'processes bring the schema up to date; default false in production, where aps migrate does',
    flag,
    IsOptional(),
    IsBoolean(),
  )
  MIGRATE_AT_START?: boolean;

  @variable(parts, 'Redis, for limits and push only', redisUrl)
  REDIS_URL = 'redis://127.0.0.1:6379';

  @variable(parts, 'prefix of all Redis keys', IsString())
  REDIS_PREFIX = 'aps:';

  @variable(parts, 'time after which a command to Redis counts as an outage', ...milliseconds)
  REDIS_TIMEOUT_MS = 50;

  @variable(
    parts,
    'months for which clicks are kept, at least the longest attribution window; 0 = for ever',
    ...whole(0, 1_200),
  )
  CLICK_RETENTION_MONTHS = 13;

  @variable(parts, 'host:port of Temporal', hostAndPort)
  TEMPORAL_ADDRESS = '127.0.0.1:7233';

  @variable(parts, 'Temporal namespace', ...text)
  TEMPORAL_NAMESPACE = 'default';

  @variable(
    parts,
    'days for which a namespace that the deploy step makes keeps closed workflows; one that exists is left as it is',
    ...whole(3, 3_650),
  )
  TEMPORAL_RETENTION_DAYS = 7;

  @variable(parts, 'API key for Temporal Cloud', ...optional(...text))
  TEMPORAL_API_KEY?: string;

  @variable(parts, 'TLS towards Temporal; true with an API key', flag, IsBoolean())
  TEMPORAL_TLS = false;

  @variable(
    parts,
    'file (PEM) of the certificate that this service shows to Temporal; with TEMPORAL_TLS_KEY',
    ...optional(...text),
  )
  TEMPORAL_TLS_CERT?: string;

  @variable(parts, 'file (PEM) of its key', ...optional(...text))
  TEMPORAL_TLS_KEY?: string;

  @variable(
    parts,
    "file (PEM) of who signs Temporal's certificate; default the usual authorities",
    ...optional(...text),
  )
  TEMPORAL_TLS_CA?: string;

  @variable(
    parts,
    'true where Temporal is run by others (Temporal Cloud): the deploy step checks the namespace, makes nothing',
    flag,
    IsBoolean(),
  )
  TEMPORAL_MANAGED = false;

  @variable(parts, 'a temporal binary for the local stack', ...optional(...text))
  TEMPORAL_CLI_PATH?: string;

  @variable(
    parts,
    `what this worker serves: ${workerRoles.join(', ')}, or all`,
    list,
    IsArray(),
    IsIn(['all', ...workerRoles], { each: true }),
  )
  WORKER_QUEUES: string[] = ['all'];

  @variable(
    parts,
    'bound on workflow starts per second and relay, 0 = none',
    number,
    IsNumber(),
    Min(0),
    Max(100_000),
  )
  RELAY_STARTS_PER_SECOND = 50;

  @variable(mail, 'SMTP server', smtpUrl)
  SMTP_URL = 'smtp://127.0.0.1:1025';

  @variable(mail, 'connections of a worker to it; notices use half of them', ...whole(2, 100))
  SMTP_CONNECTIONS = 8;

  @variable(mail, 'sender of all mails', sender)
  MAIL_FROM = 'Affiliate Programme <no-reply@localhost>';

  @variable(mail, 'where answers to mails go; without it to MAIL_FROM', ...optional(sender))
  MAIL_REPLY_TO?: string;

  @variable(mail, 'another host for the Stripe library', ...optional(...httpUrl))
  STRIPE_API_BASE?: string;

  @variable(mail, "another host for Paddle's API, of both modes", ...optional(...httpUrl))
  PADDLE_API_BASE?: string;

  @variable(mail, "another host for Polar's API, of both modes", ...optional(...httpUrl))
  POLAR_API_BASE?: string;

  @variable(mail, "another host for Rewardful's API, for imports", ...optional(...httpUrl))
  REWARDFUL_API_BASE?: string;

  @variable(mail, "another host for Tolt's API, for imports", ...optional(...httpUrl))
  TOLT_API_BASE?: string;

  @variable(mail, "another host for FirstPromoter's API, for imports", ...optional(...httpUrl))
  FIRSTPROMOTER_API_BASE?: string;

  @variable(
    payouts,
    'another host for PayPal, for both modes; default its live host, in test mode its sandbox',
    ...optional(...httpUrl),
  )
  PAYPAL_API_BASE?: string;

  @variable(
    payouts,
    'waits before the tries of a payout that a provider is sent; the last repeats until PAYOUT_GIVE_UP',
    ...schedule,
  )
  PAYOUT_TRY_SCHEDULE: number[] = '0s,1m,5m,15m,60m'.split(',').map(durationToMs);

  @variable(
    payouts,
    'of each request to a provider, tries and questions alike; in milliseconds',
    ...whole(1, 600_000),
  )
  PAYOUT_TRY_TIMEOUT_MS = 60_000;

  @variable(
    payouts,
    'how long after the first a try may come; providers forget what they were told after 30 days',
    duration,
    IsInt(),
    Min(1),
    Max(20 * dayMs),
  )
  PAYOUT_GIVE_UP: number = durationToMs('72h');

  @variable(
    payouts,
    'waits between questions to a provider what became of a payout; the last repeats until day 180',
    ...schedule,
  )
  PAYOUT_ASK_SCHEDULE: number[] = usualQuestions();

  @variable(
    access,
    'refuse http requests; default true in production',
    flag,
    IsOptional(),
    IsBoolean(),
  )
  REQUIRE_HTTPS?: boolean;

  @variable(access, 'addresses or CIDR ranges whose X-Forwarded-* count', list, addressRanges)
  TRUSTED_PROXIES: string[] = [];

  @variable(access, 'origins that may call the API from a browser', list, origins)
  CORS_ORIGINS: string[] = [];

  @variable(access, 'origins that may call the waitlist', list, origins)
  WAITLIST_ORIGINS: string[] = [];

  @variable(limits, 'clicks per minute and public key, 0 = off', ...count)
  RATE_LIMIT_TRACKING = 1000;

  @variable(limits, 'conversions per minute and secret key, 0 = off', ...count)
  RATE_LIMIT_CONVERSIONS = 120;

  @variable(limits, 'sign-in requests per minute and address, 0 = off', ...count)
  RATE_LIMIT_AUTH = 10;

  @variable(
    limits,
    'passwords that wait in a process to be hashed; sign-ins beyond them get 503',
    ...whole(1, 10_000),
  )
  PASSWORD_HASHES_WAITING = 50;

  @variable(limits, 'all other requests per minute and account or address, 0 = off', ...count)
  RATE_LIMIT_GENERAL = 300;

  @variable(limits, 'waitlist requests per minute and address, 0 = off', ...count)
  RATE_LIMIT_WAITLIST = 5;

  @variable(limits, 'erasures per hour and account, 0 = off', ...count)
  RATE_LIMIT_ERASURE = 5;

  @variable(limits, 'verification mails per hour and account, 0 = off', ...count)
  RATE_LIMIT_RESEND = 3;

  @variable(
    limits,
    'mails of one type that a stranger can cause, per hour and recipient, 0 = off',
    ...count,
  )
  RATE_LIMIT_MAIL = 10;

  @variable(
    limits,
    'invite mails of a workspace on its first day; each day adds as many, for 30 days; 0 = off',
    ...count,
  )
  INVITES_PER_DAY = 200;

  @variable(limits, 'exports of an account at a time and process, 0 = off', ...count)
  EXPORTS_PER_ACCOUNT = 1;

  @variable(
    webhooks,
    'allow endpoints on private addresses, for receivers on your own machine',
    flag,
    IsBoolean(),
  )
  WEBHOOK_ALLOW_PRIVATE = false;

  @variable(webhooks, 'delay before each attempt, such as 0s,5s,5m', ...schedule)
  WEBHOOK_RETRY_SCHEDULE: number[] = '0s,5s,5m,30m,2h,5h,10h,10h'.split(',').map(durationToMs);

  @variable(webhooks, 'total time of one delivery attempt', ...milliseconds)
  WEBHOOK_TIMEOUT_MS = 15_000;

  @variable(webhooks, 'total time of a test ping', ...milliseconds)
  WEBHOOK_PING_TIMEOUT_MS = 10_000;

  @variable(webhooks, 'failures in a row that open the breaker', ...whole(1))
  WEBHOOK_BREAKER_FAILURES = 50;

  @variable(limits, 'places on the waitlist', ...count)
  WAITLIST_TOTAL = 500;

  @variable(limits, 'added to the stored waitlist count', ...count)
  WAITLIST_OFFSET = 0;

  @variable(limits, 'how long the waitlist count is cached', ...count)
  WAITLIST_COUNT_TTL_SECONDS = 45;

  @variable(secrets, 'JSON array of private Ed25519 JWKs with kid', ...optional(...text))
  JWT_PRIVATE_KEYS?: string;

  @variable(secrets, 'id:base64 list of 32-byte keys; the first encrypts', ...optional(...text))
  ENCRYPTION_KEYS?: string;

  @variable(secrets, 'id:base64 list; the first hashes IP addresses', ...optional(...text))
  IP_HASH_KEYS?: string;

  @variable(secrets, 'base64; hashes buyer addresses and never rotates', ...optional(...text))
  CONTACT_HASH_KEY?: string;

  @variable(
    secrets,
    'whsec_ secret of the mail provider, as it says it; without one its calls are refused',
    IsOptional(),
    Matches(/^(whsec_)?[A-Za-z0-9+/]+={0,2}$/, { message: 'must be whsec_ and base64' }),
  )
  EMAIL_WEBHOOK_SECRET?: string;
}
