import { listed } from '../../entities/database/moving';
import { query, rowsAtOnce, transaction } from '../../entities/database/sql';
import { openStripeEvents } from '../../entities/rules/billing/event-status';
import type { Biller } from '../../entities/rules/billing/biller';
import type { Scope } from '../../entities/rules/values/mode';
import { workflowIds } from '../../runtime/temporal/messages';
import { systemCause } from '../journal/cause';
import { queuedAmong } from '../journal/outbox';
import type { Deps } from '../../runtime/process/deps';
import { scopeOf } from '../billing/connection/connection';
import { enqueueStripeEvent } from '../billing/events/progress';
import { idAfter, lostAfterMs, withoutWorkflow, type RepairBatch } from './open-workflows';

type OpenEvent = Scope & { id: string; biller: Biller; type: string };

/**
 * Open events whose workflow was terminated or lost get one again. A run that has just
 * started is listed by then; one that waits an hour for its next attempt is known by its id. One batch in the
 * order of ids.
 */
export async function repairStripeEvents(deps: Deps, cursor: string | null): Promise<RepairBatch> {
  const now = deps.clock.now();
  const open = await query<OpenEvent>(
    deps.db.manager,
    `SELECT e.id, e.workspace_id AS "workspaceId", e.mode, e.biller, e.type FROM stripe_events AS e
      WHERE e.status IN (${listed(openStripeEvents)}) AND e.touched_at < $1
        AND ($2::uuid IS NULL OR e.id > $2)
      ORDER BY e.id LIMIT ${rowsAtOnce}`,
    [new Date(now.getTime() - lostAfterMs), cursor],
  );
  const workflowIdOf = ({ id }: OpenEvent): string => workflowIds.stripeEvent(id);
  // The queue is asked by itself: joined, all open events would be held against all that waits.
  const queued = await queuedAmong(
    deps.db.manager,
    'stripe_event',
    open.map(({ id }) => id),
  );
  const rows = open.filter(({ id }) => !queued.has(id));
  const lost = await withoutWorkflow(deps, { rows, workflowIdOf });
  await transaction(deps.db, async (tx) => {
    for (const event of lost) {
      await enqueueStripeEvent(tx, { ...systemCause(now), scope: scopeOf(event) }, event);
    }
  });
  const next = idAfter(open);
  return { cursor: next, repaired: lost.length, more: next !== null };
}
