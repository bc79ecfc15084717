import { performance } from 'node:perf_hooks';
import { probeIntervalMs } from '../../../entities/rules/webhooks/health';
import { isBreakerOpen } from '../../../entities/rules/webhooks/retry';
import { boundedTransaction, execute, queryOne } from '../../../entities/database/sql';
import { whileHeldUp } from '../../../runtime/load/fair-batch';
import type { Deps } from '../../../runtime/process/deps';
import { wakeDispatchers } from '../fan-out';
import { claimRetries, type ClaimedDelivery } from './claim';
import { leasesOf } from './leases';
import { countOpen, lockHealth, nextAttempt, type LockedHealth } from './next-attempt';
import { sendBatch, type Hanging } from './retry-batch';

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
const usualCallMs = 15_000;

/** The workflow does not call again sooner than this: leases and timers need a moment. */
const leastWaitMs = 500;

/** While other processes use all places of the endpoint, or this one all of its own. */
const noPlaceWaitMs = 5_000;

/** An answer that takes longer is not waited for. */
const usualPatienceMs = 2_000;

export interface CallOptions {
  signal?: AbortSignal | undefined;
  callMs?: number;
  patienceMs?: number;
}

/**
 * Sends the retries of one endpoint that are due, or the one probe that its open breaker allows,
 * and returns when to call again. What hangs goes on without it, so that receivers that never answer
 * hold none of the few calls which all endpoints share. Repeating it after a crash sends what was
 * not recorded again. Once the signal is aborted it claims nothing more.
 */
export async function runRetries(
  deps: RetriesDeps,
  endpointId: string,
  { signal, callMs = usualCallMs, patienceMs = usualPatienceMs }: CallOptions = {},
): Promise<RetriesState> {
  const workspaceId = await beginCall(deps, endpointId);
  const call: Call = { hanging: undefined, foundNoneAt: undefined };
  const end = performance.now() + callMs;
  while (!call.hanging?.isHanging && performance.now() < end && signal?.aborted !== true) {
    const now = deps.clock.now();
    const claims = await claimSome(deps, { endpointId, workspaceId }, now);
    if (claims.length === 0) {
      call.foundNoneAt = now;
      break;
    }
    call.hanging = await sendBatch(deps, claims, patienceMs);
  }
  return endCall(deps, endpointId, call);
}

interface Call {
  /** The last batch. */
  hanging: Hanging | undefined;
  /** When the last claim found nothing that it could take. */
  foundNoneAt: Date | undefined;
}

/**
 * From here on failures need not wake the workflow: it looks at them before it sleeps. Returns whose
 * endpoint it is.
 */
async function beginCall({ db, clock }: RetriesDeps, endpointId: string): Promise<string> {
  const row = await whileHeldUp(() =>
    boundedTransaction(db, 'own', (tx) =>
      queryOne<{ workspaceId: string }>(
        tx,
        `UPDATE webhook_endpoints SET retries_wake_at = $2 WHERE id = $1
         RETURNING workspace_id AS "workspaceId"`,
        [endpointId, clock.now()],
      ),
    ),
  );
  return row?.workspaceId ?? '';
}

async function claimSome(
  deps: RetriesDeps,
  owner: { endpointId: string; workspaceId: string },
  now: Date,
): Promise<ClaimedDelivery[]> {
  const { db, config, webhooks } = deps;
  const limit = webhooks.places.room(owner);
  if (limit <= 0) return [];
  return claimRetries(db.manager, {
    endpointId: owner.endpointId,
    limit,
    now,
    held: leasesOf(deps).ids(),
    breakerFailures: config.webhooks.breakerFailures,
  });
}

function endCall(deps: RetriesDeps, endpointId: string, call: Call): Promise<RetriesState> {
  return whileHeldUp(() => tryToEndCall(deps, endpointId, call));
}

/** Writes down when the workflow calls next, under the lock that failures are recorded under. */
function tryToEndCall(deps: RetriesDeps, endpointId: string, call: Call): Promise<RetriesState> {
  const { db, config, clock } = deps;
  return boundedTransaction(db, 'own', async (tx) => {
    const health = await lockHealth(tx, endpointId);
    const breakerOpen = isBreakerOpen(health.failuresInRow, config.webhooks.breakerFailures);
    const due = await nextAttempt(tx, endpointId, { ...health, breakerOpen });
    // Under the lock: what ends later finds the wake-up that is written here, and moves it.
    const isHanging = call.hanging?.isHanging === true;
    const next = due && later(due, restUntil(deps, call, { due, breakerOpen }));
    await execute(
      tx,
      `UPDATE webhook_endpoints
          SET retries_wake_at = $2,
              next_probe_at = CASE WHEN $3 THEN $2 ELSE next_probe_at END WHERE id = $1`,
      [endpointId, next, isHanging && breakerOpen],
    );
    // A recovered endpoint has first attempts that waited for the probe.
    if (!breakerOpen) await wakeDispatchers(tx);
    const backlog = await countOpen(tx, endpointId);
    return { ...stateOf(health, next, clock.now()), endpointId, backlog, breakerOpen };
  });
}

function restUntil(
  deps: RetriesDeps,
  { hanging, foundNoneAt }: Call,
  { due, breakerOpen }: { due: Date; breakerOpen: boolean },
): Date {
  if (hanging?.isHanging) return endOfHanging(deps, breakerOpen);
  // It was due and could not be taken, so there was no place for it.
  if (foundNoneAt === undefined || due > foundNoneAt) return due;
  return new Date(deps.clock.now().getTime() + noPlaceWaitMs);
}

/**
 * Until when what hangs makes another call idle: its own end, or behind an open breaker the probe
 * after it. Whatever ends well wakes the workflow sooner.
 */
function endOfHanging({ clock, config }: RetriesDeps, breakerOpen: boolean): Date {
  const wait = config.webhooks.timeoutMs + (breakerOpen ? probeIntervalMs : 0);
  return new Date(clock.now().getTime() + wait);
}

function later(a: Date, b: Date): Date {
  return a > b ? a : b;
}

function stateOf(
  { failuresInRow, lastError }: LockedHealth,
  next: Date | null,
  now: Date,
): Pick<RetriesState, 'nextAttemptAt' | 'waitMs' | 'failuresInRow' | 'lastError'> {
  return {
    nextAttemptAt: next?.toISOString() ?? null,
    waitMs: next ? Math.max(next.getTime() - now.getTime(), leastWaitMs) : 0,
    failuresInRow,
    lastError,
  };
}
