import type { TheirTerms } from './report';

/** How far a source by API is read: everything before is kept. */
export interface SourcePlace {
  /** Which of the source's lists, from 0. */
  list: number;
  /** The source's own word for the next page; null for the first. */
  cursor: string | null;
  /**
   * 2: the list is read once more, as the first reading gave less than the source tells, or as something went
   * meanwhile: what stood behind it has moved to a page that was read.
   */
  pass: 1 | 2;
  /** How many there were by the page before; null where nobody tells. */
  told?: number | null;
  /** There were fewer by one page than by the one before. */
  hasShrunk?: boolean;
  pages: number;
  /** Rows read of this list, each once. */
  read: number;
  /** Ids of the page before, by a hash. */
  last: string | null;
  wait: SourceWait | null;
  terms: TheirTerms[] | null;
}

/** The time in which a page is waited for. ISO instants. */
export interface SourceWait {
  since: string;
  until: string;
  tries: number;
}

export const firstSourcePlace: SourcePlace = {
  list: 0,
  cursor: null,
  pass: 1,
  told: null,
  hasShrunk: false,
  pages: 0,
  read: 0,
  last: null,
  wait: null,
  terms: null,
};

/** What a page has brought. */
export interface PageCame {
  /** How many of it were not read before. */
  fresh: number;
  objects: number;
  next: string | null;
  /** How many the source says that there are; null where it does not say. */
  total: number | null;
  hash: string;
}

/** A page of a list is asked for by a new word each time; more than these are a circle. */
const mostPages = 100_000;

/** Where reading goes on, or why the list cannot be. */
export function afterPage(place: SourcePlace, came: PageCame): SourcePlace | { failure: string } {
  const now: SourcePlace = {
    ...place,
    told: came.total,
    hasShrunk: place.hasShrunk === true || isLess(came.total, place.told ?? null),
    pages: place.pages + 1,
    read: place.read + came.fresh,
    wait: null,
  };
  if (came.next === null) return afterLastPage(now);
  const isNew = came.fresh > 0 || place.pass === 2;
  if (came.hash === place.last || !isNew || came.objects === 0 || now.pages > mostPages) {
    return { failure: 'a page of it brings nothing new, and more are said to follow' };
  }
  return { ...now, cursor: came.next, last: came.hash };
}

/** The list after, the same once more, or why not. */
function afterLastPage(now: SourcePlace): SourcePlace | { failure: string } {
  const { told = null, read, pass, list } = now;
  const again = { ...now, cursor: null, told: null, hasShrunk: false, last: null };
  const isWhole = told === null || read >= told;
  if (isWhole && (pass === 2 || now.hasShrunk !== true)) {
    return { ...again, list: list + 1, pass: 1, pages: 0, read: 0 };
  }
  if (pass === 1) return { ...again, pass: 2 };
  return { failure: `it tells of ${told} and gives ${read}, twice` };
}

function isLess(now: number | null, before: number | null): boolean {
  return now !== null && before !== null && now < before;
}

const longestWaitMs = 30 * 60_000;
const second = 1_000;

/** How long to leave a source alone; undefined once a page was waited for long enough. */
export function waitFor(
  before: SourceWait | null,
  told: { retryAfter?: string | undefined; rateReset?: string | undefined },
  now: Date,
): SourceWait | undefined {
  const tries = (before?.tries ?? 0) + 1;
  const since = before?.since ?? now.toISOString();
  const ms = toldMs(told.retryAfter, now) ?? toldMs(told.rateReset, now) ?? risingMs(tries);
  const until = now.getTime() + Math.max(second, ms);
  if (until > Date.parse(since) + longestWaitMs) return undefined;
  return { since, until: new Date(until).toISOString(), tries };
}

function risingMs(tries: number): number {
  return Math.min(60, 2 ** Math.min(tries - 1, 6)) * second;
}

/** Larger numbers of seconds are no wait, but a moment. */
const secondsOfMoments = 10 ** 9;

/** Seconds, seconds since 1970, or a date. */
function toldMs(text: string | undefined, now: Date): number | undefined {
  if (text === undefined) return undefined;
  const trimmed = text.trim();
  if (/^\d{1,12}(\.\d{1,6})?$/.test(trimmed)) {
    const seconds = Number(trimmed);
    return seconds < secondsOfMoments ? seconds * second : seconds * second - now.getTime();
  }
  const at = Date.parse(trimmed);
  return Number.isNaN(at) ? undefined : at - now.getTime();
}
