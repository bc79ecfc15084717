import { decimalsOf } from '../../entities/rules/values/currency';
import { codes } from '../text/en/codes';

/** An amount in minor units, in words of the reader's language: ISO 4217 says how many decimals. */
export const formatMoney = (cents: number, currency: string): string =>
  formatOf(currency).format(cents / 10 ** decimalsOf(currency));

/** The same in parts, of which one is the currency. */
export const moneyParts = (cents: number, currency: string): Intl.NumberFormatPart[] =>
  formatOf(currency).formatToParts(cents / 10 ** decimalsOf(currency));

function formatOf(currency: string): Intl.NumberFormat {
  const decimals = decimalsOf(currency);
  return new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency: currency.toUpperCase(),
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
}

export { exampleAmount, parseMoney, parsePercent, typedMoney, typedPercent } from './typed';

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
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
/** The time of day of an instant in milliseconds. */
export const formatClock = (ms: number): string => clock.format(ms);
export const formatDay = (iso: string): string => day.format(new Date(iso));

const shortDay = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });
/** The day without the year, as axes have it. */
export const formatShortDay = (ms: number): string => shortDay.format(ms);

const compact = new Intl.NumberFormat(undefined, { notation: 'compact' });
/** `1.2K`, as axes have it. */
export const formatCompact = (value: number): string => compact.format(value);

export interface Month {
  year: number;
  /** The month, from 1. */
  month: number;
}

const monthOfYear = new Intl.DateTimeFormat(undefined, {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});
export const formatMonth = ({ year, month }: Month): string =>
  monthOfYear.format(Date.UTC(year, month - 1));

/** What the API calls otherwise than the pages do. */
const pages: Readonly<Record<string, string>> = {
  program: 'programme',
  participant: 'partner',
  conversion: 'sale',
};

/** `needs_review` and `NEEDS_REVIEW` as `Needs review`; in other words where people have others. */
export function inWords(code: string): string {
  const known = codes[code.toLowerCase()];
  if (known !== undefined) return known;
  const words = code
    .toLowerCase()
    .replaceAll(/[_.]/g, ' ')
    .replaceAll(/\b(program|participant|conversion)(?=s?\b)/g, (word) => pages[word] ?? word);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Codes as a list to choose from, in these words or else their own. */
export const optionsOf = <const T extends string>(
  codes: readonly T[],
  words?: Readonly<Record<T, string>>,
): [T, string][] => codes.map((one) => [one, words?.[one] ?? inWords(one)]);

/** The one of these that a select of a form has: it can have no other. */
export const chosenOf = <T extends string>(codes: readonly [T, ...T[]], typed?: string): T =>
  codes.find((one) => one === typed) ?? codes[0];

/** The reader's time zone, an IANA name. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A local day as YYYY-MM-DD, some days before today. */
export function localDay(daysAgo = 0): string {
  const date = new Date();
  date.setDate(date.getDate() - daysAgo);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Another day, so many days later, as YYYY-MM-DD. */
export const moveDay = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

/** When a local day YYYY-MM-DD begins, some days later; undefined for no day. */
export function startOfDay(day: string | undefined, daysLater = 0): string | undefined {
  const [year, month, date] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(day ?? '') ?? [])
    .slice(1)
    .map(Number);
  if (year === undefined || month === undefined || date === undefined) return undefined;
  return new Date(year, month - 1, date + daysLater).toISOString();
}
