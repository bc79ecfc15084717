import { paymentFactsOf } from '../../../entities/rules/stripe/classify';
import { execute, type Tx } from '../../../entities/database/sql';
import type { CommandContext } from '../../journal/cause';
import { enqueueSql } from '../../journal/outbox';
import { record } from '../../journal/record';
import type { StripePaymentRecord } from './payments';

export const ofPayment = { topic: 'stripe_payment', workspaceId: '$1::uuid' } as const;

const enqueueFirstSql = enqueueSql({
  ...ofPayment,
  ref: 'first.id',
  availableAt: '$5',
  from: `(SELECT id, conversion_id FROM stripe_payments
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

/** Has a payment followed up, from the context's time on. */
export async function enqueueFollowUp(
  tx: Tx,
  context: CommandContext,
  { paymentId, payload = {} }: { paymentId: string; payload?: Record<string, unknown> },
): Promise<void> {
  await record(tx, context, { work: [{ topic: 'stripe_payment', ref: paymentId, payload }] });
}
