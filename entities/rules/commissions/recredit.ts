import type { CommissionKind, CommissionType } from '../programs/terms';
import type { PinnedTerms } from './amount';
import { commissionFor } from './amount';
import { reviewReasons, withoutReason, type ReviewReason } from './review-reasons';
import {
  dueUnder,
  type LedgerEntryType,
  type SettledCommission,
  type SettlementFacts,
} from './settlement';
import type { CommissionTrigger } from './status';

/** What a conversion earns for the partner who is credited with it, by the facts of now. */
export interface Earning {
  commissionType: CommissionType;
  currency: string;
  originalAmountCents: number;
  terms: PinnedTerms;
  holdUntil: Date | null;
  reviewReasons: readonly ReviewReason[];
}

/** The part of a commission that a change of credit can change. */
export interface CreditedCommission extends SettledCommission {
  /** Its conversion is credited to its partner, and earns. */
  credited: boolean;
  commissionType: CommissionKind;
  currency: string;
  holdUntil: Date | null;
  holdElapsed: boolean;
  /** A person rejected it: nothing brings it back. */
  isRejectedByHand: boolean;
}

export interface Recredit {
  /**
   * `taken`: it earns no more; `given`: it earns again; `changed`: by other terms; `unflagged`: what it
   * waited for is known; `marked`: nothing that anybody is told.
   */
  kind: 'taken' | 'given' | 'changed' | 'unflagged' | 'marked';
  next: Partial<Pick<CreditedCommission, Written>>;
  /** The status that it goes to; null when it stays. */
  move: { to: 'pending' | 'rejected'; trigger: CommissionTrigger } | null;
  lines: { type: LedgerEntryType; amountCents: number }[];
}

type Written =
  | 'credited'
  | 'status'
  | 'statusBeforeRefund'
  | 'terms'
  | 'commissionType'
  | 'originalAmountCents'
  | 'amountCents'
  | 'heldCents'
  | 'reviewReasons'
  | 'holdUntil'
  | 'feeCents'
  | 'conversionAmountCents';

/**
 * Brings a commission to what its conversion earns for its partner by the facts of now: null for nothing
 * (docs/reference/commissions.md, When credit changes). Null when it is there already. What a person
 * rejected stays; the terms of what is paid, or in a payout, stay.
 */
export function recreditOf(
  commission: CreditedCommission,
  earning: Earning | null,
  facts: SettlementFacts,
): Recredit | null {
  const { credited } = commission;
  const isMarked = credited !== (earning !== null);
  if (commission.isRejectedByHand) {
    return isMarked
      ? { kind: 'marked', next: { credited: !credited }, move: null, lines: [] }
      : null;
  }
  const isPaidOut = commission.status === 'paid' || commission.inPayout;
  if (!earning) return credited ? taken(commission, isPaidOut) : null;
  if (isPaidOut) return credited ? null : givenBack(commission, facts);
  return credited ? changed(commission, earning, facts) : given(commission, earning, facts);
}

function taken(commission: CreditedCommission, isPaidOut: boolean): Recredit {
  const { amountCents, heldCents } = commission;
  const nothing = { credited: false, originalAmountCents: 0, amountCents: 0, heldCents: 0 };
  if (isPaidOut) {
    const lines = linesOf([['clawback', -amountCents]]);
    return { kind: 'taken', next: nothing, move: null, lines };
  }
  return {
    kind: 'taken',
    next: { ...nothing, status: 'rejected', statusBeforeRefund: null, reviewReasons: [] },
    move: { to: 'rejected', trigger: 'recredit' },
    lines: linesOf([
      ['dispute_release', heldCents],
      ['recredit', -amountCents],
    ]),
  };
}

/** Paid, and taken back as a debt: due again by the terms that it was paid by. */
function givenBack(commission: CreditedCommission, facts: SettlementFacts): Recredit {
  const { terms, currency, feeCents, conversionAmountCents } = commission;
  const payment = { amountCents: conversionAmountCents, currency, feeCents };
  const originalAmountCents = commissionFor(terms, payment, currency)?.amountCents ?? 0;
  const amountCents = dueUnder(terms, originalAmountCents, facts);
  return {
    kind: 'given',
    next: { credited: true, originalAmountCents, amountCents },
    move: null,
    lines: linesOf([['clawback', amountCents]]),
  };
}

