import type { Cause } from '../journal/cause';
import type { Mode } from '../../entities/rules/values/mode';
import { query, type Tx } from '../../entities/database/sql';
import { enqueue } from '../journal/outbox';

/**
 * Locks a feed until the end of the transaction and returns the number of this change: streams that
 * know a lower one read again, also without a signal.
 */
export async function lockFeed(tx: Tx, feedId: string): Promise<number> {
  const [feed] = await query<{ version: number }>(
    tx,
    `INSERT INTO notification_feeds AS f (feed_id, version) VALUES ($1, 1)
     ON CONFLICT (feed_id) DO UPDATE SET version = f.version + 1
     RETURNING version`,
    [feedId],
  );
  return feed?.version ?? 0;
}

/** Wakes the streams of a feed once the transaction is committed. */
export async function announceChange(
  tx: Tx,
  { now }: Pick<Cause, 'now'>,
  { feedId, mode }: { feedId: string; mode: Mode | 'both' },
): Promise<void> {
  await enqueue(tx, {
    topic: 'feed',
    ref: feedId,
    workspaceId: feedId,
    payload: { mode },
    availableAt: now,
  });
}
