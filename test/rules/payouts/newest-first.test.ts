import fc from 'fast-check';
import { isNewestFirst } from '../../../entities/rules/payouts/newest-first';

const rowsAt = (...days: string[]) => days.map((at) => ({ at }));

describe('the newest stands first', () => {
  it.each<[string, string[]]>([
    ['when the days fall', ['2026-03-02', '2026-03-01']],
    ['when the times of one day fall', ['2026-03-01 10:00:01', '2026-03-01 10:00:00']],
    ['by hours of one digit as well', ['3/1/2026 10:00:00', '3/1/2026 9:00:00']],
    ['when the years fall, whatever the days do', ['1/1/2026', '12/31/2025']],
    ['when the years fall, the year first', ['2026-01-01', '2025-12-31']],
    ['within a month, the day first', ['20.3.2026', '10.3.2026', '9.3.2026']],
    ['within a month, the month first', ['3/20/2026', '3/10/2026', '3/9/2026']],
    ['where only one day says which number is the month', ['6/12/2026', '5/13/2026']],
    ['with something before them that is no day', ['yesterday', '2026-03-02', '2026-03-01']],
    ['with the month first', ['12/31/2025', '11/30/2025', '2/1/2025']],
    ['with the day first', ['31.12.2025', '1.12.2025', '30.11.2025']],
    ['with the day first where every day may be a month', ['1/3/2026', '12/2/2026', '11/2/2026']],
    ['with the month first where every day may be one', ['3/1/2026', '2/12/2026', '2/11/2026']],
    ['by more falls than rises', ['2026-03-03', '2026-03-02', '2026-03-04', '2026-03-01']],
    ['by days, with rows of the same day between', ['2026-03-02', '2026-03-02', '2026-03-01']],
  ])('is seen %s', (_case, days) => {
    expect(isNewestFirst(rowsAt(...days))).toBe(true);
    expect(isNewestFirst(rowsAt(...days.toReversed()))).toBe(false);
  });
});

it.each<[string, string[]]>([
  ['there is none', []],
  ['there is one', ['2026-03-01']],
  ['all are the same', ['2026-03-01', '2026-03-01']],
  ['they rise as often as they fall', ['2026-03-01', '2026-03-02', '2026-03-01']],
  ['so they do, to end later than they began', ['2026-03-01', '2026-03-03', '2026-03-02']],
  ['none of them is one', ['yesterday', 'today', 'then']],
])('the oldest stands first where days do not tell: %s', (_case, days) => {
  expect(isNewestFirst(rowsAt(...days))).toBe(false);
});

it('passes over rows without a day', () => {
  const empty = [{ at: '' }, { line: 3 }];
  const rows = [...empty, { at: '2026-03-02' }, ...empty, { at: '2026-03-01' }, ...empty];
  expect(isNewestFirst(rows)).toBe(true);
  expect(isNewestFirst(rows.toReversed())).toBe(false);
});

it('reads days in the way that suits all of them', () => {
  // Month first, they fall; day first, the 13 would be a month.
  expect(isNewestFirst(rowsAt('5/13/2026', '4/1/2026', '3/12/2026'))).toBe(true);
  expect(isNewestFirst(rowsAt('3/12/2026', '4/1/2026', '5/13/2026'))).toBe(false);
  expect(isNewestFirst(rowsAt('1/12/2026', '2/11/2026', '3/10/2026', '13/9/2026'))).toBe(true);
});

it('tells a report of either way, however its days are written and wherever it begins', () => {
  const two = (part: number) => String(part).padStart(2, '0');
  const writings: ((day: Date) => string)[] = [
    (day) => day.toISOString().slice(0, 10),
    (day) => `${day.getUTCMonth() + 1}/${day.getUTCDate()}/${day.getUTCFullYear()}`,
    (day) => `${day.getUTCDate()}.${two(day.getUTCMonth() + 1)}.${day.getUTCFullYear()}`,
  ];
  fc.assert(
    fc.property(fc.constantFrom(...writings), fc.nat(700), (write, begin) => {
      const dayAfter = (days: number) => new Date(Date.UTC(2025, 0, 1 + begin + days));
      const days = Array.from({ length: 60 }, (_, at) => write(dayAfter(at)));
      expect(isNewestFirst(rowsAt(...days))).toBe(false);
      expect(isNewestFirst(rowsAt(...days.toReversed()))).toBe(true);
    }),
  );
});

describe('of a long report', () => {
  const on = (day: number, count: number) =>
    Array.from({ length: count }, () => ({ at: `2026-03-0${day}` }));

  it('the first and last 500 rows are read, and none between', () => {
    expect(isNewestFirst([...on(2, 1), ...on(1, 1_100)])).toBe(true);
    expect(isNewestFirst([...on(2, 1_100), ...on(1, 1)])).toBe(true);
    const [first, last] = [on(5, 500), on(4, 500)];
    expect(isNewestFirst([...first, ...on(6, 1), ...on(3, 1), ...last])).toBe(true);
    expect(isNewestFirst([...first.slice(1), ...on(6, 1), ...on(3, 1), ...last.slice(1)])).toBe(
      false,
    );
  });
});
