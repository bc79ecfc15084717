import { paymentFactsOf } from '../../../entities/rules/stripe/classify';
import { execute, query, type Tx } from '../../../entities/database/sql';
import type { CommandContext } from '../../journal/cause';
import { enqueueSql } from '../../journal/outbox';
import { record } from '../../journal/record';
import type { StripePaymentRecord } from './payments';

/** One statement queues this many payments. */
const mostAtOnce = 500;

const ofPayment = { topic: 'stripe_payment', workspaceId: '$1::uuid' } as const;

/** Payments of the same subscription or customer that are no conversion, in the order of their ids. */
const enqueueOpenSql = enqueueSql({
  ...ofPayment,
  ref: 'open.id',
  availableAt: '$4',
  from: `stripe_payments AS first
       JOIN conversions AS v ON v.id = first.conversion_id
       JOIN stripe_payments AS open ON open.workspace_id = $1 AND open.mode = $2
        AND (open.subscription_id = first.subscription_id OR open.customer_id = first.customer_id)
      WHERE first.id = $3 AND v.participant_id IS NOT NULL
        AND open.conversion_id IS NULL AND open.subscription_id IS NOT NULL
        AND open.paid_at >= coalesce(first.paid_at, v.occurred_at)
        AND ($5::uuid IS NULL OR open.id > $5)
      ORDER BY open.id LIMIT ${mostAtOnce}`,
});

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
 * A first payment is known now: what was paid by its subscription or customer since, and seemed to
 * be nothing of ours, may be a renewal. Each is work of its own, so that a customer with thousands
 * of invoices delays no other work.
 */
export async function enqueueRenewals(
  tx: Tx,
  context: CommandContext,
  { paymentId, after = null }: { paymentId: string; after?: string | null },
): Promise<void> {
  const { scope, now } = context;
  const rows = await query<{ ref: string }>(tx, `${enqueueOpenSql} RETURNING ref::text AS ref`, [
    scope.workspaceId,
    scope.mode,
    paymentId,
    now,
    after,
  ]);
  if (rows.length < mostAtOnce) return;
  const last = rows
    .map(({ ref }) => ref)
    .sort()
    .at(-1);
  await enqueueFollowUp(tx, context, { paymentId, payload: { renewalsAfter: last } });
}

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
