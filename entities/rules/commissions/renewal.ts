import { monthsLater } from '../values/instant';

export interface RecurringTerms {
  recurring: boolean;
  recurringMonths: number | null;
}

/**
 * Whether a renewal earns: it is paid less than recurringMonths whole months after the customer's
 * first attributed payment, so that 12 is twelve payments of a monthly plan and one of a yearly one
 * (docs/reference/payments.md, Renewals).
 */
export function renewalEarns(terms: RecurringTerms, firstPaidAt: Date, paidAt: Date): boolean {
  // Paid before the customer came by the partner: nothing of the partner's.
  if (!terms.recurring || paidAt < firstPaidAt) return false;
  return terms.recurringMonths === null || paidAt < monthsLater(firstPaidAt, terms.recurringMonths);
}

/**
 * Whether a payment that is credited by its customer alone earns: the first one always, each later
 * one as a renewal. One that is reported late, and lies before the first known one, has the months
 * counted from itself, so that both together earn what they would in their order.
 */
export function customerPaymentEarns(
  terms: RecurringTerms,
  { firstPaidAt, paidAt, amountCents }: CustomerPayment,
): boolean {
  if (amountCents === 0) return false;
  if (!firstPaidAt) return true;
  return renewalEarns(terms, earliest(firstPaidAt, paidAt), paidAt);
}

export interface CustomerPayment {
  /** The customer's first attributed payment; null when this would be it. */
  firstPaidAt: Date | null;
  paidAt: Date;
  amountCents: number;
}

/** How many whole months lie between the two; 0 within the first. */
export function wholeMonthsBetween(from: Date, at: Date): number {
  const years = at.getUTCFullYear() - from.getUTCFullYear();
  const months = years * 12 + at.getUTCMonth() - from.getUTCMonth();
  return Math.max(0, monthsLater(from, months) > at ? months - 1 : months);
}

export function earliest(a: Date, b: Date): Date {
  return a < b ? a : b;
}
