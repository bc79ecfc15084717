import { dayMs } from './duration';

const instant =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)$/i;
const day = /^(\d{4})-(\d{2})-(\d{2})$/;

/**
 * True for a real date and time with an offset: 2026-02-30 is none. Its year is 1 to 9999 in UTC too:
 * other years have another ISO form, which neither our answers nor Postgres know.
 */
export function isInstant(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  const match = instant.exec(value);
  if (!match) return false;
  return isCalendarDay(match) && isClockTime(match) && isYear(new Date(value).getUTCFullYear());
}

/** True for `YYYY-MM-DD` of a day that exists. */
export function isDay(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  const match = day.exec(value);
  return match !== null && isCalendarDay(match);
}

export function isDateOrInstant(value: unknown): value is string {
  return isDay(value) || isInstant(value);
}

function isCalendarDay(match: RegExpExecArray): boolean {
  const [year, month, date] = [match[1], match[2], match[3]].map(Number) as [
    number,
    number,
    number,
  ];
  const real = new Date(Date.UTC(year, month - 1, date));
  return isYear(year) && real.getUTCMonth() === month - 1 && real.getUTCDate() === date;
}

/** Date refuses every other time that there is not, and leaves no year of it. */
function isClockTime(match: RegExpExecArray): boolean {
  return Number(match[4]) <= 23;
}

function isYear(year: number): boolean {
  return year >= 1 && year <= 9999;
}

/** Half-open range of a dateFrom/dateTo filter: whole days are both inclusive, instants [from, to). */
export function dateRange(range: { dateFrom?: string | undefined; dateTo?: string | undefined }): {
  from: Date | null;
  to: Date | null;
} {
  const { dateFrom, dateTo } = range;
  return {
    from: dateFrom === undefined ? null : new Date(dateFrom),
    to:
      dateTo === undefined
        ? null
        : isDay(dateTo)
          ? new Date(Date.parse(dateTo) + dayMs)
          : new Date(dateTo),
  };
}

/** Seconds from one moment to another, with milliseconds as decimals. */
export function secondsBetween(from: Date, to: Date): number {
  return (to.getTime() - from.getTime()) / 1_000;
}

/**
 * The same day and time so many months later in UTC; the month's last day where it has no such day.
 */
export function monthsLater(from: Date, months: number): Date {
  const later = new Date(from);
  later.setUTCMonth(from.getUTCMonth() + months);
  // Where the day is missing it runs over into the next month: day 0 leads back to the last one.
  if (later.getUTCDate() !== from.getUTCDate()) later.setUTCDate(0);
  return later;
}
