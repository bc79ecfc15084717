import type { EarningTerms } from '../programs/terms';
import { percentageAmount } from './amount';
import type { PinnedTerms } from './amount';
import type { CommissionStatus } from './status';
import {
  greater,
  isWhole,
  leaveShare,
  nothing,
  ofTheRest,
  plus,
  shareOf,
  takeShare,
} from '../values/money';
import type { Share } from '../values/money';
import { withReason, withoutReason } from './review-reasons';
import type { ReviewReason } from './review-reasons';

/**
 * All that is known of what happened to a payment, as it stands now: never a list of events, so the
 * order in which they arrived, and how often, cannot matter (docs/reference/payments.md, Refunds
 * and disputes).
 */
export interface SettlementFacts {
  /** The conversion's amount and the sum of refunds reported by API, without tax. */
  amountCents: number;
  apiRefundedCents: number;
  /** Processor's figures, with tax; the charge is null when no processor reported it. */
  chargeCents: number | null;
  processorRefundedCents: number;
  lostDisputeCents: number;
  /** The lost disputes that the last settlement counted: what was lost since then is news. */
  settledLostCents: number;
  openDisputes: number;
  feeCents: number | null;
  /** The part of an imported conversion's amount that was given back before. */
  refundedBeforeCents?: number;
  /** The part of it that refunds by API say, too: of a sale that was here before the import took it over. */
  apiRefundedBeforeCents?: number;
}

/** How much of the payment was given back: 0 to 1, exact. */
function returnedShare(facts: SettlementFacts): Share {
  return plus(refundShare(facts), shareOf(facts.lostDisputeCents, facts.chargeCents));
}

function refundShare(facts: SettlementFacts): Share {
  const byProcessor = shareOf(facts.processorRefundedCents, facts.chargeCents);
  const { apiRefundedCents, refundedBeforeCents = 0, apiRefundedBeforeCents = 0 } = facts;
  const untold = Math.max(0, refundedBeforeCents - apiRefundedBeforeCents);
  return greater(byProcessor, shareOf(apiRefundedCents + untold, facts.amountCents));
}

/** The share of what an import told was still there: what came back before it does not count again. */
function shareSinceImport(share: Share, facts: SettlementFacts): Share {
  const before = shareOf(facts.refundedBeforeCents ?? 0, facts.amountCents);
  return isWhole(before) ? nothing : ofTheRest(share, before);
}

/** The part of the conversion's amount that was given back, rounded half up. */
export function refundedAmount(facts: SettlementFacts): number {
  return takeShare(facts.amountCents, returnedShare(facts));
}

/** What is due after that share came back: flat terms are owed until all of it has. */
function dueAfter(terms: Pick<EarningTerms, 'type'>, original: number, share: Share): number {
  if (terms.type === 'percentage') return leaveShare(original, share);
  return isWhole(share) ? 0 : original;
}

/** What of an original amount is due under what is known of the payment. */
export function dueUnder(
  terms: Pick<EarningTerms, 'type'>,
  original: number,
  facts: SettlementFacts,
): number {
  return dueAfter(terms, original, shareSinceImport(returnedShare(facts), facts));
}

/** The part of a commission that refunds, disputes and fees can change. */
export interface SettledCommission {
  status: CommissionStatus;
  /** The status to return to when the refund behind `refunded` fails. */
  statusBeforeRefund: CommissionStatus | null;
  terms: PinnedTerms;
  conversionAmountCents: number;
  feeCents: number | null;
  originalAmountCents: number;
  amountCents: number;
  /** What an open dispute keeps back. */
  heldCents: number;
  reviewReasons: ReviewReason[];
  /** True in a payout that is being processed: the status waits for its end. */
  inPayout: boolean;
}

export const ledgerEntryTypes = [
  'accrual',
  'adjustment',
  'refund',
  'fee_settlement',
  'dispute_hold',
  'dispute_release',
  'reversal',
  'clawback',
  'recredit',
  'payout',
  'payout_reversal',
  'import',
  'paid_elsewhere',
] as const;
export type LedgerEntryType = (typeof ledgerEntryTypes)[number];

type SettlementLineType =
  | 'refund'
  | 'clawback'
  | 'fee_settlement'
  | 'dispute_hold'
  | 'dispute_release';

interface SettlementLine {
  type: SettlementLineType;
  /** Signed, minor units. */
  amountCents: number;
}

export interface Settlement {
  next: SettledCommission;
  lines: SettlementLine[];
  /** More came back than before: the event is commission.refunded. */
  refunded: boolean;
  /** `dispute` when a lost dispute, not refunds alone, made what is due now. */
  cause: 'refund' | 'dispute';
  changed: boolean;
}

/** The target state of a commission under these facts, and the ledger lines that lead to it. */
export function settlementFor(commission: SettledCommission, facts: SettlementFacts): Settlement {
  if (commission.status === 'rejected') return unchanged(commission);
  const share = shareSinceImport(returnedShare(facts), facts);
  const next = targetOf(commission, facts, share);
  const lines = linesBetween(commission, next);
  const dueBefore = dueAfter(commission.terms, commission.originalAmountCents, share);
  return {
    next,
    lines,
    refunded: dueBefore < commission.amountCents || becomesRefunded(commission, next),
    cause: causeOf(facts, lines),
    changed: lines.length > 0 || differs(commission, next),
  };
}

