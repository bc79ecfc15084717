import { keptOf } from '../../../entities/rules/payments/duplicates';
import type { Scope } from '../../../entities/rules/values/mode';
import { RowsLockedError } from '../../../entities/database/errors';
import { queryOne, type Tx } from '../../../entities/database/sql';
import { aliasLockKey } from '../../conversions/alias-locks';
import { askAgain } from '../../credit/ask';
import type { CommandContext } from '../../journal/cause';
import { askForFee } from '../events/progress';
import { billerOf, settleKnown } from './biller';
import { findPaymentsByObjects, setConversion } from './payments';
import type { ProspectVault } from './prospect';
import { reportedBuyer } from './reported-buyer';
import { findConversionsOf } from './settle';

/**
 * A merchant's own report may name a payment by an id of Stripe's (isStripePaymentId). Such a report
 * goes through lockReportedPayment and joinReportedPayment, so that it and Stripe's events find each
 * other whichever is first (docs/reference/payments.md, One payment, one conversion).
 */

/**
 * Before the conversion is written: no event of this payment is applied meanwhile. It waits for
 * none that is: RowsLockedError.
 */
export async function lockReportedPayment(tx: Tx, scope: Scope, id: string): Promise<void> {
  const row = await queryOne<{ isFree: boolean }>(
    tx,
    `SELECT pg_try_advisory_xact_lock(${aliasLockKey('$1::text', '$2::text', '$3::text')}) AS "isFree"`,
    [scope.workspaceId, scope.mode, id],
  );
  if (!row?.isFree) throw new RowsLockedError('the payment is locked');
}

/**
 * After it was written: it gets the other ids that Stripe's events gave the payment, and the refunds,
 * disputes and fee that came before it; who is credited is asked anew. Expects lockReportedPayment in
 * this transaction.
 */
export async function joinReportedPayment(
  tx: Tx,
  context: CommandContext,
  { externalTransactionId, vault }: { externalTransactionId: string; vault: ProspectVault | null },
): Promise<void> {
  const { scope } = context;
  const [payment] = await findPaymentsByObjects(tx, scope, [externalTransactionId]);
  if (!payment) return;
  const paymentId = payment.id;
  const conversionId = keptOf(await findConversionsOf(tx, scope, payment))?.id;
  if (conversionId === undefined) return;
  await setConversion(tx, scope, { paymentId, conversionId });
  await askForFee(tx, context, paymentId);
  const biller = billerOf(vault, null);
  const buyer = await reportedBuyer(tx, context, { payment, conversionId });
  const customers = [...new Set([payment.customer, buyer])].filter((one) => one !== null);
  await askAgain(tx, { ...context, biller }, { customers, payments: [paymentId] });
  await settleKnown(tx, context, paymentId);
}
