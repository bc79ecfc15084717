import { Context } from '@temporalio/activity';
import type { Deps } from '../../runtime/process/deps';
import { checkLedger, type CheckedLedger } from './check-ledger';
import type { RepairPart } from '../../runtime/temporal/messages';
import { keepPartitions } from './partitions';
import { purgeTable } from './purges';
import type { RepairBatch } from './open-workflows';
import { repairPart } from './repair';

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
      const { cancellationSignal } = Context.current();
      const keeping = { now: deps.clock.now(), clickMonths };
      return keepPartitions(deps.db.manager, keeping, cancellationSignal);
    },
  };
}

export interface RepairBatchInput {
  part: RepairPart;
  cursor: string | null;
}
