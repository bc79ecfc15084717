import { performance } from 'node:perf_hooks';
import { isBreakerOpen } from '../../../entities/rules/webhooks/retry';
import {
  countFrom,
  type Db,
  execute,
  queryOne,
  transaction,
  type Tx,
} from '../../../entities/database/sql';
import type { Deps } from '../../runtime/process/deps';
import { leaseMsFor } from '../../runtime/outbound/webhook-capacity';
import { recordAttempts } from './record';
import { claimRetries } from './claim';
import { wakeDispatchers } from '../fan-out';
import { countOutcomes } from '../metrics';
import { attemptDelivery } from './send';

/** What an operator sees of one endpoint's retries. Instants are ISO texts. */
export interface RetriesState {
  endpointId: string;
  /** Deliveries that still have attempts before them; counted up to 10,001. */
  backlog: number;
  /** Null: nothing is left to do. */
  nextAttemptAt: string | null;
  /** Milliseconds until then, by the clock of the service. */
  waitMs: number;
  breakerOpen: boolean;
  failuresInRow: number;
  lastError: string | null;
}

export type RetriesDeps = Pick<
  Deps,
  'db' | 'config' | 'clock' | 'vault' | 'webhooks' | 'metrics' | 'log'
>;

/** One call sends for about this long, so that its end is never far away. */
const usualTurnMs = 15_000;

/** The workflow does not look again sooner than this: leases and timers need a moment. */
const leastWaitMs = 500;

/**
 * Sends the retries of one endpoint that are due, or the one probe that its open breaker allows,
 * and returns when to look again. Repeating it after a crash sends what was not recorded again. Once
 * the signal is aborted it claims nothing more.
 */
export async function runRetries(
  deps: RetriesDeps,
  endpointId: string,
  { signal, turnMs = usualTurnMs }: { signal?: AbortSignal | undefined; turnMs?: number } = {},
): Promise<RetriesState> {
  const { config, clock, webhooks } = deps;
  const db = deps.db.manager;
  await claimTurn(db, endpointId, clock.now());

  const end = performance.now() + turnMs;
  while (performance.now() < end && signal?.aborted !== true) {
    const limit = webhooks.lanes.room(endpointId);
    const claims =
      limit <= 0
        ? []
        : await claimRetries(db, {
            endpointId,
            limit,
            now: clock.now(),
            leaseMs: leaseMsFor(config.webhooks),
            breakerFailures: config.webhooks.breakerFailures,
          });
    if (claims.length === 0) break;

    claims.forEach(() => webhooks.lanes.enter(endpointId));
    try {
      const results = await Promise.all(claims.map((claim) => attemptDelivery(deps, claim)));
      await recordAttempts(db, results, {
        now: clock.now(),
        breakerFailures: config.webhooks.breakerFailures,
      });
      countOutcomes(deps.metrics, results);
    } finally {
      claims.forEach(() => webhooks.lanes.leave(endpointId));
    }
  }
  return endTurn(deps, endpointId);
}

/** From here on failures need not wake the workflow: it looks at them before it sleeps. */
async function claimTurn(db: Db, endpointId: string, now: Date): Promise<void> {
  await execute(db, `UPDATE webhook_endpoints SET retries_wake_at = $2 WHERE id = $1`, [
    endpointId,
    now,
  ]);
}

interface EndpointFacts {
  isServed: boolean;
  failuresInRow: number;
  lastError: string | null;
  nextProbeAt: Date | null;
}

/** Writes down when the workflow looks next, under the lock that failures are recorded under. */
async function endTurn(deps: RetriesDeps, endpointId: string): Promise<RetriesState> {
  return transaction(deps.db, async (tx) => {
    const facts = await queryOne<EndpointFacts>(
      tx,
      `SELECT active_since IS NOT NULL AND deleted_at IS NULL AS "isServed",
         failures_in_row AS "failuresInRow", last_error AS "lastError",
         next_probe_at AS "nextProbeAt"
         FROM webhook_endpoints WHERE id = $1 FOR NO KEY UPDATE`,
      [endpointId],
    );
    const breakerOpen =
      facts !== undefined &&
      isBreakerOpen(facts.failuresInRow, deps.config.webhooks.breakerFailures);
    const next = facts?.isServed ? await nextLook(tx, endpointId, { breakerOpen, ...facts }) : null;
    await execute(tx, `UPDATE webhook_endpoints SET retries_wake_at = $2 WHERE id = $1`, [
      endpointId,
      next,
    ]);
    // A recovered endpoint has first attempts that waited for the probe.
    if (!breakerOpen) await wakeDispatchers(tx);

    return {
      endpointId,
      backlog: await countOpen(tx, endpointId),
      nextAttemptAt: next?.toISOString() ?? null,
      waitMs: next ? Math.max(next.getTime() - deps.clock.now().getTime(), leastWaitMs) : 0,
      breakerOpen,
      failuresInRow: facts?.failuresInRow ?? 0,
      lastError: facts?.lastError ?? null,
    };
  });
}

/**
 * The earliest time at which something can be sent. What is leased, by a process that may be dead,
 * counts from the end of its lease. With the breaker open that is the next probe, as long as there is
 * anything left to probe with, first attempts included.
 */
async function nextLook(
  tx: Tx,
  endpointId: string,
  { breakerOpen, nextProbeAt }: { breakerOpen: boolean; nextProbeAt: Date | null },
): Promise<Date | null> {
  const row = await queryOne<{ at: Date | null }>(
    tx,
    `SELECT min(at) AS at FROM unnest(ARRAY['retrying', 'pending']) AS s(status)
      CROSS JOIN LATERAL (
        SELECT greatest(d.next_attempt_at, d.lease_until) AS at FROM webhook_deliveries d
         WHERE d.endpoint_id = $1 AND d.status = s.status AND (s.status = 'retrying' OR $2)
           AND d.status IN ('pending', 'retrying')
         ORDER BY d.next_attempt_at LIMIT 50
      ) AS earliest`,
    [endpointId, breakerOpen],
  );
  const at = row?.at ?? null;
  return at !== null && breakerOpen && nextProbeAt !== null ? nextProbeAt : at;
}

function countOpen(tx: Tx, endpointId: string): Promise<number> {
  return countFrom(
    tx,
    `(SELECT 1 FROM webhook_deliveries
       WHERE endpoint_id = $1 AND status IN ('pending', 'retrying') LIMIT 10001) AS open`,
    [endpointId],
  );
}
