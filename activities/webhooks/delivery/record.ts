import {
  changeHealth,
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
  boundLocks,
  query,
  type Db,
  type LockWait,
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
import type { Cause } from '../../journal/cause';
import type { Notice } from '../../notifications/notice';
import { notify } from '../../notifications/notify';
import { groupBy } from '../../../runtime/load/group-by';
import type { AttemptResult } from './send';

export interface RecordCommand {
  results: readonly AttemptResult[];
  breakerFailures: number;
  /** Longest wait for a lock: the results may be of several tenants. */
  wait: LockWait;
}

const attempted = movingSql(deliveryMoves, {
  trigger: 'attempt',
  to: { sql: 'r.status' },
  of: 'd',
});

/** What an answer puts in the place of the one before. */
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

/** Of a result: whose it is, what it sets, and in `attemptsBefore` what it adds. */
const ofResult = ['id', 'leaseToken', 'status', 'attemptsBefore', ...ofAnswer] as const;
type ResultRow = Pick<WebhookDelivery, (typeof ofResult)[number]>;
const sets = layOut({ results: tableOf(WebhookDelivery, ofResult) });

/**
 * Writes the results of attempts, of any number of endpoints, in one transaction: the deliveries,
 * the log of attempts, the health of endpoints that fail or recover, and the hand-over of what must
 * be tried again. A result whose lease is not held any more (the delivery was cancelled, or taken
 * over after a crash) changes nothing. Returns the ids of the deliveries that were recorded.
 */
export async function recordAttempts(
  db: Db,
  cause: Cause,
  { results, breakerFailures, wait }: RecordCommand,
): Promise<string[]> {
  if (results.length === 0) return [];
  if (results.every(({ answer }) => answer.ok)) {
    const recorded = await writeHealthy(db, results, wait);
    // None, too, when an endpoint has recovered by them, or all of the leases were lost.
    if (recorded.length > 0) return recorded;
  }

  return boundedTransaction(db, wait, async (tx) => {
    // Endpoints before deliveries, both by id: the order in which everything here locks.
    const endpoints = await lockTroubled(tx, results);
    const recorded = new Set(await writeResults(tx, results));
    const written = results.filter(({ claim }) => recorded.has(claim.id));
    const changes = changesOf(endpoints, written, { now: cause.now, breakerFailures });
    await saveHealth(tx, changes);
    await wakeRetries(tx, cause, changes.flatMap(wakeOf));
    const notices: Notice[] = [];
    for (const change of changes) notices.push(...(await noticesOf(tx, cause, change)));
    await notify(tx, cause, notices);
    return [...recorded];
  });
}

/** A healthy endpoint that answers well is not touched, so that success costs no lock. */
function lockTroubled(tx: Tx, results: readonly AttemptResult[]): Promise<LockedEndpoint[]> {
  const ids = new Set(results.map(({ claim }) => claim.endpointId));
  const failed = new Set(
    results.filter(({ answer }) => !answer.ok).map(({ claim }) => claim.endpointId),
  );
  return query<LockedEndpoint>(
    tx,
    `SELECT ${lockedColumns} FROM webhook_endpoints AS e
      WHERE e.id = ANY($1) AND (e.failures_in_row > 0 OR e.id = ANY($2))
        AND e.active_since IS NOT NULL AND e.deleted_at IS NULL
      ORDER BY e.id FOR NO KEY UPDATE`,
    [[...ids], [...failed]],
  );
}

const writeSql = ({ first, condition }: { first: string; condition: string }): string => `
  WITH ${first} result AS MATERIALIZED (
    SELECT * FROM ${rowsOf(sets.results)}
  ), held AS MATERIALIZED (
    SELECT d.id FROM webhook_deliveries d
      JOIN result r ON r.id = d.id AND r.lease_token = d.lease_token
     ${condition}
     ORDER BY d.id FOR UPDATE OF d
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

/** Writes nothing when one of the endpoints has failed before. */
function writeHealthy(
  db: Db,
  results: readonly AttemptResult[],
  wait: LockWait,
): Promise<string[]> {
  const params = parametersOf(sets, { results: results.map(toRow) });
  const endpoints = [...new Set(results.map(({ claim }) => claim.endpointId))];
  const text = writeSql({
    first: `waits AS MATERIALIZED (SELECT ${boundLocks(wait)} AS bound),`,
    condition: `CROSS JOIN waits
     WHERE waits.bound IS NOT NULL AND NOT EXISTS (
       SELECT 1 FROM webhook_endpoints AS e
        WHERE e.id = ANY($${params.length + 1}) AND e.failures_in_row > 0)`,
  });
  return idsOf(db, text, [...params, endpoints]);
}

function writeResults(tx: Tx, results: readonly AttemptResult[]): Promise<string[]> {
  const params = parametersOf(sets, { results: results.map(toRow) });
  return idsOf(tx, writeSql({ first: '', condition: '' }), params);
}

async function idsOf(db: Db, text: string, params: unknown[]): Promise<string[]> {
  const rows = await query<{ id: string }>(db, text, params);
  return rows.map(({ id }) => id);
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

interface EndpointChange extends HealthChange {
  endpoint: LockedEndpoint;
  endpointId: string;
  own: readonly AttemptResult[];
}

/** What the results make of the endpoints that they concern. */
function changesOf(
  endpoints: readonly LockedEndpoint[],
  results: readonly AttemptResult[],
  context: { now: Date; breakerFailures: number },
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

function wakeOf({ endpoint, own, health, disabledReason }: EndpointChange): RetriesWake[] {
  const wakeAt = nextAttemptOf(health, own);
  return disabledReason === null && wakeAt !== null ? [{ endpoint, wakeAt }] : [];
}

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
