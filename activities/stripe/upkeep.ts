import { listed } from '../../entities/database/moving';
import { query, transaction, type Db } from '../../entities/database/sql';
import { openStripeEvents } from '../../entities/rules/stripe/event-status';
import type { Scope } from '../../entities/rules/values/mode';
import type { Cause } from '../journal/cause';
import { scopeOf } from './connection/connection';
import { enqueueStripeEvent } from './events/enqueue-event';

const minute = 60_000;

/** Longer than any wait between two attempts: no workflow works on such an event any more. */
const abandonedMs = 2 * 60 * minute;
const sweptAtOnce = 500;

/** Events whose workflow was terminated or lost get one again; gives how many. */
export async function repairStripeEvents(db: Db, cause: Cause): Promise<number> {
  const { now } = cause;
  return transaction(db, async (tx) => {
    const abandoned = await query<Scope & { id: string; type: string }>(
      tx,
      `UPDATE stripe_events SET touched_at = $2
        WHERE id IN (SELECT id FROM stripe_events
                      WHERE status IN (${listed(openStripeEvents)}) AND touched_at < $1
                      ORDER BY touched_at LIMIT ${sweptAtOnce} FOR UPDATE SKIP LOCKED)
        RETURNING id, workspace_id AS "workspaceId", mode, type`,
      [new Date(now.getTime() - abandonedMs), now],
    );
    for (const event of abandoned) {
      await enqueueStripeEvent(tx, { ...cause, scope: scopeOf(event) }, event);
    }
    return abandoned.length;
  });
}