function given(
  commission: CreditedCommission,
  earning: Earning,
  facts: SettlementFacts,
): Recredit | null {
  if (earning.currency !== commission.currency) return null;
  const amountCents = dueUnder(earning.terms, earning.originalAmountCents, facts);
  return {
    kind: 'given',
    next: {
      ...by(earning, facts),
      credited: true,
      status: 'pending',
      statusBeforeRefund: null,
      amountCents,
      reviewReasons: [...earning.reviewReasons],
      holdUntil: earning.holdUntil,
    },
    move: { to: 'pending', trigger: 'recredit' },
    lines: linesOf([['recredit', amountCents]]),
  };
}

function changed(
  commission: CreditedCommission,
  earning: Earning,
  facts: SettlementFacts,
): Recredit | null {
  if (earning.currency !== commission.currency) return null;
  const others = otherTerms(commission, earning);
  const isHeldShorter = endsEarlier(commission, earning);
  const isOther = isHeldShorter || others.some((key) => !ofRank.includes(key));
  if (!isOther) return marked(commission, earning, others.length > 0);
  const amountCents = dueUnder(earning.terms, earning.originalAmountCents, facts);
  const isOtherHold = commission.terms.holdDays !== earning.terms.holdDays;
  return {
    kind: 'changed',
    next: {
      ...by(earning, facts),
      amountCents,
      reviewReasons: reasonsOf(commission, earning),
      holdUntil: isOtherHold || isHeldShorter ? earning.holdUntil : commission.holdUntil,
    },
    move: null,
    lines: linesOf([['recredit', amountCents - commission.amountCents]]),
  };
}

/** A hold counts from what first told of the payment, which a fact may show to lie further back. */
function endsEarlier({ status, holdElapsed, holdUntil }: CreditedCommission, earning: Earning) {
  if (status !== 'pending' || holdElapsed || holdUntil === null) return false;
  return earning.holdUntil === null || earning.holdUntil < holdUntil;
}

/** Nothing that it earns is another: the number of the payment among the customer's, or that the items are known by now. */
function marked(
  commission: CreditedCommission,
  { terms, reviewReasons: wanted }: Earning,
  isRanked: boolean,
): Recredit | null {
  const known = 'ITEMS_UNKNOWN' as const;
  const isKnown = commission.reviewReasons.includes(known) && !wanted.includes(known);
  if (!isRanked && !isKnown) return null;
  const reviewReasons = isKnown
    ? withoutReason(commission.reviewReasons, known)
    : commission.reviewReasons;
  const next = { terms, reviewReasons };
  return { kind: isKnown ? 'unflagged' : 'marked', next, move: null, lines: [] };
}

function by(
  { terms, commissionType, originalAmountCents }: Earning,
  { amountCents: conversionAmountCents }: SettlementFacts,
) {
  return { terms, commissionType, originalAmountCents, conversionAmountCents };
}

/** What of the pinned terms says which payment it is, and not what it earns. */
const ofRank: readonly (keyof PinnedTerms)[] = ['customerMonth', 'paymentNumber'];

/**
 * A fee that is known by now changes no terms: the settlement counts it. What an earlier release did not
 * pin yet is no difference.
 */
function otherTerms(commission: CreditedCommission, { terms }: Earning): (keyof PinnedTerms)[] {
  const pinned: Partial<PinnedTerms> = commission.terms;
  const keys = Object.keys(pinned) as (keyof PinnedTerms)[];
  return keys.filter((key) => (pinned[key] ?? null) !== (terms[key] ?? null));
}

/** What follows from the money is judged by the new terms, until somebody has looked. */
const ofMoney: readonly ReviewReason[] = [
  'CURRENCY_MISMATCH',
  'AMOUNT_OVER_LIMIT',
  'FEE_UNKNOWN',
  'ITEMS_UNKNOWN',
];

function reasonsOf(commission: CreditedCommission, earning: Earning): ReviewReason[] {
  if (commission.status !== 'pending') return commission.reviewReasons;
  const wanted = new Set([
    ...commission.reviewReasons.filter((reason) => !ofMoney.includes(reason)),
    ...earning.reviewReasons.filter((reason) => ofMoney.includes(reason)),
  ]);
  return reviewReasons.filter((reason) => wanted.has(reason));
}

function linesOf(lines: [LedgerEntryType, number][]): Recredit['lines'] {
  return lines.flatMap(([type, amountCents]) => (amountCents === 0 ? [] : [{ type, amountCents }]));
}
