import { execute, type Tx } from '../../../entities/database/sql';
import { rulesOf } from '../../../entities/rules/billers';
import { checkoutKnownMs, waitsUntil } from '../../../entities/rules/payments/sale';
import type { CommandContext } from '../../journal/cause';
import { enqueueSql, type WorkSql } from '../../journal/outbox';
import type { StripePaymentRecord } from './payments';

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

/** Has a payment that waits for its checkout followed up when that must be known. */
export async function enqueueWaiting(
  tx: Tx,
  context: CommandContext,
  { payment, isKeyed }: { payment: StripePaymentRecord; isKeyed: boolean },
): Promise<void> {
  const now = looksAgainAt(payment, isKeyed, context.now);
  await enqueueFollowUp(tx, { ...context, now }, { paymentId: payment.id });
}

/** When to look again whether a checkout made it: with a key as soon as Stripe must know. */
function looksAgainAt(
  { biller, objects, createdAt, sale }: StripePaymentRecord,
  isKeyed: boolean,
  now: Date,
): Date {
  const last = waitsUntil(
    { toldBy: sale?.toldBy ?? 'invoice' },
    { toldAt: createdAt, canAsk: isKeyed },
  );
  const known = Date.parse(rulesOf(biller).summaryOf(objects).paidAt ?? '') + checkoutKnownMs;
  return isKeyed && known > now.getTime() && known < last.getTime() ? new Date(known) : last;
}

/** Follows up only a payment of which another conversion has an id too. */
const enqueueRejectedSql = enqueueSql({
  ...followUpOf('one'),
  availableAt: '$3',
  requestId: '$4',
  from: `commissions AS m JOIN stripe_payments AS one ON one.conversion_id = m.conversion_id
   WHERE m.workspace_id = $1 AND m.id = $2 AND EXISTS (
     SELECT 1 FROM stripe_objects AS o JOIN conversion_aliases AS a
         ON a.workspace_id = o.workspace_id AND a.mode = o.mode AND a.alias = o.object_id
      WHERE o.payment_id = one.id AND a.conversion_id <> one.conversion_id)`,
});

/**
 * A person rejected the commission of the conversion that was kept of several that are one payment: the payment
 * is followed up, so that another one of them stands.
 */
export async function enqueueOfRejected(
  tx: Tx,
  { scope, now, requestId }: CommandContext,
  commissionId: string,
): Promise<void> {
  await execute(tx, enqueueRejectedSql, [scope.workspaceId, commissionId, now, requestId]);
}

const enqueueNamedSql = enqueueSql({
  ...followUpOf('one'),
  availableAt: '$4',
  from: `stripe_payments AS one WHERE one.workspace_id = $1 AND one.id IN (
    SELECT o.payment_id FROM stripe_objects AS o
     WHERE o.workspace_id = $1 AND o.mode = $2 AND o.object_id = ANY ($3::text[]))`,
});

/** Follows up the payments with these ids: refunds that came before their sales were imported count from now on. */
export async function enqueueNamed(
  tx: Tx,
  { scope, now }: CommandContext,
  names: readonly string[],
): Promise<void> {
  await execute(tx, enqueueNamedSql, [scope.workspaceId, scope.mode, names, now]);
}

/** Has a payment followed up, from the context's time on. */
export async function enqueueFollowUp(
  tx: Tx,
  { scope, now, requestId }: CommandContext,
  { paymentId }: { paymentId: string },
): Promise<void> {
  await execute(tx, enqueueOneSql, [scope.workspaceId, paymentId, now, requestId]);
}
