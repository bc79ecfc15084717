import { decimalsOf, isCurrency } from '../values/currency';
import { reportedStatuses, type ReportedStatus } from './status';

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
  if (status === -1) return undefined;
  const own = column('itemreference');
  if (own !== -1) {
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
  const isByPayment = ![columns.email, columns.currency, columns.gross].includes(-1);
  if (columns.reference === -1 && !isByPayment) return undefined;
  return (row) => readPayPals(row, columns);
}

interface OwnColumns {
  reference: number;
  status: number;
  transactionId: number;
  reason: number;
}

function readOwn(row: ResultRow, columns: OwnColumns): Result | ResultProblem {
  const { line } = row;
  const said = cellOf(row, columns.status) ?? '';
  const status = reportedStatuses.find((one) => one === said.toLowerCase());
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
const payPalStatuses: ReadonlyMap<string, ReportedStatus | null> = new Map([
  ['completed', 'paid'],
  ['unclaimed', null],
  ['pending', null],
  ['returned', 'returned'],
  ['refunded', 'returned'],
  ['reversed', 'returned'],
  ['denied', 'failed'],
  ['failed', 'failed'],
  ['blocked', 'failed'],
]);

function readPayPals(row: ResultRow, columns: PayPalColumns): Result | ResultProblem {
  const { line } = row;
  const said = cellOf(row, columns.status) ?? '';
  const status = payPalStatuses.get(said.toLowerCase());
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
  const [, whole = '', fraction = ''] = match;
  const decimals = decimalsOf(currency);
  if (/[^0]/.test(fraction.slice(decimals))) return undefined;
  const amount = Number(`${whole}${fraction.padEnd(decimals, '0').slice(0, decimals)}`);
  return Number.isSafeInteger(amount) ? amount : undefined;
}

/** Null where there is no such column, or nothing in it. */
function cellOf({ cells }: ResultRow, column: number): string | null {
  return (cells[column] ?? '').trim().slice(0, 500) || null;
}
