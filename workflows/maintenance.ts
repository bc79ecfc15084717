import { patched, workflowInfo } from '@temporalio/workflow';
import { database } from './activities';

const roundsAtMost = 200;

export interface SweepResult {
  /** Where the next sweep goes on among the pending commissions. */
  cursor: string | null;
  commissions: number;
  webhooks: { woken: number; cancelled: number };
  stripeEvents: number;
  resets: number;
}

/** Scheduled: repairs what a crash or an outage left behind, a part of the table a round. */
export async function sweep(): Promise<SweepResult> {
  const last = workflowInfo().lastResult as SweepResult | undefined;
  const { cursor, woken } = await database.sweepCommissions({ cursor: last?.cursor ?? null });
  const webhooks = await database.sweepWebhooks();
  const stripeEvents = await database.sweepStripeEvents();
  const resets = patched('sweep-resets') ? await database.sweepTestDataResets() : 0;
  return { cursor, commissions: woken, webhooks, stripeEvents, resets };
}

/** Scheduled: next months' partitions of clicks. */
export async function partitions(): Promise<number> {
  return database.makePartitions();
}

/** Scheduled: forgets signups of the waitlist after 12 months, in bounded batches. */
export async function waitlistPurge(): Promise<number> {
  let deleted = 0;
  for (let round = 0; round < roundsAtMost; round += 1) {
    const rows = await database.purgeWaitlist();
    if (rows === 0) break;
    deleted += rows;
  }
  return deleted;
}

/** Scheduled: deletes what is past its time, in bounded batches. */
export async function retention(): Promise<number> {
  let deleted = 0;
  for (let round = 0; round < roundsAtMost; round += 1) {
    const rows = (await database.purgeBatch()) + (await database.purgeWebhooks());
    if (rows === 0) break;
    deleted += rows;
  }
  return deleted;
}

const reconciledDays = 7;

/** Scheduled: compares the sums of the last days with their raw rows; gives how many differ. */
export async function reconcileAnalytics(): Promise<number> {
  await database.dropAnalyticsOrphans();
  let drift = 0;
  for (let daysAgo = 1; daysAgo <= reconciledDays; daysAgo += 1) {
    drift += await database.reconcileAnalytics({ daysAgo });
  }
  return drift;
}
