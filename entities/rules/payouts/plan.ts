/** What a commission brings into a payout: positive when owed, negative when paid too much. */
export interface Payable {
  commissionId: string;
  participantId: string;
  currency: string;
  amountCents: number;
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

/**
 * One item per partner and currency: what is owed, with earlier overpayments netted. A partner
 * whose sum is not positive, or below the programme's least payout, gets none and carries it on.
 */
export function planPayout(payables: readonly Payable[], minPayoutCents: number): PlannedItem[] {
  const items = new Map<string, PlannedItem>();
  for (const { commissionId, participantId, currency, amountCents } of payables) {
    const key = `${participantId} ${currency}`;
    const item = items.get(key) ?? { participantId, currency, amountCents: 0, lines: [] };
    item.amountCents += amountCents;
    item.lines.push({ commissionId, amountCents });
    items.set(key, item);
  }
  return [...items.values()].filter(
    (item) => item.amountCents > 0 && item.amountCents >= minPayoutCents,
  );
}

export const payoutStatuses = ['processing', 'completed', 'cancelled'] as const;
export type PayoutStatus = (typeof payoutStatuses)[number];
