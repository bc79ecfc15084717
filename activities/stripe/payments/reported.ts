import type { Scope } from '../../../entities/rules/values/mode';
import { isStripePaymentId } from '../../../entities/rules/stripe/classify';
import { query, type Tx } from '../../../entities/database/sql';
import { enqueueRenewals } from './enqueue-looks';
import { enqueueStripeEvent } from '../events/receive';
import { findPaymentsByObjects, lockStripeIds } from './payments';
import { findConversionsOf, settlePayment } from './settle';

/**
 * Whether a merchant's own report names a payment by an id of Stripe's. Such a report goes through
 * lockReportedPayment and joinReportedPayment, so that it and Stripe's events find each other
 * whichever is first (docs/reference/payments.md, One payment, one conversion).
 */
export function namesStripePayment(externalTransactionId: string): boolean {
  return isStripePaymentId(externalTransactionId);
}

/** Before the conversion is written: no event of this payment is applied meanwhile. */
export async function lockReportedPayment(tx: Tx, scope: Scope, id: string): Promise<void> {
  await lockStripeIds(tx, scope, [id]);
}

/**
 * After it was written: it gets the other ids that Stripe's events gave the payment, and the
 * refunds, disputes and fee that came before it. Expects lockReportedPayment in this transaction.
 */
export async function joinReportedPayment(
  tx: Tx,
  scope: Scope,
  { externalTransactionId, now }: { externalTransactionId: string; now: Date },
): Promise<void> {
  const [payment] = await findPaymentsByObjects(tx, scope, [externalTransactionId]);
  if (!payment) return;
  const conversions = await findConversionsOf(tx, scope, payment);
  await retryForFee(tx, scope, { paymentId: payment.id, now });
  await settlePayment(tx, scope, { payment, conversions, now });
  await enqueueRenewals(tx, scope, { paymentId: payment.id, now });
}

/**
 * One event of the payment that waited for it is processed again: the fee is worth asking for now.
 */
async function retryForFee(
  tx: Tx,
  scope: Scope,
  { paymentId, now }: { paymentId: string; now: Date },
): Promise<void> {
  const [event] = await query<{ id: string; type: string }>(
    tx,
    `UPDATE stripe_events SET status = 'received', error = NULL, touched_at = $2
      WHERE id = (SELECT e.id FROM stripe_events e
                   WHERE e.payment_id = $1 AND e.status IN ('waiting', 'ignored')
                   ORDER BY e.type LIKE 'charge.%' DESC, e.received_at DESC LIMIT 1)
      RETURNING id, type`,
    [paymentId, now],
  );
  if (event) await enqueueStripeEvent(tx, { ...scope, ...event }, now);
}
