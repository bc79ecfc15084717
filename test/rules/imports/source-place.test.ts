import { firstPlace } from '../../../entities/rules/imports/place';
import {
  afterPage,
  firstSourcePlace,
  waitFor,
  type PageCame,
  type SourcePlace,
} from '../../../entities/rules/imports/source-place';

const place: SourcePlace = {
  ...firstSourcePlace,
  ...{ list: 1, cursor: 'p3', pages: 2, read: 20, last: 'before' },
  wait: { since: 'then', until: 'now', tries: 1 },
};
const came: PageCame = { fresh: 10, objects: 10, next: 'p4', total: null, hash: 'this' };
const last: PageCame = { ...came, next: null };
const circle = 'a page of it brings nothing new, and more are said to follow';

it('begins with the first page of the first list', () => {
  const nothing = { cursor: null, last: null, wait: null, terms: null };
  const whole = { told: null, hasShrunk: false };
  expect(firstSourcePlace).toEqual({ list: 0, pass: 1, pages: 0, read: 0, ...nothing, ...whole });
  expect(firstPlace).toEqual({ step: 0, kind: null, part: 0, chunk: 0, after: 0, cursor: null });
});

describe('after a page', () => {
  it.each<[string, Partial<SourcePlace>, PageCame, Partial<SourcePlace>]>([
    [
      'the next one follows',
      {},
      came,
      { cursor: 'p4', pages: 3, read: 30, last: 'this', wait: null },
    ],
    [
      'the next one follows though it brought nothing new, when the list is read once more',
      { pass: 2 },
      { ...came, fresh: 0 },
      { cursor: 'p4', pages: 3, read: 20, last: 'this', wait: null },
    ],
    [
      'the next one follows as far as a hundred thousand',
      { pages: 99_999 },
      came,
      { cursor: 'p4', pages: 100_000, read: 30, last: 'this', wait: null },
    ],
    ['the next list follows when nobody tells how many there are', {}, last, nextList()],
    ['the next list follows when as many came as are told', {}, { ...last, total: 30 }, nextList()],
    ['the next list follows when more came', {}, { ...last, total: 29 }, nextList()],
    [
      'the list is read once more when fewer came',
      {},
      { ...last, total: 31 },
      { cursor: null, last: null, wait: null, pass: 2, pages: 3, read: 30 },
    ],
    [
      'the next list follows when the second reading brought the rest',
      { pass: 2 },
      { ...last, total: 30 },
      nextList(),
    ],
    [
      'the list is read once more when there were fewer by its last page than before',
      { told: 31 },
      { ...last, total: 30 },
      { cursor: null, last: null, wait: null, pass: 2, pages: 3, read: 30 },
    ],
    [
      'the list is read once more when there were fewer by a page before',
      { hasShrunk: true },
      { ...last, total: 30 },
      { cursor: null, last: null, wait: null, pass: 2, pages: 3, read: 30 },
    ],
    [
      'that there were fewer is kept with the next page',
      { told: 31 },
      { ...came, total: 30 },
      { cursor: 'p4', pages: 3, read: 30, last: 'this', wait: null, told: 30, hasShrunk: true },
    ],
    ['the second reading is the last', { pass: 2, told: 31 }, { ...last, total: 30 }, nextList()],
    ['an empty list ends it', { read: 0 }, { ...last, fresh: 0, objects: 0 }, nextList()],
  ])('the next place follows: %s', (_rule, fields, page, changed) => {
    const before = { ...place, ...fields };
    const told = page.next === null ? null : page.total;
    expect(afterPage(before, page)).toEqual({ ...before, told, hasShrunk: false, ...changed });
  });

  it.each<[string, Partial<SourcePlace>, Partial<PageCame>, string]>([
    ['the one before came again', {}, { hash: 'before' }, circle],
    ['it brought nothing new', {}, { fresh: 0 }, circle],
    ['it was empty, and more should follow', { pass: 2 }, { fresh: 0, objects: 0 }, circle],
    ['more than a hundred thousand should follow', { pages: 100_000 }, {}, circle],
    [
      'fewer came than are told, twice',
      { pass: 2 },
      { next: null, total: 31 },
      'it tells of 31 and gives 30, twice',
    ],
  ])('the list cannot be when %s', (_rule, fields, page, failure) => {
    expect(afterPage({ ...place, ...fields }, { ...came, ...page })).toEqual({ failure });
  });
});

describe('a source that does not answer', () => {
  const now = new Date('2026-03-01T12:00:00.000Z');
  const secondsOf = (told: Parameters<typeof waitFor>[1], tries = 0) => {
    const before = tries === 0 ? null : { since: now.toISOString(), until: '', tries };
    const wait = waitFor(before, told, now);
    return wait && (Date.parse(wait.until) - now.getTime()) / 1_000;
  };

  it.each([
    [1, 1],
    [2, 2],
    [3, 4],
    [6, 32],
    [7, 60],
    [8, 60],
    [5_000, 60],
  ])('is left alone after try %s for %s seconds: they rise', (tries, seconds) => {
    expect(secondsOf({}, tries - 1)).toBe(seconds);
  });

  it.each([
    ['seconds', { retryAfter: '17' }, 17],
    ['parts of a second, never less than one', { retryAfter: '0.5' }, 1],
    ['seconds with white space around', { retryAfter: ' 2.5 ' }, 2.5],
    ['a date', { retryAfter: 'Sun, 01 Mar 2026 12:00:20 GMT' }, 20],
    ['a date with white space around', { retryAfter: ' 2026-03-01T12:00:20Z ' }, 20],
    ['a date that is over, a second', { retryAfter: 'Sun, 01 Mar 2026 11:00:00 GMT' }, 1],
    ['seconds until its limit is free', { rateReset: '9' }, 9],
    ['the moment at which its limit is free', { rateReset: '1772366430' }, 30],
    ['Retry-After before the limit', { retryAfter: '3', rateReset: '9' }, 3],
    ['the limit, where Retry-After is none', { retryAfter: 'soon', rateReset: '9' }, 9],
    ['nothing that is a time', { retryAfter: 'soon', rateReset: '' }, 1],
    ['half an hour', { retryAfter: '1800' }, 1_800],
    ['more than half an hour: it has failed', { retryAfter: '1801' }, undefined],
    ['ten years of seconds: it has failed', { retryAfter: '999999999' }, undefined],
    // 10^9 seconds since 1970 are a moment of 2001.
    ['a moment long over: a second', { rateReset: '1000000000' }, 1],
  ])('is left alone for what it tells: %s', (_case, told, seconds) => {
    expect(secondsOf(told)).toBe(seconds);
  });

  it('is waited for half an hour in all, whatever it tells of each try', () => {
    const since = new Date(now.getTime() - 29 * 60_000).toISOString();
    const before = { since, until: now.toISOString(), tries: 40 };
    const until = new Date(now.getTime() + 60_000).toISOString();
    expect(waitFor(before, { retryAfter: '60' }, now)).toEqual({ since, until, tries: 41 });
    expect(waitFor(before, { retryAfter: '61' }, now)).toBeUndefined();
  });

  it('is waited for from its first silence on', () => {
    const first = waitFor(null, {}, now);
    expect(first).toMatchObject({ since: now.toISOString(), tries: 1 });
  });
});

function nextList(): Partial<SourcePlace> {
  return { list: 2, cursor: null, pass: 1, pages: 0, read: 0, last: null, wait: null };
}
