import { localDay, moveDay } from '../../ui/format';
import { overview as overviewWords } from '../../text/en/app/overview';

const words = overviewWords.ranges;

/** The time that an overview is of, as the address has it: days back, or names of months. */
export const ranges = ['7', '30', '90', '365', 'month', 'before', 'custom'] as const;
export type Range = (typeof ranges)[number];

export const rangeOptions = ranges.map((one) => [one, words[one]] as const);

interface Span {
  /** YYYY-MM-DD, both inclusive, of the reader's clock. */
  from: string;
  to: string;
}

/** The API takes a year at most. */
const mostDays = 366;

/** First and last day; an end that was forgotten is today, and what is too long is cut at its beginning. */
export function spanOf(range: string, chosen: Partial<Span>): Span {
  const today = localDay();
  if (range === 'month') return { from: `${today.slice(0, 8)}01`, to: today };
  if (range === 'before') {
    const to = moveDay(`${today.slice(0, 8)}01`, -1);
    return { from: `${to.slice(0, 8)}01`, to };
  }
  if (range === 'custom') {
    const to = chosen.to ?? today;
    const from = chosen.from ?? moveDay(to, -29);
    const least = moveDay(to, 1 - mostDays);
    return { from: from > to ? to : from < least ? least : from, to };
  }
  const days = Number(range);
  return { from: localDay((Number.isInteger(days) && days > 0 ? days : 30) - 1), to: today };
}
