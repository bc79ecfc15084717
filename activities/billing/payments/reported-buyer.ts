import { queryOne, type Tx } from '../../../entities/database/sql';
import { update } from '../../../entities/database/update';
import { BillerPayment } from '../../../entities/tables/billing/biller-payment.entity';
import { customerOfNames } from '../../credit/customer-of-names';
import type { CommandContext } from '../../journal/cause';
import { scopeOf } from '../connection/connection';
import type { StripePaymentRecord } from './payments';

type Paid = Pick<StripePaymentRecord, 'id' | 'customer' | 'customerId'>;

/**
 * The buyer of a payment that is also reported: whom the report names is surer than what the biller was
 * given, such as an order's number for its reference. Else the sale would be one customer's until the
 * biller tells of it, and then another's.
 */
export async function reportedBuyer(
  tx: Tx,
  context: Pick<CommandContext, 'scope' | 'now'>,
  { payment, conversionId }: { payment: Paid; conversionId: string },
): Promise<string | null> {
  const { id, customer, customerId } = payment;
  const report = await queryOne<{ customerId: string | null }>(
    tx,
    `SELECT customer_id AS "customerId" FROM conversions WHERE id = $1 AND source = 'api'`,
    [conversionId],
  );
  if (!report?.customerId) return customer;
  const names = { own: [report.customerId], billers: customerId === null ? [] : [customerId] };
  const buyer = await customerOfNames(tx, context, { ...names, current: customer });
  if (buyer === customer) return customer;
  await update(tx, BillerPayment, {
    set: { customer: buyer },
    where: { id, ...scopeOf(context.scope) },
  });
  return buyer;
}
