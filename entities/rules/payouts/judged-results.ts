import type { ResultProblem } from './result-row';
import type { PayoutItemStatus, ReportedStatus } from './status';

/** An item of the payout, as results find it. */
export interface ResultItem {
  id: string;
  reference: string;
  /** The address of the partner's method, else of the account; null where no row is to be found by it. */
  email: string | null;
  currency: string;
  amountCents: number;
  status: PayoutItemStatus;
  transactionId: string | null;
  /** What reports have told of it. */
  reports: readonly string[];
  /** Somebody has to look at it first: money may be out by another payment. */
  wantsLook?: boolean;
}

export interface ResultChange {
  line: number;
  itemId: string;
  from: PayoutItemStatus;
  /** The new status; the same as `from` where the row brings the first transaction. */
  to: ReportedStatus;
  transactionId: string | null;
  reason: string | null;
}

/** What is known of an item from now on, whether it moves or not. */
export interface ItemNote {
  itemId: string;
  /** The status before the file: a note of an item that moves goes with its move. */
  status: PayoutItemStatus;
  reports: readonly string[];
}

export interface JudgedResults {
  /** The changes by item, in the order in which the file first names them. */
  changes: ResultChange[];
  notes: ItemNote[];
  unchanged: number;
  skipped: number;
  problems: ResultProblem[];
}
