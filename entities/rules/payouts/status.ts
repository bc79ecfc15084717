import type { Moves } from '../values/moves';

export const payoutStatuses = ['processing', 'completed', 'cancelled'] as const;
export type PayoutStatus = (typeof payoutStatuses)[number];

export const payoutItemStatuses = [
  'ready',
  // A provider was told to pay it: the money may be on its way.
  'sending',
  'paid',
  'failed',
  'returned',
  'cancelled',
] as const;
export type PayoutItemStatus = (typeof payoutItemStatuses)[number];

/** What somebody reports of one item; `cancelled` comes by the cancelling of its payout only. */
export const reportedStatuses = ['paid', 'failed', 'returned'] as const;
export type ReportedStatus = (typeof reportedStatuses)[number];

/**
 * Who moves an item: a report about it, the end of its payout, who sends it, what the provider says of it, or a
 * person who has looked at what became of one that is on its way.
 */
export type PayoutItemTrigger = 'report' | 'complete' | 'cancel' | 'send' | 'provider' | 'check';

/**
 * Every move there is. Money that was thought lost or kept may have gone out all the same: an item
 * that failed, was cancelled or came back can still be reported as paid.
 */
export const payoutItemMoves: Moves<PayoutItemStatus, PayoutItemTrigger> = {
  ready: {
    report: ['paid', 'failed'],
    complete: ['paid'],
    cancel: ['cancelled'],
    send: ['sending'],
    provider: ['paid'],
  },
  sending: { provider: ['ready', 'paid', 'failed'], check: ['paid', 'failed'] },
  paid: { report: ['returned'], provider: ['returned'] },
  failed: { report: ['paid'], provider: ['paid'] },
  returned: { report: ['paid'], provider: ['paid'] },
  cancelled: { report: ['paid'], provider: ['paid'] },
};

/** What of an item decides whether a report of it is news. */
export interface ReportedItem {
  status: PayoutItemStatus;
  transactionId: string | null;
}

/** Whether a report says what is known: a repeat names the same transaction, or none. */
export function isRepeat(
  item: ReportedItem,
  report: { status: PayoutItemStatus | null; transactionId?: string | null | undefined },
): boolean {
  const isSame = (report.transactionId ?? item.transactionId) === item.transactionId;
  return isSame && item.status === report.status;
}

/**
 * What a report does to an item: moves it, repeats what is known, names the first transaction of what
 * is known, or cannot be.
 */
export function reportOutcome(
  item: ReportedItem,
  report: { status: PayoutItemStatus; transactionId?: string | null | undefined },
): 'moves' | 'repeats' | 'names' | 'refused' {
  if (isRepeat(item, report)) return 'repeats';
  if (item.status === report.status && item.transactionId === null) return 'names';
  return payoutItemMoves[item.status].report?.includes(report.status) ? 'moves' : 'refused';
}

/** Items whose end is not known; what they take is reserved. */
export const openItemStatuses = ['ready', 'sending'] as const satisfies PayoutItemStatus[];

/** Whether the end of an item is not known yet. */
export function isOpenItem(status: PayoutItemStatus): boolean {
  return status === 'ready' || status === 'sending';
}

/** What a payout is, by its items: it is processed while one of them is open. */
export function payoutStatusOf(items: readonly PayoutItemStatus[]): PayoutStatus {
  if (items.some(isOpenItem)) return 'processing';
  return items.some((status) => status === 'paid' || status === 'returned')
    ? 'completed'
    : 'cancelled';
}

/** What the move of an item does to the money that it took. */
export type ItemBooking =
  /** The ledger says that it was paid, and the reservation ends. */
  | 'pay'
  /** Nothing was paid: what was reserved is free. */
  | 'free'
  /** What was paid came back. */
  | 'reverse'
  /** It was paid though nothing is reserved for it any more. */
  | 'pay_late';

/** Null for a move that changes nothing of the money: an item that is sent, or ready again. */
export function bookingOf(from: PayoutItemStatus, to: PayoutItemStatus): ItemBooking | null {
  if (isOpenItem(to)) return null;
  if (to === 'returned') return 'reverse';
  if (to !== 'paid') return 'free';
  return isOpenItem(from) ? 'pay' : 'pay_late';
}
