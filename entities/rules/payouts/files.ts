import { decimalsOf } from '../values/currency';
import { withoutSteering } from '../values/name';
import { recipientOf, type PayoutMethod, type PayoutMethodType } from './method';

/** What a payout's file is made for. */
export const payoutFileFormats = ['paypal', 'wise', 'generic'] as const;
export type PayoutFileFormat = (typeof payoutFileFormats)[number];

/** An item as a file tells of it. */
export interface FileItem {
  reference: string;
  partnerName: string;
  partnerEmail: string;
  currency: string;
  amountCents: number;
  method: PayoutMethod | null;
}

interface FileOptions {
  /** The payout's own reference, or its programme's name. */
  note: string;
  /** What the payer's account at Wise is in; without it the item's currency. */
  sourceCurrency?: string | undefined;
}

interface FileShape {
  /** Null: the processor wants no header. */
  columns: readonly string[] | null;
  /** Items of one file; more are further parts. */
  maxRows: number;
  /** Whom it pays; null for everybody. */
  method: PayoutMethodType | null;
  rowOf: (item: FileItem, options: FileOptions) => string[];
}

/**
 * The formats as their processors take them: PayPal Payouts' web file, Wise's batch by e-mail, and one
 * for whoever pays otherwise (docs/reference/payouts.md, Files).
 */
export const payoutFiles: Readonly<Record<PayoutFileFormat, FileShape>> = {
  paypal: {
    columns: null,
    maxRows: 5_000,
    method: 'paypal',
    rowOf: (item, { note }) => [
      recipient(item),
      amountText(item),
      item.currency.toUpperCase(),
      item.reference,
      oneLine(note),
      'PAYPAL',
    ],
  },
  wise: {
    columns: [
      'name',
      'recipientEmail',
      'paymentReference',
      'receiverType',
      'amountCurrency',
      'amount',
      'sourceCurrency',
      'targetCurrency',
    ],
    maxRows: 1_000,
    method: 'wise',
    rowOf: (item, { sourceCurrency = item.currency }) => [
      oneLine(item.method?.type === 'wise' ? item.method.name : item.partnerName),
      recipient(item),
      item.reference,
      'PERSON',
      'target',
      amountText(item),
      sourceCurrency.toUpperCase(),
      item.currency.toUpperCase(),
    ],
  },
  generic: {
    columns: [
      'itemReference',
      'partnerName',
      'partnerEmail',
      'method',
      'recipient',
      'amount',
      'currency',
      'reference',
    ],
    maxRows: 10_000,
    method: null,
    rowOf: (item, { note }) => [
      item.reference,
      oneLine(item.partnerName),
      item.partnerEmail,
      item.method?.type ?? '',
      recipient(item),
      amountText(item),
      item.currency.toUpperCase(),
      oneLine(note),
    ],
  },
};

/** Which items a file holds. */
export interface FilePart {
  format: PayoutFileFormat;
  currency?: string | undefined;
  /** The number of the part, from 1. */
  part: number;
}

export interface ChosenItems<Item> {
  items: Item[];
  /** What the items of the format are in, without those that a currency leaves out; sorted. */
  currencies: string[];
  /** Items that are not paid by this method. */
  leftOut: number;
  hasNext: boolean;
}

/** The items of one file, in the order given. Several currencies do not go into one file. */
export function chooseItems<Item extends Pick<FileItem, 'currency' | 'method'>>(
  ready: readonly Item[],
  { format, currency, part }: FilePart,
): ChosenItems<Item> {
  const { method, maxRows } = payoutFiles[format];
  const own = ready.filter((item) => method === null || item.method?.type === method);
  const wanted = own.filter((item) => currency === undefined || item.currency === currency);
  return {
    items: wanted.slice((part - 1) * maxRows, part * maxRows),
    currencies: [...new Set(wanted.map((item) => item.currency))].sort(),
    leftOut: ready.length - own.length,
    hasNext: wanted.length > part * maxRows,
  };
}

/** Some who read these files take a line for a row, even within quotes; and an amount must read as it is. */
function oneLine(text: string): string {
  return withoutSteering(text).replace(/\s+/gu, ' ').trim();
}

function recipient({ method }: FileItem): string {
  return method ? oneLine(recipientOf(method)) : '';
}

/** The amount with the currency's decimals by ISO 4217 and a dot: `9.80`, `980` in yen, `0.980` in dinars. */
export function amountText({ amountCents, currency }: Pick<FileItem, 'amountCents' | 'currency'>) {
  const decimals = decimalsOf(currency);
  const digits = String(amountCents).padStart(decimals + 1, '0');
  if (decimals === 0) return digits;
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
