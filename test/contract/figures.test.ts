import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/**
 * The value of a constant, of an option or of a variable's default as its file has it: a number, or a product or
 * quotient of numbers and of constants of the same file, or of units of time. Read from the text, so that nothing is
 * exported for a test.
 */
function valueOf(file: string, name: string): number {
  const pattern = new RegExp(`\\b${name}(?: = ([^;,\\n]+)[;,]|: (\\d[\\d_]*))`);
  const [, constant, option] = pattern.exec(read(file)) ?? [];
  const expression = constant ?? option;
  if (expression === undefined) throw new Error(`${file} has no constant ${name}`);
  const [first = '', ...rest] = expression.split(/ ([*/]) /);
  let value = numberOf(file, first);
  for (let at = 0; at < rest.length; at += 2) {
    const factor = numberOf(file, rest[at + 1] ?? '');
    value = rest[at] === '*' ? value * factor : value / factor;
  }
  return value;
}

function numberOf(file: string, word: string): number {
  const value = Number(word.replaceAll('_', ''));
  if (!Number.isNaN(value)) return value;
  return valueOf(/^(minute|hour|day)Ms$/.test(word) ? unitsOfTime : file, word);
}

const unitsOfTime = 'entities/rules/values/duration.ts';

const comma = (value: number): string => value.toLocaleString('en-US');
const seconds = (ms: number): string => comma(ms / 1_000);
const words = new Map([
  [2, 'two'],
  [5, 'five'],
  [10, 'ten'],
  [20, 'twenty'],
  [30, 'thirty'],
  [100, 'a hundred'],
  [500, 'five hundred'],
  [1_000, 'a thousand'],
]);
const word = (value: number): string => words.get(value) ?? String(value);

type Row = [document: string, source: string, name: string, sentence: (value: number) => string];

const why = (name: string): string => `docs/why/${name}.md`;
const clicks = why('clicks');
const arrays = why('sales');
const feeds = why('mails-and-notices');
const outbox = why('outbox');
const locks = why('locks-and-places');
const sender = why('webhooks');
const postgres = 'docs/operating-postgres.md';
const outboxRunbook = 'docs/runbook-outbox.md';
const webhooksRunbook = 'docs/runbook-webhooks.md';
const receivers = 'docs/webhooks.md';
const requests = 'docs/reference/requests.md';
const deliveries = 'docs/reference/webhooks.md';

const outcome = 'activities/journal/outbox-outcome.ts';
const claimOfDeliveries = 'activities/webhooks/delivery/claim.ts';
const inFlight = 'workers/dispatcher/in-flight.ts';
const streams = 'runtime/connections/row-streams.ts';
const pools = 'runtime/connections/export-pools.ts';
const places = 'api/http/checks/places.ts';
const relayClaims = 'workers/relay/claims.ts';
const database = 'entities/database/database.ts';
const connection = 'entities/database/connection.ts';
const environment = 'runtime/config/environment.ts';
const webhookRules = 'entities/rules/webhooks/retry.ts';
const idempotency = 'api/http/checks/idempotency.ts';

