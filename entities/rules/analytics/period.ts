import type { FieldProblem } from '../values/field-problem';
import { startsOfDays } from './zone';
import { dayMs } from '../values/duration';

const longestPeriodDays = 366;

/** Whole local days, both inclusive, as `YYYY-MM-DD`. */
export interface Period {
  from: string;
  to: string;
  tz: string;
}

/** What is wrong with a period whose fields are right one by one. */
export function periodProblem({ from, to }: Period): FieldProblem | undefined {
  const days = dayOf(to) - dayOf(from) + 1;
  if (days < 1) return { field: 'from', message: 'must not be after to' };
  if (days > longestPeriodDays) {
    return { field: 'to', message: `must be at most ${longestPeriodDays} days after from` };
  }
  return undefined;
}

/** A half-open span of time. */
export interface Span {
  since: Date;
  before: Date;
}

export function spanOf({ from, to, tz }: Period): Span {
  return between(tz, dayOf(from), dayOf(to) + 1);
}

/** The same number of local days just before. */
export function previousSpan({ from, to, tz }: Period): Span {
  const first = dayOf(from);
  return between(tz, first - (dayOf(to) + 1 - first), first);
}

function between(tz: string, first: number, end: number): Span {
  const [since, before] = startsOfDays(tz, [first, end]) as [Date, Date];
  return { since, before };
}

export type Granularity = 'day' | 'week';

export interface Buckets {
  /** Local dates by which the buckets are called. */
  labels: string[];
  /** One after the other, without a gap. */
  spans: Span[];
}

/** Days, or weeks by their Mondays, of which only the days of the period are counted. */
export function bucketsOf({ from, to, tz }: Period, granularity: Granularity): Buckets {
  const [first, end] = [dayOf(from), dayOf(to) + 1];
  const step = granularity === 'day' ? 1 : 7;
  const days: number[] = [];
  for (let day = granularity === 'day' ? first : mondayOf(first); day < end; day += step) {
    days.push(day);
  }
  const starts = startsOfDays(tz, [...days.map((day) => Math.max(day, first)), end]);
  const spans = starts.slice(1).map((before, index) => ({ since: starts[index] as Date, before }));
  return { labels: days.map(dateOf), spans };
}

/** Days since 1970-01-01. */
function dayOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / dayMs;
}

/** 1970-01-01 was a Thursday. */
function mondayOf(day: number): number {
  return day - ((((day + 3) % 7) + 7) % 7);
}

/** The Monday of the first week of the year 1 lies in the year 0, which has its own ISO form. */
function dateOf(day: number): string {
  const text = new Date(day * dayMs).toISOString();
  return text.slice(0, text.indexOf('T'));
}
