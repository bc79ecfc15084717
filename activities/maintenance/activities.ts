import { execute, query, type Db } from '../../entities/database/sql';
import { workflowIds } from '../../workflows/messages';
import { purgeAccountTraces } from '../accounts/retention';
import { foldCommissionCounts } from '../commissions/day-counts';
import { purgeNotifications } from '../notifications/retention';
import type { Deps } from '../runtime/process/deps';
import { dropPartitions, ensurePartitions } from './partitions';
import { purgeStripeEvents, repairStripeEvents } from '../stripe/upkeep';

const dayMs = 86_400_000;
const batch = 5_000;

/** The recurring work behind the schedules: repair, partitions, retention. */
export function createMaintenanceActivities(deps: Deps) {
  return {
    /** Counters up to date, and the next pending commissions after `cursor`; see `repairLifecycles`. */
    async sweepCommissions({ cursor }: { cursor: string | null }): Promise<SweptCommissions> {
      await foldCommissionCounts(deps.db.manager);
      return repairLifecycles(deps, cursor);
    },

    sweepStripeEvents: (): Promise<number> => repairStripeEvents(deps.db.manager, deps.clock.now()),

    /** Makes the partitions that are due soon and drops those past their time; how many of both. */
    makePartitions: async (): Promise<number> => {
      const now = deps.clock.now();
      const made = await ensurePartitions(deps.db.manager, now);
      const { clickRetentionMonths: clickMonths } = deps.config;
      return made + (await dropPartitions(deps.db.manager, { now, clickMonths }));
    },

    /** Deletes one batch of what is past its time; 0 when nothing is left. */
    purgeBatch: async (): Promise<number> => {
      const now = deps.clock.now();
      const keys = await purgeIdempotencyKeys(deps.db.manager, now);
      const traces = await purgeAccountTraces(deps.db.manager, now);
      const notices = await purgeNotifications(deps.db.manager, now);
      return keys + traces + notices + (await purgeStripeEvents(deps.db.manager, now));
    },
  };
}

export interface SweptCommissions {
  /** Where the next round goes on; null at the end of the table. */
  cursor: string | null;
  /** Commissions that had no workflow, or whose hold was over without an answer. */
  woken: number;
}

const checkedPerSweep = 300;
const overdueAfterMs = 60_000;
/** Visibility answers for so many ids at a time. */
const idsPerLookup = 100;

/**
 * Every pending commission has one open workflow: whatever lost it (a terminated workflow, a
 * Temporal server without its data), the next rounds find it. Overdue holds are woken at once.
 */
async function repairLifecycles(deps: Deps, cursor: string | null): Promise<SweptCommissions> {
  const now = deps.clock.now();
  const settledSince = new Date(now.getTime() - overdueAfterMs);
  const overdue = await pendingIds(
    deps,
    'NOT hold_elapsed AND hold_until < $1 ORDER BY hold_until',
    [settledSince],
  );
  const next = await pendingIds(
    deps,
    `created_at < $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id`,
    [settledSince, cursor],
  );
  const lost = await withoutWorkflow(deps, next);
  const woken = await wake(deps, [...new Set([...overdue, ...lost])], now);
  return { cursor: next.length < checkedPerSweep ? null : (next.at(-1) ?? null), woken };
}

async function pendingIds(deps: Deps, where: string, params: unknown[]): Promise<string[]> {
  const rows = await query<{ id: string }>(
    deps.db.manager,
    `SELECT id FROM commissions WHERE status = 'pending' AND ${where} LIMIT ${checkedPerSweep}`,
    params,
  );
  return rows.map(({ id }) => id);
}

async function withoutWorkflow(deps: Deps, ids: string[]): Promise<string[]> {
  const lost = new Set(ids);
  for (let start = 0; start < ids.length; start += idsPerLookup) {
    const names = ids
      .slice(start, start + idsPerLookup)
      .map((id) => `'${workflowIds.commission(id)}'`);
    const open = deps.temporal.client.workflow.list({
      query: `ExecutionStatus = 'Running' AND WorkflowId IN (${names.join(', ')})`,
    });
    for await (const { workflowId } of open) lost.delete(workflowId.replace('commission/', ''));
  }
  return [...lost];
}

/** Through the outbox, like everything that the relay carries; what is queued already stays once. */
function wake(deps: Deps, ids: string[], now: Date): Promise<number> {
  return execute(
    deps.db.manager,
    `INSERT INTO outbox (topic, ref, available_at)
     SELECT 'commission', lost.commission_id, $2
     FROM unnest($1::uuid[]) AS lost (commission_id)
     WHERE NOT EXISTS (SELECT 1 FROM outbox AS o
       WHERE o.topic = 'commission' AND o.ref = lost.commission_id)`,
    [ids, now],
  );
}

function purgeIdempotencyKeys(db: Db, now: Date): Promise<number> {
  return execute(
    db,
    `DELETE FROM idempotency_keys WHERE ctid IN (
       SELECT ctid FROM idempotency_keys WHERE created_at < $1 LIMIT ${batch})`,
    [new Date(now.getTime() - dayMs)],
  );
}
