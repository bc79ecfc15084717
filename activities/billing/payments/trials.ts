import { update } from '../../../entities/database/update';
import type { Db, Tx } from '../../../entities/database/sql';
import { rulesOf } from '../../../entities/rules/billers';
import type { StoredSale } from '../../../entities/rules/payments/sale';
import type { Scope } from '../../../entities/rules/values/mode';
import { BillerPayment } from '../../../entities/tables/billing/biller-payment.entity';
import { scopeOf } from '../connection/connection';
import { readPayments, type StripePaymentRecord } from './payments';

/**
 * What began a subscription before anything was paid for it, oldest first: a trial begins once, and has
 * few of them.
 */
export function findTrials(
  db: Db,
  scope: Scope,
  subscriptionId: string,
): Promise<StripePaymentRecord[]> {
  return readPayments(db, scope, {
    where: `p.id IN (SELECT id FROM stripe_payments
             WHERE workspace_id = $1 AND mode = $2 AND subscription_id = ANY ($3::text[])
               AND paid_at IS NULL ORDER BY created_at, id LIMIT 10)`,
    value: [subscriptionId],
  });
}

/**
 * Keeps what the objects of payments say for their credit, which an earlier release did not; gives it,
 * where they say anything.
 */
export async function tellSales(
  tx: Tx,
  scope: Scope,
  paymentIds: readonly string[],
): Promise<Map<string, StoredSale>> {
  const sales = new Map<string, StoredSale>();
  const where = 'p.id = ANY ($3::uuid[])';
  for (const { id, biller, objects } of await readPayments(tx, scope, {
    where,
    value: [...paymentIds],
  })) {
    const { sale } = rulesOf(biller).summaryOf(objects);
    if (!sale) continue;
    sales.set(id, sale);
    await update(tx, BillerPayment, { set: { sale }, where: { id, ...scopeOf(scope) } });
  }
  return sales;
}
