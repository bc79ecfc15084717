import { foldCommissionCounts } from '../commissions/day-counts';
import { systemCause } from '../journal/cause';
import type { Deps } from '../../runtime/process/deps';
import { checkLedger, type CheckedLedger } from './check-ledger';
import { repairStripeEvents } from '../stripe/upkeep';
import type { RepairPart } from '../../workflows/messages';
import { repairLifecycles, type SweptCommissions } from './lifecycles';
import { keepPartitions } from './partitions';
import { purgedTables, purgeTable } from './purges';
import { repairOverdue, repairPart, type RepairBatch } from './repair';

/** The recurring work behind the schedules: repair, partitions, retention. */
export function createMaintenanceActivities(deps: Deps) {
  return {
    /** One batch of a repair. */
    repairBatch: ({ part, cursor }: RepairBatchInput): Promise<RepairBatch> =>
      repairPart(deps, part, cursor),

    /** Deletes one batch of what is past its time in a table; 0 when nothing is left. */
    purgeTable: ({ table }: { table: string }): Promise<number> =>
      purgeTable(deps.db.manager, table, deps.clock.now()),

    purgeWaitlist: (): Promise<number> =>
      purgeTable(deps.db.manager, 'waitlist_signups', deps.clock.now()),

    checkLedger: (place: { after: string | null }): Promise<CheckedLedger> =>
      checkLedger(deps, place),

    /** Makes the partitions that are due soon and drops those past their time; how many of both. */
    makePartitions: (): Promise<number> => {
      const { clickRetentionMonths: clickMonths } = deps.config;
      return keepPartitions(deps.db.manager, { now: deps.clock.now(), clickMonths });
    },
    ...activitiesOfEarlierVersions(deps),
  };
}

export interface RepairBatchInput {
  part: RepairPart;
  cursor: string | null;
}

/** What runs that began before `repairBatch` and `purgeTable` may still call. */
function activitiesOfEarlierVersions(deps: Deps) {
  const db = deps.db.manager;
  return {
    async sweepCommissions({ cursor }: { cursor: string | null }): Promise<SweptCommissions> {
      await foldCommissionCounts(db);
      const { repaired } = await repairOverdue(deps, { cursor: null, overdueAfterMs: 60_000 });
      const swept = await repairLifecycles(deps, cursor);
      return { ...swept, woken: swept.woken + repaired };
    },

    sweepStripeEvents: (): Promise<number> => repairStripeEvents(db, systemCause(deps.clock.now())),

    async purgeBatch(): Promise<number> {
      let deleted = 0;
      for (const table of purgedTables) deleted += await purgeTable(db, table, deps.clock.now());
      return deleted;
    },

    purgeWebhooks: (): Promise<number> => purgeTable(db, 'webhook_deliveries', deps.clock.now()),
  };
}
