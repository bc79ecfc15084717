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

export type Party = 'subscription' | 'customer';

/** By the parameter of the refusals: one for good decides on its own subscription only. */
export const decisiveBy = (given: string): Record<Party, string> => ({
  subscription: `(v.attributed OR v.reason = ANY (${given}::text[]))`,
  customer: 'v.attributed',
});

const isDecisive = decisiveBy('$7');

const idOf: Record<Party, string> = { subscription: '$3', customer: '$4' };

const conversionsOf = (party: Party): string => `
  FROM stripe_payments AS p JOIN conversions AS v ON v.id = p.conversion_id
 WHERE p.workspace_id = $1 AND p.mode = $2 AND p.${party}_id = ${idOf[party]} AND p.id <> $5`;

/**
 * Of payments that no object says were paid: they have their conversion's time, and are few. The
 * others are in the order of an index, in which each look-up ends at the first row that fits: the
 * renewals after it cost nothing, however many they are.
 */
const untimed = (party: Party): string => `
  SELECT '${party}' AS party, v.id, v.participant_id, v.attributed, v.reason, v.occurred_at AS at
   ${conversionsOf(party)} AND p.paid_at IS NULL AND v.occurred_at <= $6`;

const firstOf = (party: Party, condition = 'true'): string => `
  SELECT participant_id, CASE WHEN NOT attributed THEN reason END AS refusal, at
    FROM ((SELECT v.id, v.participant_id, v.attributed, v.reason, p.paid_at AS at
            ${conversionsOf(party)} AND p.paid_at <= $6
             AND v.participant_id IS NOT NULL AND ${isDecisive[party]} AND ${condition}
            ORDER BY p.paid_at FETCH FIRST ROW WITH TIES)
          UNION ALL
          SELECT v.id, v.participant_id, v.attributed, v.reason, v.at FROM untimed AS v
           WHERE v.party = '${party}'
             AND v.participant_id IS NOT NULL AND ${isDecisive[party]} AND ${condition}) AS paid
   ORDER BY at, id LIMIT 1`;

// An EXISTS has no order, and may be planned as a look at every row.
const isKnown = (party: Party): string => `
  ((SELECT true ${conversionsOf(party)} AND p.paid_at <= $6 ORDER BY p.paid_at DESC LIMIT 1)
    OR EXISTS (SELECT 1 FROM untimed WHERE party = '${party}'))`;

const isOfPartner = `v.participant_id = decisive.participant_id
  AND (v.attributed OR decisive.refusal IS NOT NULL)`;

/** When the partner's first payment before the decisive one was, if there is one. */
const beganOf = (party: Party): string => `
  (SELECT p.paid_at ${conversionsOf(party)} AND p.paid_at < decisive.at AND ${isOfPartner}
    ORDER BY p.paid_at LIMIT 1)`;

export const earlierPaymentsSql = `
  WITH untimed AS MATERIALIZED (
    ${untimed('subscription')} UNION ALL ${untimed('customer')}
  ), of_subscription AS MATERIALIZED (
    ${firstOf('subscription')}
  ), of_customer AS (
    ${firstOf('customer', 'NOT EXISTS (SELECT 1 FROM of_subscription)')}
  ), decisive AS (
    SELECT * FROM of_subscription UNION ALL SELECT * FROM of_customer
  )
  SELECT CASE WHEN ${isKnown('subscription')} THEN true
              WHEN ${isKnown('customer')} THEN false END AS "ofSubscription",
         decisive.participant_id AS "participantId", decisive.refusal,
         least(decisive.at, ${beganOf('subscription')}, ${beganOf('customer')},
               (SELECT min(v.at) FROM untimed AS v WHERE ${isOfPartner})) AS "firstPaidAt"
    FROM (VALUES (1)) AS always LEFT JOIN decisive ON true`;

export interface AskingPayment {
  id: string;
  subscriptionId: string | null;
  customerId: string | null;
  paidAt: Date;
}

/**
 * The partner of the subscription's first payment that was attributed, or refused for good, else of
 * the customer's first attributed one. Only what was paid until then counts, by Stripe's times. The
 * months count from the first payment that the customer made through that partner.
 */
export async function findEarlierPayments(
  db: Db,
  scope: Scope,
  payment: AskingPayment,
): Promise<EarlierPayments> {
  const row = await queryOne<EarlierRow>(db, earlierPaymentsSql, earlierValues(scope, payment));
  if (!row || row.ofSubscription === null) return { of: null, credit: null };
  return { of: row.ofSubscription ? 'subscription' : 'customer', credit: creditOf(row) };
}

export function earlierValues({ workspaceId, mode }: Scope, payment: AskingPayment): unknown[] {
  const { id, subscriptionId, customerId, paidAt } = payment;
  return [workspaceId, mode, subscriptionId, customerId, id, paidAt, refusals];
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
