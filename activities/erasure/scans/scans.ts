import { scanDeliveries } from './deliveries';
import type { Scan, ScanCursor, ScanDeps, ScanPlace } from './place';
import { scanStoredAnswers } from './stored-answers';
import { scanStripeEvents } from './stripe-events';

const order = ['webhook_deliveries', 'idempotency_keys', 'stripe_events'] as const;

/** Reads a workspace's free texts page by page; null when all of them were read. */
export async function scanWorkspace(
  deps: ScanDeps,
  place: ScanPlace,
  { from, until }: { from: ScanCursor | null; until: () => boolean },
): Promise<ScanCursor | null> {
  let cursor: ScanCursor | null = from ?? { table: order[0], before: null, beforeId: null };
  while (cursor) {
    const { table }: ScanCursor = cursor;
    const next = await scans[table](deps, place, cursor);
    cursor = next ? { table, ...next } : startAfter(table);
    if (until()) return cursor;
  }
  return null;
}

function startAfter(table: ScanCursor['table']): ScanCursor | null {
  const following = order[order.indexOf(table) + 1];
  return following ? { table: following, before: null, beforeId: null } : null;
}

const scans: Record<ScanCursor['table'], Scan> = {
  webhook_deliveries: scanDeliveries,
  idempotency_keys: scanStoredAnswers,
  stripe_events: scanStripeEvents,
};
