import {
  dateRange,
  isDateOrInstant,
  isDay,
  isInstant,
  secondsBetween,
} from '../../../entities/rules/values/instant';

describe('an instant', () => {
  it.each([
    ['2026-01-31T09:30:00.000Z', true],
    ['2026-01-31T09:30Z', true],
    ['2026-01-31t09:30:00z', true],
    ['2026-01-31T09:30:00.123456789+05:45', true],
    ['2026-01-31T09:30:00-0330', true],
    ['2026-12-31T23:59:59Z', true],
    ['2024-02-29T00:00:00Z', true],
    ['2026-01-31T24:00:00Z', false],
    ['2026-01-31T23:60:00Z', false],
    ['2026-01-31T23:59:60Z', false],
    ['2026-01-31T99:99:99Z', false],
    ['2026-02-29T00:00:00Z', false],
    ['2026-00-10T00:00:00Z', false],
    ['2026-13-10T00:00:00Z', false],
    ['2026-01-00T00:00:00Z', false],
    ['2026-01-31T09:30:00', false],
    ['2026-01-31', false],
    ['2026-01-31T09:30:00+24:00', false],
    ['2026-01-31T09:30:00.1234567890Z', false],
    ['yesterday', false],
    ['', false],
    // The year is 1 to 9999 in UTC, too.
    ['0001-06-01T00:00:00Z', true],
    ['0000-06-01T00:00:00Z', false],
    ['0001-01-01T00:00:00+01:00', false],
    ['9999-12-31T23:59:59Z', true],
    ['9999-12-31T23:59:59-01:00', false],
    [1_767_225_600_000, false],
    [['2026-01-31T09:30:00Z'], false],
    [null, false],
  ])('%p is read as an instant: %p', (value, expected) => {
    expect(isInstant(value)).toBe(expected);
  });
});

describe('a day', () => {
  it.each([
    ['2026-01-31', true],
    ['2024-02-29', true],
    ['2026-02-29', false],
    ['2026-04-31', false],
    ['2026-1-31', false],
    ['2026-01-31T09:30:00Z', false],
    ['02026-01-31', false],
    ['2026-13-10', false],
    ['0000-06-01', false],
    [20_260_131, false],
    [['2026-01-31'], false],
    [undefined, false],
  ])('%p is read as a day: %p', (value, expected) => {
    expect(isDay(value)).toBe(expected);
  });

  it('or an instant', () => {
    const all = ['2026-01-31', '2026-01-31T09:30:00Z', '2026-01-32', 'soon'];
    expect(all.map(isDateOrInstant)).toEqual([true, true, false, false]);
  });
});

describe('a range of times', () => {
  const date = (text: string) => new Date(text);
  const [instant, later] = ['2026-01-10T09:30:00.000Z', '2026-01-12T09:30:00.000Z'];

  it.each([
    [{}, null, null],
    [{ dateFrom: '2026-01-10' }, date('2026-01-10T00:00:00.000Z'), null],
    // A last day is whole, an instant is no longer inside.
    [{ dateTo: '2026-01-31' }, null, date('2026-02-01T00:00:00.000Z')],
    [{ dateFrom: instant, dateTo: later }, date(instant), date(later)],
  ])('has a whole last day: %j', (range, from, to) => {
    expect(dateRange(range)).toEqual({ from, to });
  });

  it('is so many seconds long, with milliseconds', () => {
    expect(secondsBetween(date(instant), date('2026-01-10T09:31:01.500Z'))).toBe(61.5);
    expect(secondsBetween(date(later), date(instant))).toBe(-172_800);
  });
});
