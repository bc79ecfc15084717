import { decimalsOf, isCurrency } from '../values/currency';
import { reportOutcome, type PayoutItemStatus, type ReportedStatus } from './status';

/** One row of what a processor or a bank says became of a payout's items. */
export interface ResultRow {
  /** Of the file, from 1. */
  line: number;
  cells: readonly string[];
}

/** What a row says; `status` null for what is still under way. */
export interface Result {
  line: number;
  reference: string | null;
  /** Where there is no reference: what was paid to whom. */
  payment: { email: string; currency: string; amountCents: number } | null;
  status: ReportedStatus | null;
  transactionId: string | null;
  reason: string | null;
}

export interface ResultProblem {
  line: number;
  message: string;
}

type Read = (row: ResultRow) => Result | ResultProblem;

/**
 * How to read the rows of a file with this header: of our own format, or PayPal's report, whose columns
 * are found by name. Undefined for a file that is neither.
 */
export function resultReader(header: readonly string[]): Read | undefined {
  const names = header.map((name) => name.trim().toLowerCase());
  const column = (...wanted: string[]): number => names.findIndex((name) => wanted.includes(name));
  const status = column('status');
  if (status < 0) return undefined;
  const own = column('itemreference');
  if (own >= 0) {
    const [transactionId, reason] = [column('transactionid'), column('reason')];
    return (row) => readOwn(row, { reference: own, status, transactionId, reason });
  }
  const columns = {
    status,
    reference: column('custom number', 'item reference'),
    transactionId: column('transaction id'),
    email: column('to email address'),
    currency: column('currency'),
    gross: column('gross'),
  };
  const isByPayment = columns.email >= 0 && columns.currency >= 0 && columns.gross >= 0;
  if (columns.reference < 0 && !isByPayment) return undefined;
  return (row) => readPayPals(row, columns);
}

interface OwnColumns {
  reference: number;
  status: number;
  transactionId: number;
  reason: number;
}

const ownStatuses: Readonly<Record<string, ReportedStatus>> = {
  paid: 'paid',
  failed: 'failed',
  returned: 'returned',
};

function readOwn(row: ResultRow, columns: OwnColumns): Result | ResultProblem {
  const { line } = row;
  const said = cellOf(row, columns.status) ?? '';
  const status = ownStatuses[said.toLowerCase()];
  const reference = cellOf(row, columns.reference);
  if (!status)
    return { line, message: `The status must be paid, failed or returned, not "${said}".` };
  if (reference === null) return { line, message: 'There is no itemReference.' };
  const transactionId = cellOf(row, columns.transactionId);
  const reason = cellOf(row, columns.reason);
  return { line, reference, payment: null, status, transactionId, reason };
}

type PayPalColumns = Record<
  'status' | 'reference' | 'transactionId' | 'email' | 'currency' | 'gross',
  number
>;

/** Null: not decided yet. */
const payPalStatuses: Readonly<Record<string, ReportedStatus | null>> = {
  completed: 'paid',
  unclaimed: null,
  pending: null,
  returned: 'returned',
  refunded: 'returned',
  reversed: 'returned',
  denied: 'failed',
  failed: 'failed',
  blocked: 'failed',
};

function readPayPals(row: ResultRow, columns: PayPalColumns): Result | ResultProblem {
  const { line } = row;
  const said = cellOf(row, columns.status) ?? '';
  const status = payPalStatuses[said.toLowerCase()];
  if (status === undefined)
    return { line, message: `"${said}" is no status of PayPal's that is known.` };
  const reference = cellOf(row, columns.reference);
  const payment = paymentOf(row, columns);
  if (reference === null && !payment) {
    return {
      line,
      message: 'It names neither an item nor an address with a currency and an amount.',
    };
  }
  const transactionId = cellOf(row, columns.transactionId);
  const reason = status === 'paid' ? null : said;
  return { line, reference, payment, status, transactionId, reason };
}

function paymentOf(row: ResultRow, columns: PayPalColumns): Result['payment'] {
  const email = cellOf(row, columns.email)?.toLowerCase();
  const currency = cellOf(row, columns.currency)?.toLowerCase();
  const gross = cellOf(row, columns.gross);
  if (!email || !gross || !isCurrency(currency)) return null;
  const amountCents = minorUnits(gross, currency);
  return amountCents === undefined ? null : { email, currency, amountCents };
}

