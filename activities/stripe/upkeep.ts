import type { Scope } from '../../entities/rules/values/mode';
import { type Db, execute, query, transaction } from '../../entities/database/sql';
import { enqueueStripeEvent } from './events/receive';

const minute = 60_000;
const day = 24 * 60 * minute;

/** Longer than any wait between two attempts: nobody works on such an event any more. */
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

const keptDays = 90;
const purgedAtOnce = 1_000;

/** Raw events go after 90 days; what they told of payments stays. Gives how many went. */
export async function purgeStripeEvents(db: Db, now: Date): Promise<number> {
  return execute(
    db,
    `DELETE FROM stripe_events WHERE id IN (
       SELECT id FROM stripe_events WHERE received_at < $1 ORDER BY received_at LIMIT ${purgedAtOnce})`,
    [new Date(now.getTime() - keptDays * day)],
  );
}
