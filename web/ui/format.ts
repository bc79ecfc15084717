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

/** An amount as a person would type it, which `parseMoney` reads back: `12.50`, `1250`, `1.250`. */
export function typedMoney(cents: number, currency: string): string {
  const decimals = decimalsOf(currency);
  return (cents / 10 ** decimals).toFixed(decimals);
}

/** Basis points as a person would type a percentage: 1250 is `12.5`. */
export const typedPercent = (bps: number): string => String(bps / 100);

/** A percentage such as `12.5` or `20 %` in basis points; undefined when it is none. */
export function parsePercent(typed: string): number | undefined {
  // Hundredths of a percent are basis points, as cents are hundredths of a dollar.
  return parseMoney(typed.replace('%', ''), 'usd');
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

export interface Month {
  year: number;
  /** From 1. */
  month: number;
}

const monthOfYear = new Intl.DateTimeFormat(undefined, {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});
export const formatMonth = ({ year, month }: Month): string =>
  monthOfYear.format(Date.UTC(year, month - 1));

/** `needs_review` and `NEEDS_REVIEW` as `Needs review`. */
export function inWords(code: string): string {
  const words = code.replaceAll('_', ' ').replaceAll('.', ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Codes as a list to choose from, in these words or else their own. */
export const optionsOf = <T extends string>(
  codes: readonly T[],
  words?: Readonly<Record<T, string>>,
): [T, string][] => codes.map((one) => [one, words?.[one] ?? inWords(one)]);

/** The reader's time zone, an IANA name. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A local day as YYYY-MM-DD, some days before today. */
export function localDay(daysAgo = 0): string {
  const date = new Date();
  date.setDate(date.getDate() - daysAgo);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
