import {
  changeHealth,
  isProbed,
  type EndpointHealth,
  type EndpointOutcome,
  type HealthChange,
} from '../../../entities/rules/webhooks/health';
import { deliveryMoves } from '../../../entities/rules/webhooks/delivery-status';
import { layOut, parametersOf, rowsOf } from '../../../entities/database/bulk-rows';
import { tableOf } from '../../../entities/database/columns';
import { movingSql } from '../../../entities/database/moving';
import {
  boundedTransaction,
  query,
  transaction,
  type Db,
  type Tx,
} from '../../../entities/database/sql';
import { WebhookDelivery } from '../../../entities/tables/webhooks/webhook-delivery.entity';
import {
  disableEndpoint,
  endpointNotice,
  lockedColumns,
  saveHealth,
  wakeRetries,
  type LockedEndpoint,
  type RetriesWake,
} from '../endpoint-health';
import { wakeDispatchers } from '../fan-out';
import type { Cause } from '../../journal/cause';
import type { Notice } from '../../notifications/notice';
import { notify } from '../../notifications/notify';
import { groupBy } from './group-by';
import type { AttemptResult } from './send';

export interface RecordCommand {
  results: readonly AttemptResult[];
  breakerFailures: number;
}

const attempted = movingSql(deliveryMoves, {
  trigger: 'attempt',
  to: { sql: 'r.status' },
  of: 'd',
});

/** The columns that each answer overwrites. */
const ofAnswer = [
  'nextAttemptAt',
  'httpStatusCode',
  'errorMessage',
  'durationMs',
  'responseBody',
  'lastAttemptAt',
] as const satisfies (keyof WebhookDelivery)[];
const answered = Object.values(tableOf(WebhookDelivery, ofAnswer).columns)
  .map(({ name }) => `${name} = r.${name}`)
  .join(', ');

/** Columns of a result: whose it is, what it sets, and in `attemptsBefore` what it adds. */
const ofResult = ['id', 'leaseToken', 'status', 'attemptsBefore', ...ofAnswer] as const;
type ResultRow = Pick<WebhookDelivery, (typeof ofResult)[number]>;
const sets = layOut({ results: tableOf(WebhookDelivery, ofResult) });

/**
 * Writes the results of attempts, of any number of tenants, together: the deliveries, the log of
 * attempts, the health of endpoints that fail or recover, and the wake-up of their clocks. A result
 * whose lease is not held any more (the delivery was cancelled, or taken over after a crash) changes
 * nothing. It waits for no lock: returns the results that another transaction is in the way of, and
 * those that lead to a notice, which are to be recorded alone.
 */
export async function recordTogether(
  db: Db,
  cause: Cause,
  { results, breakerFailures }: RecordCommand,
): Promise<AttemptResult[]> {
  const written = new Set(await writeHealthy(db, results));
  const rest = results.filter(({ claim }) => !written.has(claim.id));
  if (rest.length === 0) return [];
  return transaction(db, async (tx) => {
    const endpoints = await lockEndpoints(tx, rest, 'SKIP LOCKED');
    const context = { now: cause.now, breakerFailures };
    const changes = changesOf(endpoints, rest, context).filter((change) => !needsNotice(change));
    const plain = new Set(changes.map(({ endpointId }) => endpointId));
    await writeChanges(tx, cause, {
      endpoints: endpoints.filter(({ id }) => plain.has(id)),
      results: rest.filter(({ claim }) => plain.has(claim.endpointId)),
      breakerFailures,
      locked: 'SKIP LOCKED',
    });
    return stillLeased(tx, rest);
  });
}

/** Writes the results of one endpoint, and waits a moment for locks: 55P03 when they are not free. */
export async function recordAlone(db: Db, cause: Cause, command: RecordCommand): Promise<void> {
  await boundedTransaction(db, async (tx) => {
    const endpoints = await lockEndpoints(tx, command.results, '');
    await writeChanges(tx, cause, { ...command, endpoints, locked: '' });
  });
}

/** What is done about a row that another transaction has locked. */
type Locked = 'SKIP LOCKED' | '';

