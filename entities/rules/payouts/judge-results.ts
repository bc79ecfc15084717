import type { Result, ResultProblem } from './results';
import { isRepeat, reportOutcome, type PayoutItemStatus, type ReportedStatus } from './status';

/** An item of the payout, as results find it. */
export interface ResultItem {
  id: string;
  reference: string;
  email: string;
  currency: string;
  amountCents: number;
  status: PayoutItemStatus;
  transactionId: string | null;
}

export interface ResultChange {
  line: number;
  itemId: string;
  from: PayoutItemStatus;
  to: ReportedStatus;
  transactionId: string | null;
  reason: string | null;
}

export interface JudgedResults {
  /** In the order of the file; an item may move more than once. */
  changes: ResultChange[];
  unchanged: number;
  problems: ResultProblem[];
}

type Find = (result: Result) => readonly ResultItem[];

/**
 * What the rows change, each seen after those before it. Rows before the last one that says what is
 * known of an item by now are its past: the same file again changes nothing.
 */
export function judgeResults(
  items: readonly ResultItem[],
  results: readonly (Result | ResultProblem)[],
): JudgedResults {
  // Copies: they follow the rows.
  const find = finderOf(items.map((item) => ({ ...item })));
  const known = lastKnownLines(find, results);
  const judged: JudgedResults = { changes: [], unchanged: 0, problems: [] };
  for (const result of results) {
    const outcome = 'message' in result ? result : judge(find(result), result, known);
    if (outcome === 'unchanged') judged.unchanged += 1;
    else if ('message' in outcome) judged.problems.push(outcome);
    else judged.changes.push(outcome);
  }
  return judged;
}

/**
 * By the reference; by address, currency and amount only where the row has none: one that is not ours
 * is of another payout, or of something that this one never paid.
 */
function finderOf(items: readonly ResultItem[]): Find {
  const byReference = indexOf(items, ({ reference }) => reference);
  const byPayment = indexOf(items, keyOf);
  return ({ reference, payment }) => {
    if (reference !== null) return byReference.get(reference) ?? [];
    return (payment && byPayment.get(keyOf(payment))) ?? [];
  };
}

function indexOf(
  items: readonly ResultItem[],
  keyOfItem: (item: ResultItem) => string,
): Map<string, ResultItem[]> {
  const index = new Map<string, ResultItem[]>();
  for (const item of items) {
    const key = keyOfItem(item);
    index.set(key, [...(index.get(key) ?? []), item]);
  }
  return index;
}

function keyOf({ email, currency, amountCents }: NonNullable<Result['payment']>): string {
  return `${amountCents} ${currency} ${email}`;
}

type KnownLines = ReadonlyMap<string, number>;

/** By item: the last line that repeats what it is. */
function lastKnownLines(find: Find, results: readonly (Result | ResultProblem)[]): KnownLines {
  const lines = new Map<string, number>();
  for (const result of results) {
    if ('message' in result) continue;
    const [item, ...others] = find(result);
    if (!item || others.length > 0) continue;
    if (isRepeat(item, result)) lines.set(item.id, result.line);
  }
  return lines;
}

function judge(
  [item, ...others]: readonly ResultItem[],
  result: Result,
  known: KnownLines,
): ResultChange | ResultProblem | 'unchanged' {
  const { line, status } = result;
  if (!item) return { line, message: 'No item of this payout fits.' };
  if (others.length > 0) return { line, message: 'Several items of this payout fit.' };
  if (status === null) return 'unchanged';
  if (line < (known.get(item.id) ?? 0)) {
    return returnsItsPayment(item, result) ? { line, message: newestFirst } : 'unchanged';
  }
  return judgeMove(item, { ...result, status });
}

/** Stands before the row of the payment that it takes back: it is no past of that. */
function returnsItsPayment(item: ResultItem, { status, transactionId }: Result): boolean {
  const isOfPayment = transactionId !== null && transactionId === item.transactionId;
  return status === 'returned' && item.status === 'paid' && isOfPayment;
}

function judgeMove(
  item: ResultItem,
  { line, status, transactionId, reason }: Result & { status: ReportedStatus },
): ResultChange | ResultProblem | 'unchanged' {
  const { id: itemId, status: from } = item;
  if (from === 'returned' && status === 'paid') {
    // Of the payment that came back, or of another one?
    if (transactionId === null) return { line, message: cameBack };
    if (transactionId === item.transactionId) return 'unchanged';
  }
  const outcome = reportOutcome(item, { status, transactionId });
  if (outcome === 'repeats') return 'unchanged';
  if (outcome === 'refused') return { line, message: refusal(from, status) };
  Object.assign(item, { status, transactionId: transactionId ?? item.transactionId });
  return { line, itemId, from, to: status, transactionId, reason };
}

function refusal(from: PayoutItemStatus, to: ReportedStatus): string {
  if (from === to) return `It was reported as ${to} before, by another transaction or by none.`;
  return `An item that is ${from} cannot become ${to} by this.`;
}

const newestFirst =
  'It stands before the payment that it returns: put the oldest row first, and upload the file again.';

const cameBack =
  'The payment came back. If it was paid again, name the transaction, or mark the item by hand.';
