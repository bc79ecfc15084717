import { monthsLater } from '../values/instant';

export interface RecurringTerms {
  recurring: boolean;
  recurringMonths: number | null;
}

/** A payment that nothing of its own credits, with the customer's first in the programme; null for that one. */
export interface DependentPayment {
  first: { periodAt: Date } | null;
  periodAt: Date;
  amountCents: number;
}

/**
 * Whether a payment earns that its subscription or customer alone credits: the first one always, each
 * later one while its period begins less than recurringMonths whole months after the first one's, so
 * that 12 is twelve payments of a monthly plan and one of a yearly one (docs/reference/payments.md,
 * Renewals).
 */
export function paymentEarns(
  { recurring, recurringMonths }: RecurringTerms,
  { first, periodAt, amountCents }: DependentPayment,
): boolean {
  if (amountCents === 0) return false;
  if (first === null) return true;
  if (!recurring) return false;
  return recurringMonths === null || periodAt < monthsLater(first.periodAt, recurringMonths);
}

/** How many whole months lie between the two; 0 within the first. */
export function wholeMonthsBetween(from: Date, at: Date): number {
  const years = at.getUTCFullYear() - from.getUTCFullYear();
  const months = years * 12 + at.getUTCMonth() - from.getUTCMonth();
  return Math.max(0, monthsLater(from, months) > at ? months - 1 : months);
}
