import { keptOf } from '../../../entities/rules/payments/duplicates';
import type { Scope } from '../../../entities/rules/values/mode';
import { RowsLockedError } from '../../../entities/database/errors';
import { queryOne, type Db, type Tx } from '../../../entities/database/sql';
import { billersNaming, toldAtOf } from '../../../entities/rules/billers';
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
 * A merchant's own report may name a payment by an id of a biller's (mayNamePayment). Such a report
 * goes through lockReportedPayment and joinReportedPayment, so that it and the biller's events find each
 * other whichever is first (docs/reference/payments.md, One payment, one conversion).
 */

/** Whether the id has the form of a payment's at Stripe, or at a biller that the workspace was ever connected to. */
export async function mayNamePayment(db: Db, scope: Scope, id: string): Promise<boolean> {
  const billers = billersNaming(id);
  if (billers.length === 0) return false;
  if (billers.includes('stripe')) return true;
  const connected = await queryOne(
    db,
    `SELECT 1 FROM stripe_connections
      WHERE workspace_id = $1 AND mode = $2 AND biller = ANY ($3::text[]) LIMIT 1`,
    [scope.workspaceId, scope.mode, billers],
  );
  return connected !== undefined;
}

/**
 * Locks a payment that a report names, before its conversion is written, so that no event of it is applied
 * meanwhile. RowsLockedError where one is being applied. Gives the time at which a biller first told of the
 * payment; undefined where none has.
 */
export async function lockReportedPayment(
  tx: Tx,
  scope: Scope,
  id: string,
): Promise<Date | undefined> {
  const row = await queryOne<{ isFree: boolean }>(
    tx,
    `SELECT pg_try_advisory_xact_lock(${aliasLockKey('$1::text', '$2::text', '$3::text')}) AS "isFree"`,
    [scope.workspaceId, scope.mode, id],
  );
  if (!row?.isFree) throw new RowsLockedError('the payment is locked');
  return findFirstTold(tx, scope, id);
}

/** The time at which a biller first told this payment as done; undefined while none has. */
export async function findFirstTold(db: Db, scope: Scope, id: string): Promise<Date | undefined> {
  const [payment] = await findPaymentsByObjects(db, scope, [id]);
  return (payment && toldAtOf(payment)) ?? undefined;
}

/**
 * Joins a report that was written with its payment: it gets the other ids that the biller's events
 * gave the payment, and the refunds, disputes and fee that came before it; who is credited is asked
 * anew. Expects lockReportedPayment in this transaction.
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
  await askAgain(tx, { ...context, biller, fact: 'report' }, { customers, payments: [paymentId] });
  await settleKnown(tx, context, paymentId);
}
