import { performance } from 'node:perf_hooks';
import { probeIntervalMs } from '../../../entities/rules/webhooks/health';
import { isBreakerOpen } from '../../../entities/rules/webhooks/retry';
import {
  countFrom,
  type Db,
  execute,
  query,
  queryOne,
  transaction,
  type Tx,
} from '../../../entities/database/sql';
import type { Deps } from '../../runtime/process/deps';
import { leaseMsFor } from '../../runtime/outbound/webhook-capacity';
import { claimRetries } from './claim';
import { wakeDispatchers } from '../fan-out';
import { sendBatch } from './retry-batch';

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

/** An answer that takes longer is not waited for. */
const usualPatienceMs = 2_000;

export interface TurnOptions {
  signal?: AbortSignal | undefined;
  turnMs?: number;
  patienceMs?: number;
}

/**
 * Sends the retries of one endpoint that are due, or the one probe that its open breaker allows,
 * and returns when to look again. What hangs goes on without it, so that receivers that never answer
 * hold none of the few turns which all endpoints share. Repeating it after a crash sends what was not
 * recorded again. Once the signal is aborted it claims nothing more.
 */
export async function runRetries(
  deps: RetriesDeps,
  endpointId: string,
  { signal, turnMs = usualTurnMs, patienceMs = usualPatienceMs }: TurnOptions = {},
): Promise<RetriesState> {
  const { config, clock, webhooks } = deps;
  const db = deps.db.manager;
  const workspaceId = await claimTurn(db, endpointId, clock.now());

  let isHanging = false;
  const end = performance.now() + turnMs;
  while (!isHanging && performance.now() < end && signal?.aborted !== true) {
    const limit = webhooks.places.room({ endpointId, workspaceId });
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
    isHanging = await sendBatch(deps, claims, patienceMs);
  }
  return endTurn(deps, endpointId, isHanging);
}

/**
 * From here on failures need not wake the workflow: it looks at them before it sleeps. Returns whose
 * endpoint it is.
 */
async function claimTurn(db: Db, endpointId: string, now: Date): Promise<string> {
  const [row] = await query<{ workspaceId: string }>(
    db,
    `UPDATE webhook_endpoints SET retries_wake_at = $2 WHERE id = $1
     RETURNING workspace_id AS "workspaceId"`,
    [endpointId, now],
  );
  return row?.workspaceId ?? '';
}

interface EndpointFacts {
  isServed: boolean;
  failuresInRow: number;
  lastError: string | null;
  nextProbeAt: Date | null;
}

/** Writes down when the workflow looks next, under the lock that failures are recorded under. */
async function endTurn(
  deps: RetriesDeps,
  endpointId: string,
  isHanging: boolean,
): Promise<RetriesState> {
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
    const due = facts?.isServed ? await nextLook(tx, endpointId, { breakerOpen, ...facts }) : null;
    const next = isHanging && due ? later(due, endOfHanging(deps, breakerOpen)) : due;
    await execute(
      tx,
      `UPDATE webhook_endpoints
          SET retries_wake_at = $2,
              next_probe_at = CASE WHEN $3 THEN $2 ELSE next_probe_at END WHERE id = $1`,
      [endpointId, next, isHanging && breakerOpen],
    );
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
 * Until when what hangs makes looking again idle: its own end, or behind an open breaker the probe
 * after it. Whatever ends well wakes the workflow sooner.
 */
function endOfHanging({ clock, config }: RetriesDeps, breakerOpen: boolean): Date {
  const wait = config.webhooks.timeoutMs + (breakerOpen ? probeIntervalMs : 0);
  return new Date(clock.now().getTime() + wait);
}

function later(a: Date, b: Date): Date {
  return a > b ? a : b;
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
