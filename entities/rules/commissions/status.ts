import { dayMs } from '../values/duration';
import type { Moves } from '../values/moves';
import type { ReviewReason } from './review-reasons';

export const commissionStatuses = ['pending', 'approved', 'rejected', 'paid', 'refunded'] as const;
export type CommissionStatus = (typeof commissionStatuses)[number];

export const commissionTriggers = [
  'created',
  'approve',
  'approve_override',
  'reject',
  'hold_elapsed',
  'refund',
  'dispute',
  'payout',
  'payout_returned',
  'recredit',
  'bonus',
  'bonus_lost',
] as const;
export type CommissionTrigger = (typeof commissionTriggers)[number];

/**
 * Every move there is. `refunded` is left when the refund behind it fails: then the commission
 * returns to the status that it had before (docs/reference/payments.md, Refunds and disputes). `paid`
 * is left when the money comes back, and so are the others when it turns out to have gone out. By
 * `recredit` a commission is taken back, and given again, as the facts of its sale say whose it is; so is a
 * bonus by `bonus_lost` and `bonus`, as its figure falls and is reached again.
 */
export const commissionMoves: Moves<CommissionStatus, CommissionTrigger> = {
  pending: {
    approve: ['approved'],
    approve_override: ['approved'],
    hold_elapsed: ['approved'],
    reject: ['rejected'],
    refund: ['refunded'],
    dispute: ['refunded'],
    recredit: ['rejected'],
    bonus_lost: ['rejected'],
  },
  approved: {
    reject: ['rejected'],
    payout: ['paid'],
    refund: ['refunded'],
    dispute: ['refunded'],
    recredit: ['rejected'],
  },
  rejected: { recredit: ['pending'], bonus: ['pending'] },
  paid: { payout_returned: ['approved'] },
  refunded: {
    refund: ['pending', 'approved', 'paid'],
    dispute: ['pending', 'approved', 'paid'],
    recredit: ['rejected'],
  },
};

/** No person decides on it any more. */
export function isTerminal(status: CommissionStatus): boolean {
  return commissionMoves[status].reject === undefined;
}

export type Decision = 'approve' | 'approve_override' | 'reject';

/** What of a commission decides whether a command is allowed. */
export interface DecidableCommission {
  status: CommissionStatus;
  holdUntil: Date | null;
  reviewReasons: readonly ReviewReason[];
  /** True in a payout that is being processed. */
  inPayout: boolean;
  participantErased: boolean;
}

export type DecisionRefusal =
  | 'COMMISSION_NOT_PENDING'
  | 'COMMISSION_HOLD_ACTIVE'
  | 'COMMISSION_HOLD_NOT_ACTIVE'
  | 'COMMISSION_NEEDS_REVIEW'
  | 'COMMISSION_TERMINAL'
  | 'COMMISSION_IN_PAYOUT'
  | 'PARTICIPANT_ERASED';

export function isHoldActive(
  commission: Pick<DecidableCommission, 'status' | 'holdUntil'>,
  now: Date,
): boolean {
  const { status, holdUntil } = commission;
  return status === 'pending' && holdUntil !== null && now.getTime() < holdUntil.getTime();
}

/** Why a command is refused, or undefined when it is allowed; the order is the contract's. */
export function decisionRefusal(
  decision: Decision,
  commission: DecidableCommission,
  now: Date,
): DecisionRefusal | undefined {
  if (decision === 'reject') return rejectionRefusal(commission);
  if (commission.status !== 'pending') return 'COMMISSION_NOT_PENDING';
  if (commission.participantErased) return 'PARTICIPANT_ERASED';
  const holds = isHoldActive(commission, now);
  if (decision === 'approve') return holds ? 'COMMISSION_HOLD_ACTIVE' : undefined;
  if (commission.reviewReasons.length > 0) return 'COMMISSION_NEEDS_REVIEW';
  return holds ? undefined : 'COMMISSION_HOLD_NOT_ACTIVE';
}

function rejectionRefusal(commission: DecidableCommission): DecisionRefusal | undefined {
  if (isTerminal(commission.status)) return 'COMMISSION_TERMINAL';
  return commission.inPayout ? 'COMMISSION_IN_PAYOUT' : undefined;
}

/** Ending the hold by hand, test mode only: there must be one. */
export function elapseRefusal(
  commission: Pick<DecidableCommission, 'status' | 'holdUntil'>,
  now: Date,
): DecisionRefusal | undefined {
  if (commission.status !== 'pending') return 'COMMISSION_NOT_PENDING';
  return isHoldActive(commission, now) ? undefined : 'COMMISSION_HOLD_NOT_ACTIVE';
}

/** Flags after a decision: the review is done, but only the dispute's close ends a dispute. */
export function reasonsAfter(decision: Decision, reasons: readonly ReviewReason[]): ReviewReason[] {
  return decision === 'reject' ? [] : reasons.filter((reason) => reason === 'DISPUTED');
}

export interface WaitingCommission {
  status: CommissionStatus;
  holdUntil: Date | null;
  /** The hold's end was dealt with before. */
  holdElapsed: boolean;
  reviewReasons: readonly ReviewReason[];
  autoApprove: boolean;
  participant: { suspended: boolean; erased: boolean };
}

export type Due =
  | { action: 'approve' }
  | { action: 'flag' | 'unflag'; reason: 'PARTNER_SUSPENDED' }
  /** The hold ended and nothing follows of itself: a person decides. */
  | { action: 'wait' }
  | { action: 'none' };

/**
 * What time alone brings about: approval when the hold is over, nothing is flagged and the terms
 * approve automatically. A suspended partner's commission is flagged instead, an erased one's
 * stays.
 */
export function whatIsDue(commission: WaitingCommission, now: Date): Due {
  if (commission.status !== 'pending' || isHoldActive(commission, now)) return { action: 'none' };
  const approvable = isApprovable(commission);
  const suspension = suspensionFlag(commission, approvable);
  if (suspension) return { action: suspension, reason: 'PARTNER_SUSPENDED' };
  if (approvable) return { action: 'approve' };
  return { action: commission.holdElapsed ? 'none' : 'wait' };
}

function isApprovable({ participant, reviewReasons, autoApprove }: WaitingCommission): boolean {
  return autoApprove && reviewReasons.length === 0 && !participant.erased;
}

function suspensionFlag(
  { participant, reviewReasons, holdElapsed }: WaitingCommission,
  approvable: boolean,
): 'flag' | 'unflag' | undefined {
  const isFlagged = reviewReasons.includes('PARTNER_SUSPENDED');
  // Reinstated while the flag was on its way: the row, not the order of two commits, says so.
  if (!participant.suspended) return isFlagged ? 'unflag' : undefined;
  return !isFlagged && (approvable || !holdElapsed) ? 'flag' : undefined;
}

/** `holdDays` times 24 hours after creation; none for 0 days. */
export function holdUntilFor(createdAt: Date, holdDays: number): Date | null {
  return holdDays === 0 ? null : new Date(createdAt.getTime() + holdDays * dayMs);
}
