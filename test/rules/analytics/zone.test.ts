import { conversionRate, changeOf } from '../../../entities/rules/analytics/figures';
import {
  bucketsOf,
  periodProblem,
  previousSpan,
  spanOf,
} from '../../../entities/rules/analytics/period';
import { isZone, startsOfDays } from '../../../entities/rules/analytics/zone';

const day = (date: string): number => Date.parse(date) / 86_400_000;
const start = (tz: string, date: string): string | undefined =>
  startsOfDays(tz, [day(date)])[0]?.toISOString();

describe('a local day', () => {
  it.each([
    ['UTC', '2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['Asia/Kathmandu', '2026-01-31', '2026-01-30T18:15:00.000Z'],
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z'],
    ['America/New_York', '2026-03-09', '2026-03-09T04:00:00.000Z'],
    ['Australia/Lord_Howe', '2026-04-06', '2026-04-05T13:30:00.000Z'],
    // Midnight does not exist: the clock goes from 24:00 to 01:00.
    ['Africa/Cairo', '2025-04-25', '2025-04-24T22:00:00.000Z'],
    // Midnight comes twice: the day begins with the first.
    ['America/Havana', '2025-11-02', '2025-11-02T04:00:00.000Z'],
    // At midnight the clock goes back an hour, and the evening before has one hour more.
    ['America/Sao_Paulo', '2018-02-18', '2018-02-18T03:00:00.000Z'],
    // A day that was left out begins where the next one does.
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'],
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z'],
    // No row is older or younger.
    ['UTC', '0001-01-01', '0001-01-03T00:00:00.000Z'],
    ['UTC', '9999-12-31', '9999-12-29T00:00:00.000Z'],
    ['Asia/Kathmandu', '0001-01-03', '0001-01-02T18:18:44.000Z'],
    ['Asia/Kathmandu', '9999-12-29', '9999-12-28T18:15:00.000Z'],
    ['Africa/Monrovia', '1960-01-01', '1960-01-01T00:44:30.000Z'],
  ])('of %s, %s, begins at %s', (tz, date, expected) => {
    expect(start(tz, date)).toBe(expected);
  });
});

it.each([
  ['Europe/Berlin', true],
  ['Asia/Calcutta', true],
  ['america/argentina/buenos_aires', true],
  ['Etc/GMT-14', true],
  ['UTC', true],
  ['CET', true],
  ['PST', false],
  ['+00:00', false],
  ['UTC+0', false],
  ['Europe', false],
  ['Europe/Berlin ', false],
  ['SystemV/PST8', false],
  ['', false],
  [undefined, false],
  ['A/'.repeat(200), false],
])('zone %s: %s', (name, expected) => {
  expect(isZone(name)).toBe(expected);
});

describe('a period', () => {
  const tz = 'Europe/Berlin';
  it.each([
    [{ from: '2026-01-01', to: '2026-01-01', tz }, undefined],
    [{ from: '2026-01-01', to: '2027-01-01', tz }, undefined],
    [{ from: '2026-01-01', to: '2027-01-02', tz }, 'to'],
    [{ from: '2026-01-02', to: '2026-01-01', tz }, 'from'],
  ])('%p has a problem with %s', (period, field) => {
    expect(periodProblem(period)?.field).toBe(field);
  });

  it('follows the same number of local days, however long they are', () => {
    const march = { from: '2026-03-29', to: '2026-03-30', tz };
    expect(previousSpan(march)).toEqual({
      since: new Date('2026-03-26T23:00:00Z'),
      before: new Date('2026-03-28T23:00:00Z'),
    });
    expect(spanOf(march).before).toEqual(new Date('2026-03-30T22:00:00Z'));
  });

  it('has a bucket each day', () => {
    const { labels, spans } = bucketsOf({ from: '2026-03-28', to: '2026-03-30', tz }, 'day');
    expect(labels).toEqual(['2026-03-28', '2026-03-29', '2026-03-30']);
    expect(spans.map(({ since }) => since.toISOString())).toEqual([
      '2026-03-27T23:00:00.000Z',
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ]);
    expect(spans.at(-1)?.before.toISOString()).toBe('2026-03-30T22:00:00.000Z');
  });

  it('ends with a week that ends with it', () => {
    const { labels } = bucketsOf({ from: '2026-01-01', to: '2026-01-04', tz: 'UTC' }, 'week');
    expect(labels).toEqual(['2025-12-29']);
  });

  it('cuts its first and last week', () => {
    const { labels, spans } = bucketsOf(
      { from: '2026-01-01', to: '2026-01-06', tz: 'UTC' },
      'week',
    );
    expect(labels).toEqual(['2025-12-29', '2026-01-05']);
    const day = (at: Date): string => at.toISOString().slice(0, 10);
    expect(spans.map(({ since, before }) => [day(since), day(before)])).toEqual([
      ['2026-01-01', '2026-01-05'],
      ['2026-01-05', '2026-01-07'],
    ]);
  });
});

it.each([
  [1, 0, 3, 0.3333],
  [2, 0, 3, 0.6667],
  [3, 1, 3, 0.6667],
  [4, 4, 3, 0],
  [0, 0, 9, 0],
  [5, 0, 0, 0],
  [7, 0, 2, 3.5],
])(
  '%i conversions, %i of them renewals, of %i clicks: %f',
  (conversions, renewals, clicks, rate) => {
    expect(conversionRate({ conversions, renewals, clicks })).toBe(rate);
  },
);

it.each([
  [3, 2, 0.5],
  [1, 3, -0.6667],
  [5, 0, null],
  [0, 4, -1],
  [4, 4, 0],
])('a figure that goes from %i to %i has changed by %f', (current, previous, change) => {
  expect(changeOf(current, previous)).toBe(change);
});
