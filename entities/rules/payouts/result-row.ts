import type { TextRow } from '../values/delimited';
import type { ItemReport } from './item-reports';

/** What a row says of an item; `open` for what is still under way. */
export interface Result {
  line: number;
  reference: string | null;
  /** Addresses one of which is the partner's, where there is no reference. */
  emails: readonly string[];
  /** What was paid, where the row says it. */
  currency: string | null;
  amountCents: number | null;
  /** `denied` is a failure that may also come to a payment that had gone out. */
  kind: ItemReport['kind'] | 'denied' | 'open';
  /** The transaction's id; '' where none is named. */
  id: string;
  /** The id of the payment that came back; '' where the row does not say. */
  of: string;
  reason: string | null;
  /** Day and time, as the report writes them; '' where it has none. */
  at: string;
  /** The row has our own columns, where words are taken at their word. */
  isOwn: boolean;
}

export interface ResultProblem {
  line: number;
  message: string;
}

/** A row that tells nothing of an item: a fee, a hold, a transfer. */
export interface SkippedRow {
  line: number;
  isSkipped: true;
}

export type ReadRow = Result | ResultProblem | SkippedRow;
export type ReadResult = (row: TextRow) => ReadRow;
