import { isBreakerOpen } from '../../../entities/rules/webhooks/retry';
import { openDeliveries } from '../../../entities/rules/webhooks/delivery-status';
import { isProbed, probeIntervalMs } from '../../../entities/rules/webhooks/health';
import { selectList } from '../../../entities/database/columns';
import { listed } from '../../../entities/database/moving';
import {
  boundedTransaction,
  countFrom,
  query,
  queryOne,
  type Tx,
} from '../../../entities/database/sql';
import { WebhookEndpoint } from '../../../entities/tables/webhooks/webhook-endpoint.entity';
import type { Deps } from '../../../runtime/process/deps';
import { unlessLocked } from '../../../runtime/load/retry';
import { wakeDispatchers } from '../fan-out';
import { readNextDeadLetter, type NextDeadLetter } from './next-dead-letter';
import { eventsKeptSince, isGone } from '../kept-events';
import { update } from '../../../entities/database/update';
import { hourMs } from '../../../entities/rules/values/duration';

/** What an operator sees of one endpoint's retries. Instants are ISO texts. */
export interface RetriesState {
  endpointId: string;
  /** Deliveries that still have attempts before them; counted up to 10,001. */
  backlog: number;
  /** The time of the earliest retry, or the next probe. Null: nothing is left to do. */
  nextAttemptAt: string | null;
  /** Milliseconds until the clock is to be advanced again, by the clock of the service. */
  waitMs: number;
  breakerOpen: boolean;
  failuresInRow: number;
  lastError: string | null;
  /** The time since which an operator has the retries wait. */
  pausedSince: string | null;
  /** The delivery whose retry is due first, on its way to dead letter. */
  road: NextDeadLetter | null;
}

type ClockDeps = Pick<Deps, 'db' | 'config' | 'clock'>;

/** When the next attempt is due, and when there is something new to see. */
interface Due {
  nextAttemptAt: Date;
  lookAt: Date;
}

/**
 * Advances the clock of one endpoint's retries: wakes the dispatchers for what is due, names the next
 * probe of an open breaker, and says when to look again. Repeating it does no harm.
 */
export function advanceRetries(deps: ClockDeps, endpointId: string): Promise<RetriesState> {
  return boundedTransaction(deps.db, async (tx) => {
    const endpoint = await lockHealth(tx, endpointId);
    const now = deps.clock.now();
    const due = await advance(tx, deps, endpoint);
    await update(tx, WebhookEndpoint, {
      set: { retriesWakeAt: due?.lookAt ?? null },
      where: { id: endpointId },
    });
    return {
      endpointId,
      backlog: await countOpen(tx, endpointId),
      nextAttemptAt: due?.nextAttemptAt.toISOString() ?? null,
      waitMs: due ? Math.max(due.lookAt.getTime() - now.getTime(), 1) : 0,
      breakerOpen: isOpen(deps, endpoint),
      failuresInRow: endpoint.failuresInRow,
      lastError: endpoint.lastError,
      pausedSince: endpoint.retriesPausedAt?.toISOString() ?? null,
      road: await readNextDeadLetter(tx, {
        endpointId,
        attemptsInAll: deps.config.webhooks.retrySchedule.length,
      }),
    };
  });
}

/** A probe that is this late has no clock that works: Temporal is away, or the workflow is lost. */
const lateProbeMs = 4_000;

/**
 * Names the probes of endpoints whose clock stands still, so that they recover without Temporal. What
 * is due behind a closed breaker needs no clock at all. Returns how many endpoints were late.
 */
export async function nameLateProbes(deps: ClockDeps): Promise<number> {
  const lateSince = new Date(deps.clock.now().getTime() - lateProbeMs);
  const late = await query<{ id: string }>(
    deps.db.manager,
    `SELECT e.id FROM webhook_endpoints e
      WHERE ((e.failures_in_row > 0 AND e.failures_in_row >= $1) OR e.retries_paused_at IS NOT NULL)
        AND e.active_since IS NOT NULL AND e.deleted_at IS NULL
        AND (e.next_probe_at IS NULL OR e.next_probe_at <= $2)
        AND EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND ${isOpenSql}
                     AND (e.retries_paused_at IS NULL OR d.status = 'pending'))
      LIMIT 100`,
    [deps.config.webhooks.breakerFailures, lateSince],
  );
  for (const { id } of late) {
    await unlessLocked(() =>
      boundedTransaction(deps.db, async (tx) => advance(tx, deps, await lockHealth(tx, id))),
    );
  }
  return late.length;
}

const used = [
  'id',
  'failuresInRow',
  'lastError',
  'nextProbeAt',
  'probeId',
  'retriesPausedAt',
] as const;

interface Health extends Pick<WebhookEndpoint, (typeof used)[number]> {
  /** Active and not deleted. */
  isServed: boolean;
}

