import { execute, type Tx } from '../../../entities/database/sql';
import type { CommandContext } from '../../journal/cause';
import { enqueueSql, type WorkSql } from '../../journal/outbox';

/**
 * A row of `stripe_payments` as work that follows it up; `$1` is the workspace. A name of its own leads to the
 * payment, one that every event about it locks: the row itself is gone once it turns out to be part of another payment.
 */
function followUpOf(row: string): Omit<WorkSql, 'availableAt' | 'from'> {
  return {
    topic: 'stripe_payment',
    workspaceId: '$1::uuid',
    ref: `${row}.id`,
    payload: `jsonb_build_object('mode', ${row}.mode, 'objectId',
      (SELECT min(o.object_id) FROM stripe_objects AS o
        WHERE o.payment_id = ${row}.id
          AND coalesce(o.fact->>'kind', '') NOT IN ('refund', 'dispute')))`,
  };
}

const enqueueOneSql = enqueueSql({
  ...followUpOf('one'),
  availableAt: '$3',
  requestId: '$4',
  from: 'stripe_payments AS one WHERE one.workspace_id = $1 AND one.id = $2',
});

/** Has a payment followed up, from the context's time on. */
export async function enqueueFollowUp(
  tx: Tx,
  { scope, now, requestId }: CommandContext,
  { paymentId }: { paymentId: string },
): Promise<void> {
  await execute(tx, enqueueOneSql, [scope.workspaceId, paymentId, now, requestId]);
}
