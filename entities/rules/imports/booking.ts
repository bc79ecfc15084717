import type { CommissionStatus } from '../commissions/status';
import type { ToldStatus } from './statuses';

/** A commission of an import as it stands here. */
export interface Standing {
  status: CommissionStatus;
  /** A payout that is being processed has it. */
  inPayout: boolean;
}

/** A commission as it was told last, and as it is told now. */
export interface Retold {
  before: { status: ToldStatus; amountCents: number };
  now: { status: ToldStatus; amountCents: number };
}

const isOpen = (status: ToldStatus): boolean => status === 'pending' || status === 'approved';

/**
 * What a repeat does with what was booked before: nothing where it says the same; theirs that was open
 * and became paid or void moves ours, while it is neither paid here nor about to be; all else, a sum too,
 * stays as it is and is told.
 */
export function judgeRepeat(
  { before, now }: Retold,
  { status, inPayout }: Standing,
): 'known' | 'changed' | 'conflict' {
  if (before.amountCents !== now.amountCents) return 'conflict';
  if (before.status === now.status) return 'known';
  if (isOpen(before.status) && isOpen(now.status)) return 'known';
  const movable = (status === 'pending' || status === 'approved') && !inPayout;
  return isOpen(before.status) && movable ? 'changed' : 'conflict';
}

/** A row that claims a sale. */
export interface SaleClaim {
  n: number;
  /** Its partner is whose customer the buyer is. */
  isOfCustomer: boolean;
  occurredAt: string;
}

/** The one of a sale's commissions whose conversion it is: the customer's partner's, else the earliest. */
export function claimThatHolds(claims: readonly SaleClaim[]): number | undefined {
  const [first] = claims.toSorted(
    (a, b) =>
      Number(b.isOfCustomer) - Number(a.isOfCustomer) ||
      (a.occurredAt < b.occurredAt ? -1 : a.occurredAt > b.occurredAt ? 1 : a.n - b.n),
  );
  return first?.n;
}
