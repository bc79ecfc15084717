/** Months of the UTC calendar from one instant's to another's, whatever their days. */
export function monthsBetween(from: Date, to: Date): number {
  const years = to.getUTCFullYear() - from.getUTCFullYear();
  return years * 12 + to.getUTCMonth() - from.getUTCMonth();
}

export interface RecurringTerms {
  recurring: boolean;
  recurringMonths: number | null;
}

/**
 * Whether a renewal earns: its calendar month is at most recurringMonths after that of the
 * customer's first attributed payment, the boundary month wholly included
 * (docs/reference/payments.md, Renewals).
 */
export function renewalEarns(terms: RecurringTerms, firstPaidAt: Date, paidAt: Date): boolean {
  // Paid before the customer came by the partner: nothing of the partner's.
  if (!terms.recurring || paidAt < firstPaidAt) return false;
  return (
    terms.recurringMonths === null || monthsBetween(firstPaidAt, paidAt) <= terms.recurringMonths
  );
}
