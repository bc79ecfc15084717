import { decimalsOf, isCurrency } from '../values/currency';
import type { TextRow } from '../values/delimited';
import { columnsOf } from './report-columns';
import type { ReadResult, ReadRow, Result } from './result-row';

/**
 * How to read PayPal's report of activities, which has one row more for each event of a payment.
 * Undefined for a header by which no item can be found.
 */
export function payPalReader(header: readonly string[]): ReadResult | undefined {
  const column = columnsOf(header);
  const columns = Object.entries(columnNames).map(
    ([name, wanted]) => [name, column(...wanted)] as const,
  );
  const has = (name: keyof Said): boolean => columns.some(([own, read]) => own === name && read);
  const isByPayment = has('to') && has('currency') && has('gross');
  if (!has('status') || !(has('reference') || isByPayment)) return undefined;
  return (row) =>
    readSaid(
      row,
      Object.fromEntries(columns.map(([name, read]) => [name, read?.(row) ?? null])) as Said,
    );
}

const columnNames = {
  type: ['type'],
  status: ['status'],
  reference: ['custom number', 'item reference'],
  id: ['transaction id'],
  of: ['reference txn id', 'reference transaction id'],
  to: ['to email address'],
  from: ['from email address'],
  currency: ['currency'],
  gross: ['gross'],
  date: ['date'],
  time: ['time'],
} as const;

type Said = Record<keyof typeof columnNames, string | null>;

function readSaid({ line }: TextRow, said: Said): ReadRow {
  const way = wayOf(said.type ?? '');
  if (way === 'aside') return { line, isSkipped: true };
  if (way === undefined) return { line, message: unknown(said.type, 'type') };
  const kind = kindOf(said.status ?? '', way);
  if (kind === undefined) return { line, message: unknown(said.status, 'status') };
  const money = moneyOf(said, way);
  if (typeof money === 'string') return { line, message: money };
  const named = namesOf(said, { way, kind });
  if (!isFound(named, money)) return { line, message: namesNothing };
  const at = [said.date, said.time].filter(Boolean).join(' ');
  const reason = kind === 'paid' ? null : [said.type, said.status].filter(Boolean).join(', ');
  return { line, kind, ...named, ...money, reason, at, isOwn: false };
}

const unknown = (said: string | null, what: string): string =>
  `"${said ?? ''}" is no ${what} of PayPal's that is known.`;

const namesNothing = 'It names neither an item nor an address with a currency and an amount.';

type Named = Pick<Result, 'reference' | 'emails' | 'id' | 'of'>;

/** Money that comes back is sent by the partner; its row names the payment, or is that of the payment. */
function namesOf(said: Said, { way, kind }: { way: Way; kind: Result['kind'] }): Named {
  const { reference, from, to } = said;
  const id = said.id ?? '';
  const people = way === 'in' ? [from, to] : [to];
  const emails = people.flatMap((email) => email?.toLowerCase() ?? []);
  const payment = way === 'in' ? (said.of ?? '') : id;
  return { reference, emails, id, of: kind === 'back' ? payment : '' };
}

function isFound({ reference, emails, of }: Named, { currency, amountCents }: Money): boolean {
  if (reference !== null || of !== '') return true;
  return emails.length > 0 && currency !== null && amountCents !== null;
}

/** Which way the money of a row went: out to a partner, back in, or neither. */
type Way = 'out' | 'in' | 'aside';

const asides =
  /\b(fees?|holds?|transfers?|withdrawals?|deposits?|conversions?|reserves?|releases?|authori[sz]ations?)\b/i;
const returns = /\b(reversals?|reversed|refunds?|refunded|returns?|returned|chargebacks?)\b/i;
const payments = /\b(pay|payments?|payouts?)\b/i;

function wayOf(type: string): Way | undefined {
  if (asides.test(type)) return 'aside';
  // What undoes a return is neither.
  if (returns.test(type)) return /\bcancel/i.test(type) ? undefined : 'in';
  return type === '' || payments.test(type) ? 'out' : undefined;
}

const statuses: ReadonlyMap<string, Result['kind']> = new Map([
  ['completed', 'paid'],
  ['unclaimed', 'open'],
  ['pending', 'open'],
  ['returned', 'back'],
  ['refunded', 'back'],
  ['reversed', 'back'],
  ['denied', 'denied'],
  ['failed', 'denied'],
  ['blocked', 'denied'],
]);

/** Money that came back has come when that is completed; it never pays. */
function kindOf(status: string, way: Way): Result['kind'] | undefined {
  const kind = statuses.get(status.toLowerCase());
  if (way === 'out' || kind === undefined) return kind;
  return kind === 'paid' || kind === 'back' ? 'back' : 'open';
}

type Money = Pick<Result, 'currency' | 'amountCents'>;

function moneyOf({ currency: code, gross }: Said, way: Way): Money | string {
  const currency = code?.toLowerCase() ?? null;
  if (currency !== null && !isCurrency(currency)) return `"${code ?? ''}" is no currency.`;
  if (gross === null || currency === null) return { currency, amountCents: null };
  const amountCents = minorUnits(gross, { currency, way });
  if (amountCents === undefined)
    return `"${gross}" is no amount: it takes a dot before its decimals.`;
  return { currency, amountCents };
}

/** `-1,234.50`. What went out has a minus or no sign; large amounts may have commas between thousands. */
function minorUnits(
  text: string,
  { currency, way }: { currency: string; way: Way },
): number | undefined {
  const match = /^([+-]?)(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d*))?$/.exec(text);
  if (!match || (match[1] === '+' && way === 'out')) return undefined;
  const [, , whole = '', fraction] = match;
  const decimals = decimalsOf(currency);
  // A single comma may stand before thousandths.
  const isUnclear = whole.includes(',') && fraction === undefined && decimals > 0;
  return isUnclear ? undefined : wholeNumber(whole.replaceAll(',', ''), fraction ?? '', decimals);
}

function wholeNumber(whole: string, fraction: string, decimals: number): number | undefined {
  if (/[^0]/.test(fraction.slice(decimals))) return undefined;
  const amount = Number(`${whole}${fraction.padEnd(decimals, '0').slice(0, decimals)}`);
  return Number.isSafeInteger(amount) ? amount : undefined;
}
