/** What a commission brings into a payout: positive when owed, negative when paid too much. */
export interface Payable {
  commissionId: string;
  participantId: string;
  currency: string;
  amountCents: number;
  /** Approved and free: it can be paid by itself. */
  isPayable: boolean;
}

export interface PayoutLine {
  commissionId: string;
  amountCents: number;
}

export interface PlannedItem {
  participantId: string;
  currency: string;
  amountCents: number;
  lines: PayoutLine[];
}

/** The least payout counts in the programme's own currency; others have none. */
export interface LeastPayout {
  currency: string;
  minPayoutCents: number;
}

/**
 * One item per partner and currency: what is owed, with earlier overpayments netted. A partner
 * whose sum is not positive, or below the programme's least payout, gets none and carries it on; so
 * does a commission with which the sum would be more than a number holds exactly.
 */
export function planPayout(payables: readonly Payable[], least: LeastPayout): PlannedItem[] {
  const items = new Map<string, PlannedItem>();
  for (const { commissionId, participantId, currency, amountCents } of payables) {
    const key = `${participantId} ${currency}`;
    const item = items.get(key) ?? { participantId, currency, amountCents: 0, lines: [] };
    if (!Number.isSafeInteger(item.amountCents + amountCents)) continue;
    item.amountCents += amountCents;
    item.lines.push({ commissionId, amountCents });
    items.set(key, item);
  }
  return [...items.values()].filter(
    ({ amountCents, currency }) =>
      amountCents > 0 && (currency !== least.currency || amountCents >= least.minPayoutCents),
  );
}
