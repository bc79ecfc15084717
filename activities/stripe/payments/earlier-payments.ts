import type { AttributionReason } from '../../../entities/rules/attribution/attribute';
import type { Scope } from '../../../entities/rules/values/mode';
import { queryOne, type Db } from '../../../entities/database/sql';
import type { RenewalCredit } from '../../conversions/report';

/** What a first payment can be refused for, so that nothing later brings it back. */
export const refusals: AttributionReason[] = [
  'FRAUD_REJECTED',
  'PARTNER_NOT_APPROVED',
  'PARTNER_ERASED',
  'PROGRAM_NOT_ACTIVE',
];

/** What is known of the payments that an invoice may renew. */
export interface EarlierPayments {
  /** Whose payments they are; null when none of them is a conversion. */
  of: 'subscription' | 'customer' | null;
  /** Null when no payment was attributed, or refused for good. */
  credit: RenewalCredit | null;
}

interface EarlierRow {
  /** Null when nothing was paid before. */
  ofSubscription: boolean | null;
  /** Null when no payment is decisive. */
  participantId: string | null;
  refusal: RenewalCredit['refusal'];
  firstPaidAt: Date | null;
}

/**
 * The partner of the subscription's first payment that was attributed, or refused for good, else of
 * the customer's first attributed one. Only what was paid until then counts, by Stripe's times. The
 * months count from the first payment that the customer made through that partner.
 */
export async function findEarlierPayments(
  db: Db,
  scope: Scope,
  payment: { id: string; subscriptionId: string | null; customerId: string | null; paidAt: Date },
): Promise<EarlierPayments> {
  const row = await queryOne<EarlierRow>(
    db,
    `WITH payments AS (
       SELECT v.participant_id, v.id, v.attributed, v.reason,
              coalesce(p.paid_at, v.occurred_at) AS paid_at,
              coalesce(p.subscription_id = $3, false) AS of_subscription
         FROM stripe_payments p JOIN conversions v ON v.id = p.conversion_id
        WHERE p.workspace_id = $1 AND p.mode = $2
          AND (p.subscription_id = $3 OR p.customer_id = $4)
          AND p.id <> $5 AND coalesce(p.paid_at, v.occurred_at) <= $6
     ), decisive AS (
       SELECT participant_id, CASE WHEN NOT attributed THEN reason END AS refusal FROM payments
        WHERE participant_id IS NOT NULL
          AND (attributed OR (of_subscription AND reason = ANY ($7::text[])))
        ORDER BY of_subscription DESC, paid_at, id LIMIT 1
     )
     SELECT (SELECT bool_or(of_subscription) FROM payments) AS "ofSubscription",
            (SELECT participant_id FROM decisive) AS "participantId",
            (SELECT refusal FROM decisive) AS refusal,
            (SELECT min(paid_at) FROM payments JOIN decisive USING (participant_id)
              WHERE attributed OR refusal IS NOT NULL) AS "firstPaidAt"`,
    [
      scope.workspaceId,
      scope.mode,
      payment.subscriptionId,
      payment.customerId,
      payment.id,
      payment.paidAt,
      refusals,
    ],
  );
  if (!row || row.ofSubscription === null) return { of: null, credit: null };
  return { of: row.ofSubscription ? 'subscription' : 'customer', credit: creditOf(row) };
}

function creditOf({ participantId, refusal, firstPaidAt }: EarlierRow): RenewalCredit | null {
  if (participantId === null || firstPaidAt === null) return null;
  return { participantId, refusal, firstPaidAt };
}

/** Whose purchase a later payment of the subscription is by the same signals; null when none is. */
export async function findLaterBuyer(
  db: Db,
  scope: Scope,
  payment: PaidBySignals,
): Promise<string | null> {
  const row = await queryOne<{ participantId: string }>(
    db,
    `SELECT v.participant_id AS "participantId"
       FROM stripe_payments p JOIN conversions v ON v.id = p.conversion_id
      WHERE p.workspace_id = $1 AND p.mode = $2 AND p.subscription_id = $3 AND p.id <> $4
        AND p.paid_at > $5 AND v.attributed AND v.event_type = 'purchase'
        AND v.click_id IS NOT DISTINCT FROM $6 AND v.promo_code IS NOT DISTINCT FROM $7
      ORDER BY p.paid_at, p.id LIMIT 1`,
    [
      scope.workspaceId,
      scope.mode,
      payment.subscriptionId,
      payment.id,
      payment.paidAt,
      payment.clickId,
      payment.promoCode,
    ],
  );
  return row?.participantId ?? null;
}

interface PaidBySignals {
  id: string;
  subscriptionId: string | null;
  paidAt: Date;
  clickId: string | null;
  promoCode: string | null;
}
