import type { Scope } from '../../../entities/rules/values/mode';
import { paymentFactsOf } from '../../../entities/rules/stripe/classify';
import { execute, query, type Tx } from '../../../entities/database/sql';
import { enqueue } from '../../journal/outbox';
import type { StripePaymentRecord } from './payments';

/** So many payments are put to work by one statement. */
const mostAtOnce = 500;

/**
 * A first payment is known now: what was paid by its subscription or customer since, and seemed to
 * be nothing of ours, may be a renewal. Each is work of its own, so that a customer with thousands
 * of invoices delays no other work.
 */
export async function enqueueRenewals(
  tx: Tx,
  scope: Scope,
  { paymentId, after = null, now }: { paymentId: string; after?: string | null; now: Date },
): Promise<void> {
  const rows = await query<{ ref: string }>(
    tx,
    `INSERT INTO outbox (topic, ref, workspace_id, available_at)
     SELECT 'stripe_payment', open.id, $1, $4
       FROM stripe_payments AS first
       JOIN conversions AS v ON v.id = first.conversion_id
       JOIN stripe_payments AS open ON open.workspace_id = $1 AND open.mode = $2
        AND (open.subscription_id = first.subscription_id OR open.customer_id = first.customer_id)
      WHERE first.id = $3 AND v.participant_id IS NOT NULL
        AND open.conversion_id IS NULL AND open.subscription_id IS NOT NULL
        AND open.paid_at >= coalesce(first.paid_at, v.occurred_at)
        AND ($5::uuid IS NULL OR open.id > $5)
      ORDER BY open.id LIMIT ${mostAtOnce}
     RETURNING ref::text AS ref`,
    [scope.workspaceId, scope.mode, paymentId, now, after],
  );
  if (rows.length < mostAtOnce) return;
  const last = rows
    .map(({ ref }) => ref)
    .sort()
    .at(-1);
  await enqueueLook(tx, scope, { paymentId, payload: { renewalsAfter: last }, at: now });
}

/**
 * A trial's checkout is known now: the first payment that its subscription made since came earlier,
 * and seemed to be nothing of ours. Those after it are renewals of it.
 */
export async function enqueueFirstPaid(
  tx: Tx,
  scope: Scope,
  { payment, now }: { payment: StripePaymentRecord; now: Date },
): Promise<void> {
  const [since] = paymentFactsOf(payment.objects)
    .map(({ paidAt }) => paidAt)
    .sort();
  await execute(
    tx,
    `INSERT INTO outbox (topic, ref, workspace_id, available_at)
     SELECT 'stripe_payment', first.id, $1, $5
       FROM (SELECT id, conversion_id FROM stripe_payments
              WHERE workspace_id = $1 AND mode = $2 AND subscription_id = $3 AND paid_at >= $4
              ORDER BY paid_at, id LIMIT 1) AS first
      WHERE first.conversion_id IS NULL`,
    [scope.workspaceId, scope.mode, payment.subscriptionId, since, now],
  );
}

/** Has a payment looked at once more from then on. */
export async function enqueueLook(
  tx: Tx,
  scope: Scope,
  look: { paymentId: string; payload?: Record<string, unknown>; at: Date },
): Promise<void> {
  const { paymentId, payload = {}, at } = look;
  const { workspaceId } = scope;
  const item = { topic: 'stripe_payment', ref: paymentId, workspaceId, payload } as const;
  await enqueue(tx, { ...item, availableAt: at });
}
