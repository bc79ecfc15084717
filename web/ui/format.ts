import { decimalsOf } from '../../entities/rules/values/currency';

/** An amount in minor units, in words of the reader's language: ISO 4217 says how many decimals. */
export function formatMoney(cents: number, currency: string): string {
  const decimals = decimalsOf(currency);
  return new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency: currency.toUpperCase(),
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(cents / 10 ** decimals);
}

/** What a person typed, such as `12.50`, in minor units; undefined when it is no such amount. */
export function parseMoney(typed: string, currency: string): number | undefined {
  const decimals = decimalsOf(currency);
  const match = /^(-?)(\d{1,12})(?:[.,](\d*))?$/.exec(typed.trim().replaceAll(/\s/g, ''));
  const [, sign, whole = '', fraction = ''] = match ?? [];
  if (!match || fraction.length > decimals) return undefined;
  const cents = Number(whole + fraction.padEnd(decimals, '0'));
  return sign === '-' ? -cents : cents;
}

export const formatCount = (value: number): string => new Intl.NumberFormat().format(value);

/** A share such as 0.05 as `5 %`, with at most two decimals. */
export function formatShare(share: number): string {
  return new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 2 }).format(
    share,
  );
}

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

export const formatTime = (iso: string): string => moment.format(new Date(iso));
export const formatDay = (iso: string): string => day.format(new Date(iso));

/** `needs_review` and `NEEDS_REVIEW` as `Needs review`. */
export function inWords(code: string): string {
  const words = code.replaceAll('_', ' ').replaceAll('.', ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The reader's time zone, an IANA name. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A local day as YYYY-MM-DD, some days before today. */
export function localDay(daysAgo = 0): string {
  const date = new Date();
  date.setDate(date.getDate() - daysAgo);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