/** Endpoints before deliveries, both by id: the order in which everything here locks. */
function lockEndpoints(
  tx: Tx,
  results: readonly AttemptResult[],
  locked: Locked,
): Promise<LockedEndpoint[]> {
  return query<LockedEndpoint>(
    tx,
    `SELECT ${lockedColumns} FROM webhook_endpoints AS e
      WHERE e.id = ANY($1) ORDER BY e.id FOR NO KEY UPDATE ${locked}`,
    [[...new Set(results.map(({ claim }) => claim.endpointId))]],
  );
}

interface Changes extends RecordCommand {
  /** The endpoints, under lock. */
  endpoints: readonly LockedEndpoint[];
  locked: Locked;
}

async function writeChanges(
  tx: Tx,
  cause: Cause,
  { endpoints, results, breakerFailures, locked }: Changes,
): Promise<void> {
  const recorded = new Set(await idsOf(tx, writeSql({ locked }), rowsFor(results)));
  const written = results.filter(({ claim }) => recorded.has(claim.id));
  const context = { now: cause.now, breakerFailures };
  const changes = changesOf(endpoints, written, context).filter(
    ({ endpoint, health }) =>
      isServed(endpoint) &&
      (endpoint.failuresInRow > 0 || endpoint.retriesPausedAt !== null || health.failuresInRow > 0),
  );
  await saveHealth(tx, changes);
  await wakeRetries(
    tx,
    cause,
    changes.flatMap((change) => wakeOf(change, context)),
  );
  if (changes.some((change) => isRecovered(change, breakerFailures))) await wakeDispatchers(tx);
  const notices: Notice[] = [];
  for (const change of changes) notices.push(...(await noticesOf(tx, cause, change)));
  await notify(tx, cause, notices);
}

const isServed = ({ activeSince, deletedAt }: LockedEndpoint): boolean =>
  activeSince !== null && deletedAt === null;

/** `join` narrows to deliveries of some endpoints. */
const writeSql = ({ locked, join = '' }: { locked: Locked; join?: string }): string => `
  WITH result AS MATERIALIZED (
    SELECT * FROM ${rowsOf(sets.results)}
  ), held AS MATERIALIZED (
    SELECT d.id FROM webhook_deliveries d
      JOIN result r ON r.id = d.id AND r.lease_token = d.lease_token ${join}
     ORDER BY d.id FOR UPDATE OF d ${locked}
  ), written AS (
    UPDATE webhook_deliveries AS d
       SET ${attempted.set}, ${answered}, attempts = d.attempts + 1,
           attempts_before = d.attempts_before + r.attempts_before,
           lease_token = NULL, lease_until = NULL
      FROM held JOIN result r ON r.id = held.id
     WHERE d.id = held.id AND ${attempted.where}
    RETURNING d.id, d.attempts
  ), logged AS (
    INSERT INTO webhook_attempts (delivery_id, attempt, at, http_status_code, error_message,
      duration_ms)
    SELECT w.id, w.attempts, r.last_attempt_at, r.http_status_code, r.error_message, r.duration_ms
      FROM written w JOIN result r ON r.id = w.id
  )
  SELECT id FROM written`;

const writeHealthySql = writeSql({
  locked: 'SKIP LOCKED',
  join: `JOIN webhook_endpoints e ON e.id = d.endpoint_id
    AND e.failures_in_row = 0 AND e.retries_paused_at IS NULL`,
});

/** A healthy endpoint that answers well is not touched, so that success costs no lock. */
async function writeHealthy(db: Db, results: readonly AttemptResult[]): Promise<string[]> {
  const good = results.filter(({ answer }) => answer.ok);
  if (good.length === 0) return [];
  // Planned each time: a plan that was kept from when there were few deliveries reads them all, until they are
  // analyzed, and a drain took twice the time (`bench webhooks`).
  return idsOf(db, writeHealthySql, rowsFor(good));
}

const rowsFor = (results: readonly AttemptResult[]): unknown[] =>
  parametersOf(sets, { results: results.map(toRow) });

async function idsOf(db: Db, text: string, params: unknown[]): Promise<string[]> {
  const rows = await query<{ id: string }>(db, text, params);
  return rows.map(({ id }) => id);
}