/** What went out stands with a minus, and large amounts with commas. */
function minorUnits(text: string, currency: string): number | undefined {
  const match = /^-?(\d+)(?:\.(\d*))?$/.exec(text.replaceAll(',', ''));
  if (!match) return undefined;
  const decimals = decimalsOf(currency);
  const fraction = (match[2] ?? '').padEnd(decimals, '0');
  if (/[^0]/.test(fraction.slice(decimals))) return undefined;
  const amount = Number(`${match[1] ?? ''}${fraction.slice(0, decimals)}`);
  return Number.isSafeInteger(amount) ? amount : undefined;
}

const maxCell = 500;

/** Null where there is no such column, or nothing in it. */
function cellOf({ cells }: ResultRow, column: number): string | null {
  const text = (cells[column] ?? '').trim().slice(0, maxCell);
  return text === '' ? null : text;
}

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

/**
 * What the rows change, each seen after those before it. Rows before the last one that says what is
 * known of an item by now are its past: the same file again changes nothing.
 */
export function judgeResults(
  items: readonly ResultItem[],
  results: readonly (Result | ResultProblem)[],
): JudgedResults {
  const now = new Map(items.map((item) => [item.id, item]));
  const known = lastKnownLines(items, results);
  const judged: JudgedResults = { changes: [], unchanged: 0, problems: [] };
  for (const result of results) {
    const outcome = 'message' in result ? result : judge([...now.values()], result, known);
    if (outcome === 'unchanged') judged.unchanged += 1;
    else if ('message' in outcome) judged.problems.push(outcome);
    else {
      judged.changes.push(outcome);
      const item = now.get(outcome.itemId);
      if (item) now.set(item.id, after(item, outcome));
    }
  }
  return judged;
}

type KnownLines = ReadonlyMap<string, number>;

/** By item: the last line that repeats what it is. */
function lastKnownLines(
  items: readonly ResultItem[],
  results: readonly (Result | ResultProblem)[],
): KnownLines {
  const lines = new Map<string, number>();
  for (const result of results) {
    if ('message' in result || result.status === null) continue;
    const { line, status, transactionId } = result;
    const [item, ...others] = itemsOf(items, result);
    if (!item || others.length > 0) continue;
    if (reportOutcome(item, { status, transactionId }) === 'repeats') lines.set(item.id, line);
  }
  return lines;
}

function after(item: ResultItem, { to: status, transactionId }: ResultChange): ResultItem {
  return { ...item, status, transactionId: transactionId ?? item.transactionId };
}

function judge(
  items: readonly ResultItem[],
  result: Result,
  known: KnownLines,
): ResultChange | ResultProblem | 'unchanged' {
  const { line, status } = result;
  const [item, ...others] = itemsOf(items, result);
  if (!item) return { line, message: 'No item of this payout fits.' };
  if (others.length > 0) return { line, message: 'Several items of this payout fit.' };
  if (status === null || line < (known.get(item.id) ?? 0)) return 'unchanged';
  return judgeMove(item, { ...result, status });
}

function judgeMove(
  item: ResultItem,
  { line, status, transactionId, reason }: Result & { status: ReportedStatus },
): ResultChange | ResultProblem | 'unchanged' {
  if (item.status === 'returned' && status === 'paid') {
    // Of the payment that came back, or of another one?
    if (transactionId === null) return { line, message: cameBack };
    if (transactionId === item.transactionId) return 'unchanged';
  }
  const outcome = reportOutcome(item, { status, transactionId });
  if (outcome === 'repeats') return 'unchanged';
  if (outcome === 'refused') return { line, message: refusal(item.status, status) };
  return { line, itemId: item.id, from: item.status, to: status, transactionId, reason };
}

function refusal(from: PayoutItemStatus, to: ReportedStatus): string {
  if (from === to) return `It was reported as ${to} before, by another transaction or by none.`;
  return `An item that is ${from} cannot become ${to} by this.`;
}

const cameBack =
  'The payment came back. If it was paid again, name the transaction, or mark the item by hand.';

/**
 * By the reference; by address, currency and amount only where the row has none: one that is not ours
 * is of another payout, or of something that this one never paid.
 */
function itemsOf(items: readonly ResultItem[], { reference, payment }: Result): ResultItem[] {
  if (reference !== null) return items.filter((item) => item.reference === reference);
  return items.filter(
    (item) =>
      payment !== null &&
      item.email === payment.email &&
      item.currency === payment.currency &&
      item.amountCents === payment.amountCents,
  );
}
