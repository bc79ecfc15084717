import type { CommissionObject } from '../../entities/rules/webhooks/objects';
import type { Commission } from '../../entities/tables/commissions/commission.entity';

/** `data.object` of the commission.* kinds: the record in snake_case, without free text or names. */
export function commissionObject(commission: Commission): CommissionObject {
  return {
    id: commission.id,
    program_id: commission.programId,
    participant_id: commission.participantId,
    conversion_id: commission.conversionId,
    external_transaction_id: commission.externalTransactionId,
    status: commission.status,
    commission_type: commission.commissionType,
    amount_cents: commission.amountCents,
    original_amount_cents: commission.originalAmountCents,
    refunded_amount_cents: commission.refundedAmountCents,
    currency: commission.currency,
    conversion_amount_cents: commission.conversionAmountCents,
    needs_review: commission.needsReview,
    review_reasons: commission.reviewReasons,
    hold_until: instant(commission.holdUntil),
    approved_at: instant(commission.approvedAt),
    rejected_at: instant(commission.rejectedAt),
    paid_at: instant(commission.paidAt),
    refunded_at: instant(commission.refundedAt),
    payout_id: commission.payoutId,
    created_at: commission.createdAt.toISOString(),
    updated_at: commission.updatedAt.toISOString(),
  };
}

function instant(date: Date | null): string | null {
  return date?.toISOString() ?? null;
}
