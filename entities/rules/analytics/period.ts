import type { FieldProblem } from '../values/field-problem';
import { startsOfDays } from './zone';

export const longestPeriodDays = 366;
const dayMs = 86_400_000;

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

/** Consecutive half-open spans of time: the end of one is the start of the next. */
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
  const [since, before] = startsOfDays(tz, [first, end]);
  if (!since || !before) throw new Error('two days have two starts');
  return { since, before };
}

export type Granularity = 'day' | 'week';

export interface Buckets {
  /** Local dates by which the buckets are called. */
  labels: string[];
  /** Where each bucket begins, and at last where the period ends. */
  bounds: Date[];
}

/** Days, or weeks by their Mondays, of which only the days of the period are counted. */
export function bucketsOf({ from, to, tz }: Period, granularity: Granularity): Buckets {
  const [first, end] = [dayOf(from), dayOf(to) + 1];
  const step = granularity === 'day' ? 1 : 7;
  const starts: number[] = [];
  for (let day = granularity === 'day' ? first : mondayOf(first); day < end; day += step) {
    starts.push(day);
  }
  const bounds = [...starts.map((day) => Math.max(day, first)), end];
  return { labels: starts.map(dateOf), bounds: startsOfDays(tz, bounds) };
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