/** What was not written though its lease is held: it would have had to wait. */
async function stillLeased(tx: Tx, results: readonly AttemptResult[]): Promise<AttemptResult[]> {
  const leased = await idsOf(
    tx,
    `SELECT d.id FROM unnest($1::uuid[], $2::uuid[]) AS r (id, token)
       JOIN webhook_deliveries d ON d.id = r.id AND d.lease_token = r.token`,
    [results.map(({ claim }) => claim.id), results.map(({ claim }) => claim.leaseToken)],
  );
  const ids = new Set(leased);
  return results.filter(({ claim }) => ids.has(claim.id));
}

function toRow({ claim, at, answer, verdict, isAhead }: AttemptResult): ResultRow {
  return {
    id: claim.id,
    leaseToken: claim.leaseToken,
    status: verdict.status,
    nextAttemptAt: verdict.nextAttemptAt,
    httpStatusCode: answer.httpStatusCode,
    errorMessage: answer.errorMessage,
    durationMs: answer.durationMs,
    responseBody: answer.responseBody,
    lastAttemptAt: at,
    attemptsBefore: isAhead ? 1 : 0,
  };
}

interface HealthContext {
  now: Date;
  breakerFailures: number;
}

interface EndpointChange extends HealthChange {
  endpoint: LockedEndpoint;
  endpointId: string;
  own: readonly AttemptResult[];
}

/** The changes of the endpoints that the results concern. */
function changesOf(
  endpoints: readonly LockedEndpoint[],
  results: readonly AttemptResult[],
  context: HealthContext,
): EndpointChange[] {
  const ofEndpoint = groupBy(results, ({ claim }) => claim.endpointId);
  return endpoints.flatMap((endpoint) => {
    const own = ofEndpoint.get(endpoint.id);
    if (!own) return [];
    const verdict = changeHealth(endpoint, own.map(outcomeOf), context);
    return [{ endpoint, endpointId: endpoint.id, own, ...verdict }];
  });
}

function outcomeOf({ answer, verdict }: AttemptResult): EndpointOutcome {
  return {
    ok: answer.ok,
    errorMessage: answer.errorMessage,
    status: verdict.status,
    disablesEndpoint: verdict.disablesEndpoint,
  };
}

/** The clock has to be told of a next attempt that it does not expect, and shows a recovery. */
function wakeOf(change: EndpointChange, { now, breakerFailures }: HealthContext): RetriesWake[] {
  const { endpoint, own, health, disabledReason } = change;
  if (disabledReason !== null) return [];
  const wakeAt = isRecovered(change, breakerFailures) ? now : nextAttemptOf(health, own);
  return wakeAt === null ? [] : [{ endpoint, wakeAt }];
}

function isRecovered({ endpoint, health }: EndpointChange, breakerFailures: number): boolean {
  return isProbed(endpoint, breakerFailures) && !isProbed(health, breakerFailures);
}

const needsNotice = ({ disabledReason, isFirstDeadLetter }: EndpointChange): boolean =>
  disabledReason !== null || isFirstDeadLetter;

/** What the merchant is to be notified of; an endpoint that the service gives up on is disabled. */
async function noticesOf(
  tx: Tx,
  cause: Cause,
  { endpoint, disabledReason, isFirstDeadLetter }: EndpointChange,
): Promise<Notice[]> {
  const notices = isFirstDeadLetter
    ? [endpointNotice(endpoint, { type: 'webhook.dead_letter', reason: null })]
    : [];
  if (disabledReason === null) return notices;
  return [...notices, await disableEndpoint(tx, cause, { endpoint, reason: disabledReason })];
}

/** When the workflow of the endpoint's retries is needed: for its next retry, or its next probe. */
function nextAttemptOf(health: EndpointHealth, own: readonly AttemptResult[]): Date | null {
  if (health.nextProbeAt !== null) return health.nextProbeAt;
  const times = own.flatMap(({ verdict }) => verdict.nextAttemptAt ?? []);
  return times.reduce<Date | null>((least, at) => (least && least < at ? least : at), null);
}
