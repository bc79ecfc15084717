import type { Scope } from '../../../entities/rules/values/mode';
import { isCodeShaped, promoCodeKey } from '../../../entities/rules/partners/referral-code';
import type { PaymentSignals } from '../../../entities/rules/stripe/classify';
import { query, queryOne, type Db } from '../../../entities/database/sql';
import { findClick } from '../../clicks/clicks';

export interface ResolvedSignals {
  clickId: string | null;
  promoCode: string | null;
}

/**
 * Which of a payment's signals are ours: the first id that is a click of this workspace and mode,
 * and the first code that is a partner's. A metadata click that is none, with nothing else, is
 * kept, so that the merchant sees CLICK_NOT_FOUND. Null: nothing of ours
 * (docs/reference/payments.md, Signals).
 */
export async function resolveSignals(
  db: Db,
  scope: Scope,
  signals: PaymentSignals,
): Promise<ResolvedSignals | null> {
  const clickId = await firstClick(db, scope, [
    ...signals.metadataClickIds,
    ...signals.clientReferenceIds,
  ]);
  const promoCode = await firstPartnerCode(db, scope, signals.codes);
  if (clickId !== null || promoCode !== null) return { clickId, promoCode };

  const [unknown] = signals.metadataClickIds;
  return unknown === undefined ? null : { clickId: unknown, promoCode: null };
}

async function firstClick(db: Db, scope: Scope, ids: string[]): Promise<string | null> {
  for (const id of ids) {
    const click = await findClick(db, scope, id);
    if (click?.mode === scope.mode) return click.id;
  }
  return null;
}

async function firstPartnerCode(db: Db, scope: Scope, codes: string[]): Promise<string | null> {
  const keys = codes.filter(isCodeShaped).map(promoCodeKey);
  if (keys.length === 0) return null;
  const known = await query<{ code: string }>(
    db,
    `SELECT code FROM promo_codes WHERE workspace_id = $1 AND mode = $2 AND code = ANY ($3::text[])`,
    [scope.workspaceId, scope.mode, keys],
  );
  return keys.find((key) => known.some(({ code }) => code === key)) ?? null;
}

/** What is known of the payments that an invoice may renew. */
export interface EarlierPayments {
  /** Some payment of the subscription or customer is a conversion, attributed or not. */
  known: boolean;
  /**
   * The partner to credit, and from when the months of recurring terms count; null when no payment
   * was attributed.
   */
  credit: { participantId: string; firstPaidAt: Date } | null;
}

/**
 * The partner of the subscription's first attributed payment, else of the customer's. The months
 * count from the first payment that the customer made through that partner.
 */
export async function findEarlierPayments(
  db: Db,
  scope: Scope,
  { subscriptionId, customerId }: { subscriptionId: string | null; customerId: string | null },
): Promise<EarlierPayments> {
  const row = await queryOne<{ known: boolean; participantId: string | null; firstPaidAt: Date }>(
    db,
    `WITH payments AS (
       SELECT v.participant_id, v.occurred_at, v.id, v.attributed,
              coalesce(p.subscription_id = $3, false) AS of_subscription
         FROM stripe_payments p JOIN conversions v ON v.id = p.conversion_id
        WHERE p.workspace_id = $1 AND p.mode = $2
          AND (p.subscription_id = $3 OR p.customer_id = $4)
     ), credited AS (
       SELECT participant_id FROM payments WHERE attributed
        ORDER BY of_subscription DESC, occurred_at, id LIMIT 1
     )
     SELECT EXISTS (SELECT 1 FROM payments) AS known,
            (SELECT participant_id FROM credited) AS "participantId",
            (SELECT min(occurred_at) FROM payments JOIN credited USING (participant_id)
              WHERE attributed) AS "firstPaidAt"`,
    [scope.workspaceId, scope.mode, subscriptionId, customerId],
  );
  if (!row) return { known: false, credit: null };
  const { known, participantId, firstPaidAt } = row;
  return { known, credit: participantId === null ? null : { participantId, firstPaidAt } };
}
