import type { CommissionStatus } from './status';
import type { ReviewReason } from './review-reasons';

export interface ApprovalFacts {
  status: CommissionStatus;
  holdUntil: Date | null;
  holdElapsed: boolean;
  autoApprove: boolean;
  reviewReasons: readonly ReviewReason[];
  isPartnerErased: boolean;
  approvedAt: Date | null;
  now: Date;
}

/** One sentence: why a commission is not approved, or that it is. */
export function whyNotApproved(facts: ApprovalFacts): string {
  const { status, approvedAt } = facts;
  switch (status) {
    case 'pending':
      return whyPending(facts);
    case 'rejected':
      // People write the reason: it may name somebody.
      return 'It was rejected; its record has the reason.';
    case 'refunded':
      return 'It was refunded in full, or its dispute was lost.';
    case 'approved':
    case 'paid':
      return `It is ${status}, and was approved at ${approvedAt?.toISOString() ?? 'an unknown time'}.`;
  }
}

function whyPending(facts: ApprovalFacts): string {
  const { holdElapsed, holdUntil, reviewReasons, autoApprove, now } = facts;
  if (facts.isPartnerErased) {
    return 'Its partner is erased: it is never approved, and can be rejected.';
  }
  const flags = reviewReasons.join(', ');
  if (!holdElapsed && holdUntil !== null && holdUntil > now) {
    const then = flags ? ` It is flagged (${flags}), so that it will wait for a review then.` : '';
    return `Its hold ends at ${holdUntil.toISOString()}.${then}`;
  }
  if (!holdElapsed && holdUntil !== null) {
    return `Its hold ended at ${holdUntil.toISOString()} and nobody dealt with it yet: see the workflow, and repair-overdue.`;
  }
  if (flags) return `It waits for a manual review: ${flags}.`;
  if (!autoApprove) return 'Its terms do not approve automatically: it waits for a decision.';
  return 'Nothing is in its way: its lifecycle approves it with its next look.';
}
