import { paymentFactsOf } from '../../../entities/rules/stripe/classify';
import { execute, type Tx } from '../../../entities/database/sql';
import type { CommandContext } from '../../journal/cause';
import { enqueueSql, type WorkSql } from '../../journal/outbox';
import type { StripePaymentRecord } from './payments';

/**
 * A row of `stripe_payments` as work that follows it up; `$1` is the workspace. A name of its own leads to the
 * payment, one that every event about it locks: the row itself is gone once it turns out to be part of another payment.
 */
export function followUpOf(row: string): Omit<WorkSql, 'availableAt' | 'from'> {
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

const enqueueFirstSql = enqueueSql({
  ...followUpOf('first'),
  availableAt: '$5',
  from: `(SELECT id, mode, conversion_id FROM stripe_payments
              WHERE workspace_id = $1 AND mode = $2 AND subscription_id = $3 AND paid_at >= $4
              ORDER BY paid_at, id LIMIT 1) AS first
      WHERE first.conversion_id IS NULL`,
});

/**
 * A trial's checkout is known now: the first payment that its subscription made since came earlier,
 * and seemed to be nothing of ours. Those after it are renewals of it.
 */
export async function enqueueFirstPaid(
  tx: Tx,
  { scope, now }: CommandContext,
  payment: StripePaymentRecord,
): Promise<void> {
  const [since] = paymentFactsOf(payment.objects)
    .map(({ paidAt }) => paidAt)
    .sort();
  await execute(tx, enqueueFirstSql, [
    scope.workspaceId,
    scope.mode,
    payment.subscriptionId,
    since,
    now,
  ]);
}

const one = followUpOf('one');
const enqueueOneSql = enqueueSql({
  ...one,
  payload: `${one.payload} || $3::jsonb`,
  availableAt: '$4',
  requestId: '$5',
  from: 'stripe_payments AS one WHERE one.workspace_id = $1 AND one.id = $2',
});

/** Has a payment followed up, from the context's time on. */
export async function enqueueFollowUp(
  tx: Tx,
  { scope, now, requestId }: CommandContext,
  { paymentId, payload = {} }: { paymentId: string; payload?: Record<string, unknown> },
): Promise<void> {
  await execute(tx, enqueueOneSql, [scope.workspaceId, paymentId, payload, now, requestId]);
}