const rows: Row[] = [
  [clicks, 'activities/clicks/store.ts', 'maxInFlight', (n) => `${word(n)} are under way`],
  [arrays, 'workers/relay/event-handlers.ts', 'eventsAtOnce', (n) => `at most ${word(n)} a trans`],
  [feeds, 'api/notifications/live/hub.ts', 'readersAtOnce', (n) => `up to ${n} streams in one`],
  [feeds, 'api/notifications/live/hub.ts', 'versionsEvery', (n) => `every ${word(n)} seconds`],
  [outbox, outcome, 'maxAttempts', (n) => `After ${n} attempts, about an hour`],
  [outbox, outcome, 'maxDeferralS', (n) => `at most ${n} s, or a few calls`],
  [outbox, 'entities/database/sql.ts', 'rowsAtOnce', (n) => `holds ${n} rows of a topic`],
  [locks, 'runtime/load/retry.ts', 'forMs', (n) => `up to ${seconds(n)} s, then 503`],
  [locks, 'entities/database/sql.ts', 'rowsAtOnce', (n) => `books ${word(n)} a st`],
  [outbox, relayClaims, 'lateMs', (n) => `${seconds(n)} s before the oldest row`],
  [outbox, relayClaims, 'refreshMs', (n) => `asked for every ${seconds(n)} s`],
  [outbox, outcome, 'maxDeferralS', (n) => `twice as long each time, at most ${n} s`],
  [sender, inFlight, 'maxInAll', (n) => `${comma(n)} in a process`],
  [sender, inFlight, 'share', (n) => `a ${1 / n}th part of what is free`],
  [sender, 'workers/dispatcher/dispatcher.ts', 'probesEveryMs', (n) => `every ${seconds(n)} s for`],
  [
    sender,
    'activities/webhooks/delivery/clock.ts',
    'lateProbeMs',
    (n) => `over ${seconds(n)} s la`,
  ],
  [sender, 'entities/rules/webhooks/health.ts', 'probeIntervalMs', (n) => `begin ${seconds(n)} s`],
  [locks, places, 'sharedConnections', (n) => `have ${10 - n} of the 10 connections`],
  [locks, streams, 'permitsPerKey', (n) => `${word(n)} of a workspace`],
  [locks, streams, 'permits', (n) => `${word(n)} of a process`],
  [locks, streams, 'connections', (n) => `keyset pages over ${word(n)} connections`],
  [postgres, streams, 'connections', (n) => `x DATABASE_POOL_SIZE  + ${n} x API`],
  [postgres, database, 'longestStatementMs', (n) => `(statement ${seconds(n)} s`],
  [postgres, connection, 'lock_timeout', (n) => `lock ${seconds(n)} s`],
  [
    postgres,
    connection,
    'idle_in_transaction_session_timeout',
    (n) => `idle in a transaction ${seconds(n)} s`,
  ],
  [postgres, pools, 'maxLagSeconds', (n) => `is less than ${n} s old`],
  [postgres, pools, 'maxLagSeconds', (n) => `asked every ${n} s`],
  [postgres, claimOfDeliveries, 'maxInFlightPerEndpoint', (n) => `the ${n} attempts at a time`],
  [outboxRunbook, outcome, 'maxAttempts', (n) => `given up after ${n} attempts`],
  [outboxRunbook, 'entities/database/sql.ts', 'rowsAtOnce', (n) => `cycles ${n} at`],
  [webhooksRunbook, claimOfDeliveries, 'maxInFlightPerEndpoint', (n) => `at most ${n} of an endp`],
  [webhooksRunbook, claimOfDeliveries, 'deliveryLeaseMs', (n) => `lasts ${seconds(n)} s and`],
  [
    webhooksRunbook,
    'activities/webhooks/delivery/leases.ts',
    'renewEveryMs',
    (n) => `every ${seconds(n)} s while`,
  ],
  [webhooksRunbook, inFlight, 'maxInAll', (n) => `at most ${comma(n)} attempts under way`],
  [webhooksRunbook, 'activities/figures/reader.ts', 'maxCounted', (n) => `up to ${comma(n)})`],
  [
    webhooksRunbook,
    'activities/webhooks/deliveries.ts',
    'batchSize',
    (n) => `More than ${comma(n)} are`,
  ],
  [requests, environment, 'RATE_LIMIT_TRACKING', (n) => `| public key | ${comma(n)} |`],
  [requests, environment, 'RATE_LIMIT_GENERAL', (n) => `| account, else address | ${n} |`],
  [requests, environment, 'PASSWORD_HASHES_WAITING', (n) => `of them (${n} a process) wait`],
  [requests, 'activities/credentials/api-keys.ts', 'maxLiveKeys', (n) => `have, ${n} of a kind`],
  [requests, streams, 'permits', (n) => `at most ${n} under way`],
  [requests, streams, 'maxWaitMs', (n) => `waits ${word(n / 1_000)} seconds for the end`],
  [requests, idempotency, 'keptMs', (n) => `within ${n / 3_600_000} hours`],
  [requests, 'api/http/contract/error-envelope.ts', 'maxProblems', (n) => `at most ${word(n)} `],
  [deliveries, environment, 'WEBHOOK_TIMEOUT_MS', (n) => `2xx within ${seconds(n)} s`],
  [deliveries, environment, 'WEBHOOK_BREAKER_FAILURES', (n) => `After ${n} failures in a row`],
  [deliveries, webhookRules, 'jitter', (n) => `(+-${n * 100} %)`],
  [deliveries, webhookRules, 'maxRetryAfterMs', (n) => `up to ${n / 3_600_000} h`],
  [deliveries, 'activities/webhooks/endpoints.ts', 'maxEndpoints', (n) => `limit of ${word(n)}`],
  [receivers, environment, 'WEBHOOK_TIMEOUT_MS', (n) => `within ${seconds(n)} seconds`],
  [receivers, environment, 'WEBHOOK_BREAKER_FAILURES', (n) => `After ${n} failures in a row`],
  [receivers, webhookRules, 'disableAfterMs', (n) => `${word(n / 86_400_000)} days of`],
];

/** The text without line breaks, padding of tables and capitals, which say nothing. */
const plain = (text: string): string => text.replace(/\s+/g, ' ').toLowerCase();

it.each(rows)('%s has %s: %s', (document, source, name, sentence) => {
  expect(plain(read(document))).toContain(plain(sentence(valueOf(source, name))));
});
