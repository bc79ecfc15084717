import { sameCurrency } from './amount';
import type { Payment } from './amount';
import type { EarningTerms } from '../programs/terms';

export const reviewReasons = [
  'FEE_UNKNOWN',
  'FRAUD_SUSPECTED',
  'DISPUTED',
  'CURRENCY_MISMATCH',
  'AMOUNT_OVER_LIMIT',
  'ITEMS_UNKNOWN',
  'PARTNER_SUSPENDED',
  'POSSIBLE_DUPLICATE',
] as const;
export type ReviewReason = (typeof reviewReasons)[number];

export function isReviewReason(text: string | null): text is ReviewReason {
  return (reviewReasons as readonly (string | null)[]).includes(text);
}

/** The settings of a programme that decide whether a new commission has to be reviewed. */
export interface ReviewSettings {
  currency: string;
  acceptedCurrencies: readonly string[];
  /** A commission in the programme's currency above this amount is flagged; null is no limit. */
  reviewAboveCents: number | null;
}

/** What a payment earned, and by which terms. */
export interface Earned {
  terms: EarningTerms;
  payment: Payment;
  /** The commission's. */
  amountCents: number;
  currency: string;
}

/** The reasons that follow from the money alone; fraud adds its own. */
export function reviewReasonsFor(
  { terms, payment, amountCents, currency }: Earned,
  settings: ReviewSettings,
): ReviewReason[] {
  const reasons: ReviewReason[] = [];
  if (terms.basis === 'net' && payment.feeCents === null) reasons.push('FEE_UNKNOWN');
  if (isForeign(payment.currency, settings)) reasons.push('CURRENCY_MISMATCH');
  const { reviewAboveCents: limit } = settings;
  const isOver = limit !== null && amountCents > limit;
  if (isOver && sameCurrency(currency, settings.currency)) reasons.push('AMOUNT_OVER_LIMIT');
  return reasons;
}

function isForeign(currency: string | null, settings: ReviewSettings): boolean {
  if (currency === null) return false;
  const known = [settings.currency, ...settings.acceptedCurrencies];
  return !known.some((accepted) => sameCurrency(accepted, currency));
}

/** The reasons with one added, in the list's own order, so that the order of events leaves no trace. */
export function withReason(reasons: readonly ReviewReason[], added: ReviewReason): ReviewReason[] {
  return reviewReasons.filter((reason) => reason === added || reasons.includes(reason));
}

/** The reasons left, in their order. */
export function withoutReason(
  reasons: readonly ReviewReason[],
  removed: ReviewReason,
): ReviewReason[] {
  return reasons.filter((reason) => reason !== removed);
}