/** How an endpoint has been answering, locked until the transaction ends. */
async function lockHealth(tx: Tx, id: string): Promise<Health> {
  const health = await queryOne<Health>(
    tx,
    `SELECT e.active_since IS NOT NULL AND e.deleted_at IS NULL AS "isServed",
       ${selectList(WebhookEndpoint, 'e', used)}
       FROM webhook_endpoints AS e WHERE e.id = $1 FOR NO KEY UPDATE`,
    [id],
  );
  const nothing = { lastError: null, nextProbeAt: null, probeId: null, retriesPausedAt: null };
  return health ?? { id, isServed: false, failuresInRow: 0, ...nothing };
}

const isOpen = ({ config }: ClockDeps, { failuresInRow }: Health): boolean =>
  isBreakerOpen(failuresInRow, config.webhooks.breakerFailures);

async function advance(tx: Tx, deps: ClockDeps, endpoint: Health): Promise<Due | null> {
  if (!endpoint.isServed) return null;
  const now = deps.clock.now();
  // An attempt that begins now has ended by this time.
  const settled = new Date(now.getTime() + deps.config.webhooks.timeoutMs);
  if (isProbed(endpoint, deps.config.webhooks.breakerFailures)) {
    return advanceProbe(tx, endpoint, { now, settled });
  }

  const at = await earliestRetry(tx, endpoint.id);
  if (at === null || at > now) return at && { nextAttemptAt: at, lookAt: at };
  await wakeDispatchers(tx);
  return { nextAttemptAt: at, lookAt: settled };
}

const isOpenSql = `d.status IN (${listed(openDeliveries)})`;

async function earliestRetry(tx: Tx, endpointId: string): Promise<Date | null> {
  const row = await queryOne<{ at: Date | null }>(
    tx,
    `SELECT d.next_attempt_at AS at FROM webhook_deliveries d
      WHERE d.endpoint_id = $1 AND d.status = 'retrying' ORDER BY d.next_attempt_at LIMIT 1`,
    [endpointId],
  );
  return row?.at ?? null;
}

interface Times {
  now: Date;
  settled: Date;
}

/** There is no probe where nothing is left to try; the next delivery brings one. */
async function advanceProbe(tx: Tx, endpoint: Health, times: Times): Promise<Due | null> {
  const { now, settled } = times;
  if ((await countOpen(tx, endpoint.id)) === 0) return null;
  const { nextProbeAt } = endpoint;
  if (nextProbeAt && nextProbeAt > now) return { nextAttemptAt: nextProbeAt, lookAt: nextProbeAt };
  if (await isUnderWay(tx, endpoint)) return { nextAttemptAt: now, lookAt: settled };

  const probeId = await chooseProbe(tx, endpoint, now);
  // Paused, and nothing new came: a success wakes its clock, what expires does not. A run that watches it
  // looks again in an hour at the latest.
  if (endpoint.retriesPausedAt && probeId === null) {
    const later = new Date(now.getTime() + hourMs);
    return { nextAttemptAt: later, lookAt: later };
  }
  const next = new Date(now.getTime() + probeIntervalMs);
  await update(tx, WebhookEndpoint, {
    set: { probeId, nextProbeAt: next },
    where: { id: endpoint.id },
  });
  await wakeDispatchers(tx);
  return { nextAttemptAt: next, lookAt: next };
}

/** Whether the last probe goes on. Locked, so that nobody begins it while another one is named. */
async function isUnderWay(tx: Tx, { probeId }: Health): Promise<boolean> {
  if (probeId === null) return false;
  const probe = await queryOne<{ underWay: boolean }>(
    tx,
    `SELECT d.lease_until >= now() AS "underWay" FROM webhook_deliveries d
      WHERE d.id = $1 AND ${isOpenSql} FOR NO KEY UPDATE`,
    [probeId],
  );
  return probe?.underWay === true;
}

/**
 * The oldest of the deliveries that are due: a receiver that refuses whatever it sees for the first
 * time would refuse each new one and keep its breaker open for ever. Then what was tried longest
 * ago. What can no longer be sent is passed over: no attempt would ever move it from the front. While the
 * retries are paused only what is new is tried.
 */
async function chooseProbe(
  tx: Tx,
  { id, retriesPausedAt }: Health,
  now: Date,
): Promise<string | null> {
  const chosen = await queryOne<{ id: string }>(
    tx,
    `SELECT d.id FROM webhook_deliveries d
      WHERE ${isOpenSql} AND d.endpoint_id = $1 AND NOT ${isGone('d.event_id', '$3::timestamptz')}
        AND (d.lease_until IS NULL OR d.lease_until < now())
        AND (NOT $4 OR d.status = 'pending')
      ORDER BY d.next_attempt_at > $2, CASE WHEN d.next_attempt_at <= $2 THEN d.id END,
               d.last_attempt_at NULLS FIRST
      LIMIT 1`,
    [id, now, eventsKeptSince(now), retriesPausedAt !== null],
  );
  return chosen?.id ?? null;
}

function countOpen(tx: Tx, endpointId: string): Promise<number> {
  return countFrom(
    tx,
    `(SELECT 1 FROM webhook_deliveries d WHERE d.endpoint_id = $1 AND ${isOpenSql} LIMIT 10001) AS o`,
    [endpointId],
  );
}