/** A dispute that was lost before is not to blame for the refund of today. */
function causeOf(facts: SettlementFacts, lines: SettlementLine[]): Settlement['cause'] {
  if (facts.lostDisputeCents === 0 || isWhole(refundShare(facts))) return 'refund';
  const isNews = facts.lostDisputeCents !== facts.settledLostCents;
  const moved = lines.some(({ type }) => type === 'refund' || type === 'clawback');
  return isNews || !moved ? 'dispute' : 'refund';
}

function targetOf(
  commission: SettledCommission,
  facts: SettlementFacts,
  share: Share,
): SettledCommission {
  const feeCents = settledFee(commission, facts);
  const originalAmountCents = originalWith(commission, facts.amountCents, feeCents);
  const amountCents = dueAfter(commission.terms, originalAmountCents, share);
  const { status, statusBeforeRefund } = statusUnder(commission, share);
  const isOpen = status === 'pending' || status === 'approved';
  const disputed = facts.openDisputes > 0 && isOpen;
  // The close of the dispute alone clears it; what is paid already is not flagged again.
  const isFlagged = commission.reviewReasons.includes('DISPUTED');
  return {
    ...commission,
    status,
    statusBeforeRefund,
    feeCents,
    conversionAmountCents: facts.amountCents,
    originalAmountCents,
    amountCents,
    heldCents: disputed && !commission.inPayout ? amountCents : 0,
    reviewReasons: reasonsUnder(commission.reviewReasons, {
      isDisputed: facts.openDisputes > 0 && (status !== 'paid' || isFlagged),
      feeKnown: feeCents !== null,
    }),
  };
}

/** A fee counts for net terms only, and once known stays. */
function settledFee(commission: SettledCommission, facts: SettlementFacts): number | null {
  return commission.terms.basis === 'net'
    ? (facts.feeCents ?? commission.feeCents)
    : commission.feeCents;
}

/**
 * Computed anew when the fee of net terms comes, or another base of the payment. By what rate an import's was
 * earned nobody here knows: it stays as it was told.
 */
function originalWith(
  { terms, feeCents: feeBefore, ...commission }: SettledCommission,
  amountCents: number,
  feeCents: number | null,
): number {
  const isNewFee = terms.basis === 'net' && feeCents !== feeBefore;
  const isNewBase = terms.type === 'percentage' && amountCents !== commission.conversionAmountCents;
  const isTold = terms.type === 'percentage' && terms.rateBps === null;
  if (isTold || (!isNewFee && !isNewBase)) return commission.originalAmountCents;
  return percentageAmount(terms, { amountCents, feeCents });
}

function statusUnder(
  commission: SettledCommission,
  share: Share,
): Pick<SettledCommission, 'status' | 'statusBeforeRefund'> {
  const { status, statusBeforeRefund, inPayout } = commission;
  const isOpen = status === 'pending' || status === 'approved';
  if (isOpen && !inPayout && isWhole(share)) {
    return { status: 'refunded', statusBeforeRefund: status };
  }
  if (status === 'refunded' && statusBeforeRefund && !isWhole(share)) {
    return { status: statusBeforeRefund, statusBeforeRefund: null };
  }
  return { status, statusBeforeRefund };
}

function reasonsUnder(
  reasons: ReviewReason[],
  { isDisputed, feeKnown }: { isDisputed: boolean; feeKnown: boolean },
): ReviewReason[] {
  const kept = feeKnown ? withoutReason(reasons, 'FEE_UNKNOWN') : reasons;
  return isDisputed ? withReason(kept, 'DISPUTED') : withoutReason(kept, 'DISPUTED');
}

/** Each kind of line sums up to its own target, so their sums do not depend on the order either. */
function linesBetween(from: SettledCommission, to: SettledCommission): SettlementLine[] {
  const isPaidOut = from.status === 'paid' || from.inPayout;
  const fee = to.originalAmountCents - from.originalAmountCents;
  const taken = refundedOf(to) - refundedOf(from);
  const held = to.heldCents - from.heldCents;
  const lines: SettlementLine[] = [
    { type: 'fee_settlement', amountCents: fee },
    { type: isPaidOut ? 'clawback' : 'refund', amountCents: -taken },
    { type: held > 0 ? 'dispute_hold' : 'dispute_release', amountCents: -held },
  ];
  return lines.filter((line) => line.amountCents !== 0);
}

/** What refunds and lost disputes took off a commission. */
function refundedOf(
  commission: Pick<SettledCommission, 'originalAmountCents' | 'amountCents'>,
): number {
  return commission.originalAmountCents - commission.amountCents;
}

function becomesRefunded(from: SettledCommission, to: SettledCommission): boolean {
  return from.status !== 'refunded' && to.status === 'refunded';
}

function differs(from: SettledCommission, to: SettledCommission): boolean {
  return (
    from.status !== to.status ||
    from.feeCents !== to.feeCents ||
    from.conversionAmountCents !== to.conversionAmountCents ||
    from.reviewReasons.length !== to.reviewReasons.length ||
    from.reviewReasons.some((reason) => !to.reviewReasons.includes(reason))
  );
}

function unchanged(commission: SettledCommission): Settlement {
  return { next: commission, lines: [], refunded: false, cause: 'refund', changed: false };
}
