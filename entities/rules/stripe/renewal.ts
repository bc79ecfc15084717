/**
 * The same day and time so many months later in UTC; the month's last day where it has no such day.
 */
export function monthsLater(from: Date, months: number): Date {
  const later = new Date(from);
  later.setUTCMonth(from.getUTCMonth() + months);
  // Where the day is missing it runs over into the next month: day 0 leads back to the last one.
  if (later.getUTCDate() !== from.getUTCDate()) later.setUTCDate(0);
  return later;
}

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
