import type { Scope } from '../../entities/rules/values/mode';
import { type Db, query, transaction } from '../../entities/database/sql';
import { enqueueStripeEvent } from './events/receive';

const minute = 60_000;

/** Longer than any wait between two attempts: no workflow works on such an event any more. */
const abandonedMs = 2 * 60 * minute;
const sweptAtOnce = 500;

/** Events whose workflow was terminated or lost get one again; gives how many. */
export async function repairStripeEvents(db: Db, now: Date): Promise<number> {
  return transaction(db, async (tx) => {
    const abandoned = await query<Scope & { id: string; type: string }>(
      tx,
      `UPDATE stripe_events SET touched_at = $2
        WHERE id IN (SELECT id FROM stripe_events
                      WHERE status IN ('received', 'retrying') AND touched_at < $1
                      ORDER BY touched_at LIMIT ${sweptAtOnce} FOR UPDATE SKIP LOCKED)
        RETURNING id, workspace_id AS "workspaceId", mode, type`,
      [new Date(now.getTime() - abandonedMs), now],
    );
    for (const event of abandoned) await enqueueStripeEvent(tx, event, now);
    return abandoned.length;
  });
}
