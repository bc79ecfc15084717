import {
  ActivityFailure,
  ApplicationFailure,
  continueAsNew,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities';
import { database } from './activities';
import type { RepairInput, RetentionInput } from '../runtime/temporal/messages';
import { detailsOf, instant } from './operators';

/** A round that failed is better than one that is stuck: the next one comes soon. */
const bounded = proxyActivities<Activities>({
  startToCloseTimeout: '20s',
  scheduleToCloseTimeout: '5m',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '1m' },
  summary: 'One batch',
});

/** Its attempts end before its run does, which is then seen to have failed. */
const repairs = proxyActivities<Activities>({
  startToCloseTimeout: '20s',
  scheduleToCloseTimeout: '3m',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '1m' },
  summary: 'One batch',
});

/** Each attempt may wait for the locks of every table; traffic has rests between two of them. */
const patient = proxyActivities<Activities>({
  startToCloseTimeout: '3m',
  scheduleToCloseTimeout: '50m',
  retry: { initialInterval: '2s', backoffCoefficient: 2, maximumInterval: '5m' },
  summary: 'Waits for the locks of tables',
});

/** A day of many clicks is compared hour by hour, each of which is a sign of life. */
const lengthy = proxyActivities<Activities>({
  startToCloseTimeout: '15m',
  scheduleToCloseTimeout: '30m',
  heartbeatTimeout: '1m',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1m' },
  summary: 'One day, hour by hour',
});

/** What an operator reads in Temporal Web of a run that a schedule started. */
function show(about: string, now: string): void {
  const next = 'The run ends by itself; its schedule starts the next one.';
  setCurrentDetails(detailsOf({ about, now, since: instant(), next, updates: [] }));
}

/** What is left of a run's time is for its last batch, and for its result, which the next run goes on from. */
const shareOfTime = 0.75;

/** Whether there is room for another batch: in the history, and in the time after which the server ends the run. */
function hasRoom(): boolean {
  const { continueAsNewSuggested, executionTimeoutMs = Infinity, startTime } = workflowInfo();
  return (
    !continueAsNewSuggested && Date.now() - startTime.getTime() < shareOfTime * executionTimeoutMs
  );
}

/** A batch after the other until one finds nothing, or there is no room: the next run of the schedule goes on. */
async function untilNothingIsLeft(batch: () => Promise<number>): Promise<number> {
  let rows = 0;
  while (hasRoom()) {
    const found = await batch();
    if (found === 0) break;
    rows += found;
  }
  return rows;
}

export interface RepairResult {
  /** Where the next run goes on; null for the beginning. */
  cursor: string | null;
  repaired: number;
}

/**
 * Scheduled: repairs one kind of what a crash or an outage left behind, a batch after the other while
 * there is more of it. Where it ended, the next run of the schedule goes on.
 */
export async function repair({ part }: RepairInput): Promise<RepairResult> {
  show(`Repair of ${part}`, 'Looks for what a crash or an outage left behind.');
  const last = workflowInfo().lastResult as RepairResult | undefined;
  let cursor = last?.cursor ?? null;
  let repaired = 0;
  let more = true;
  while (more && hasRoom()) {
    const found = await repairs.repairBatch({ part, cursor });
    ({ cursor, more } = found);
    repaired += found.repaired;
  }
  return { cursor, repaired };
}

/** Scheduled: partitions that are due soon are made, those past their time are dropped. */
export async function partitions(): Promise<number> {
  show('Partitions', 'Makes those that are due soon, drops those past their time.');
  return patient.makePartitions();
}

/** Scheduled: forgets signups of the waitlist after 12 months, in bounded batches. */
export async function waitlistPurge(): Promise<number> {
  show('Waitlist', 'Forgets signups older than a year.');
  return untilNothingIsLeft(() => database.purgeWaitlist());
}

/**
 * Scheduled: deletes what is past its time, table by table, in bounded batches. Where the history is long a
 * new one goes on with the tables that are left. A table that cannot be purged keeps none of the others, and
 * fails the run in the end so that it is seen.
 */
export async function retention(input: RetentionInput): Promise<number> {
  const { tables, batchesPerRun = Infinity } = input;
  let { deleted = 0 } = input;
  const failed = [...(input.failed ?? [])];
  let batches = 0;
  const isLong = (): boolean => batches >= batchesPerRun || workflowInfo().continueAsNewSuggested;
  for (const [index, table] of tables.entries()) {
    show('Retention', `Deletes what is past its time in ${table}.`);
    let isLeft = true;
    while (isLeft) {
      if (isLong()) {
        const rest = { tables: tables.slice(index), deleted, failed };
        return continueAsNew<typeof retention>({ ...input, ...rest });
      }
      batches += 1;
      const found = await orNote(failed, table, () => bounded.purgeTable({ table }));
      deleted += found;
      isLeft = found > 0;
    }
  }
  if (failed.length === 0) return deleted;
  throw ApplicationFailure.nonRetryable(`not purged: ${failed.join(', ')}`, 'NOT_PURGED');
}

/** What fails for good is noted, and keeps nothing else from being done. */
async function orNote(
  failed: string[],
  name: string,
  work: () => Promise<number>,
): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    failed.push(name);
    return 0;
  }
}

/**
 * Scheduled: compares the sums of the last week with their raw rows; gives how many differ. A day that
 * cannot be compared keeps none of the others, and fails the run in the end so that it is seen.
 */
export async function reconcileAnalytics(): Promise<number> {
  let drift = 0;
  const failed: string[] = [];
  for (let daysAgo = 1; daysAgo <= 7; daysAgo += 1) {
    show('Analytics', `Compares the sums of ${daysAgo} days ago with their rows.`);
    const compare = (): Promise<number> => lengthy.reconcileAnalytics({ daysAgo });
    drift += await orNote(failed, `${daysAgo} days ago`, compare);
  }
  await orNote(failed, 'sums of deleted programmes', () =>
    untilNothingIsLeft(() => bounded.dropAnalyticsOrphans()),
  );
  if (failed.length === 0) return drift;
  throw ApplicationFailure.nonRetryable(`not reconciled: ${failed.join(', ')}`, 'NOT_RECONCILED');
}

export interface LedgerCheck {
  after: string | null;
  wrong: number;
  /** Batches before the history starts afresh; tests shorten it. */
  batchesPerRun?: number;
}

/** Scheduled: what commissions say is owed is the sum of their ledger; gives how many differ. */
export async function checkLedgers(from: LedgerCheck = { after: null, wrong: 0 }): Promise<number> {
  const { batchesPerRun = Infinity } = from;
  let { after, wrong } = from;
  show('Ledgers', `Compares commissions with their ledgers, from ${after ?? 'the first'} on.`);
  for (let batch = 0; batch < batchesPerRun && !workflowInfo().continueAsNewSuggested; batch += 1) {
    const checked = await bounded.checkLedger({ after });
    wrong += checked.wrong;
    after = checked.after;
    if (after === null) return wrong;
  }
  return continueAsNew<typeof checkLedgers>({ ...from, after, wrong });
}
