import {
  amountAt,
  currencyOf,
  digitsAt,
  idAt,
  instantAt,
  integerAt,
  isCurrencyCode,
  listAt,
  preciseTimeAt,
  shortTextAt,
  textAt,
  timeAt,
  withinDepth,
} from '../../../entities/rules/billing/json';

it.each<[unknown, string | null]>([
  ['2026-01-31T09:30:00.123456Z', '2026-01-31T09:30:00.123Z'],
  ['2026-01-31T09:30:00+02:00', '2026-01-31T07:30:00.000Z'],
  ['2026-01-31', null],
  ['2026-13-31T09:30:00Z', null],
  ['0000-01-01T00:00:00Z', null],
  ['9999-12-31T23:30:00-01:00', null],
  [1_700_000_000, null],
])('a time of Paddle or Polar: %j is %j', (value, expected) => {
  expect(timeAt({ value }, 'value')).toBe(expected);
});

describe('what Stripe sends, read without trust', () => {
  it.each<[unknown, string | null]>([
    ['  text ', 'text'],
    ['   ', null],
    ['', null],
    [7, null],
    [undefined, null],
    ['x'.repeat(1_001), 'x'.repeat(1_000)],
    ['a\u0000b\ud800', 'ab\ufffd'],
  ])('a text: %j is %j', (value, expected) => {
    expect(textAt({ value }, 'value')).toBe(expected);
  });

  it.each<[unknown, number | null]>([
    [0, 0],
    [-7, -7],
    [1_000_000_000_000, 1_000_000_000_000],
    [-1_000_000_000_001, null],
    [1_000_000_000_001, null],
    [1.5, null],
    ['1', null],
    [null, null],
  ])('an amount: %j is %j', (value, expected) => {
    expect(integerAt({ value }, 'value')).toBe(expected);
    expect(amountAt({ value }, 'value')).toBe(expected ?? 0);
  });

  it.each<[unknown, string]>([
    ['EUR', 'eur'],
    [undefined, ''],
  ])('a currency: %j is %j', (currency, expected) => {
    expect(currencyOf({ currency })).toBe(expected);
  });

  it.each<[unknown, string | null]>([
    ['ch_1', 'ch_1'],
    [{ id: 'ch_1', object: 'charge' }, 'ch_1'],
    [{ object: 'charge' }, null],
    ['x'.repeat(255), 'x'.repeat(255)],
    ['x'.repeat(256), null],
    [['ch_1'], null],
  ])('a reference: %j is %j', (value, expected) => {
    expect(idAt({ value }, 'value')).toBe(expected);
  });

  it.each<[unknown, unknown[]]>([
    [
      [1, 2],
      [1, 2],
    ],
    [{ object: 'list', data: [1] }, [1]],
    [{ data: 'none' }, []],
    ['none', []],
    [Array(101).fill(1), Array(100).fill(1)],
  ])('a list: %j is %j', (value, expected) => {
    expect(listAt({ value }, 'value')).toEqual(expected);
  });

  it.each<[unknown, string | null]>([
    [0, '1970-01-01T00:00:00.000Z'],
    [1, '1970-01-01T00:00:01.000Z'],
    [-1, null],
    [253_402_300_799, '9999-12-31T23:59:59.000Z'],
    [253_402_300_800, null],
    ['1', null],
  ])('a time: %j is %j', (value, expected) => {
    expect(instantAt({ value }, 'value')).toBe(expected);
  });

  it.each<[unknown, number | null]>([
    ['0', 0],
    ['-7', -7],
    ['1000000000000', 1_000_000_000_000],
    ['1000000000001', null],
    ['1234567890123456', null],
    ['1.5', null],
    ['', null],
    [12, 12],
    [1.5, null],
    [null, null],
  ])('digits: %j are %j', (value, expected) => {
    expect(digitsAt({ value }, 'value')).toBe(expected);
  });

  it.each<[unknown, string | null, string | null]>([
    ['2026-01-31T10:00:00Z', '2026-01-31T10:00:00.000Z', '2026-01-31T10:00:00.000000Z'],
    ['2026-01-31T11:00:00.123456+01:00', '2026-01-31T10:00:00.123Z', '2026-01-31T10:00:00.123456Z'],
    ['2026-01-31T10:00:00.1234567Z', '2026-01-31T10:00:00.123Z', '2026-01-31T10:00:00.123456Z'],
    ['2026-01-31T10:00:00.12345Z', '2026-01-31T10:00:00.123Z', '2026-01-31T10:00:00.123450Z'],
    ['2026-01-31', null, null],
    ['2026-13-31T10:00:00Z', null, null],
    ['tomorrow', null, null],
    [7, null, null],
  ])('an instant: %j is %j, exactly %j', (value, at, precise) => {
    expect([timeAt({ value }, 'value'), preciseTimeAt({ value }, 'value')]).toEqual([at, precise]);
  });

  it.each<[unknown, string | null]>([
    ['order.paid', 'order.paid'],
    ['x'.repeat(255), 'x'.repeat(255)],
    ['x'.repeat(256), null],
    ['a\u0000', null],
    ['', null],
    [7, null],
  ])('a short text: %j is %j', (value, expected) => {
    expect(shortTextAt({ value }, 'value')).toBe(expected);
  });
});

describe('JSON that is nested deeper than any biller', () => {
  const nested = (depth: number): unknown =>
    JSON.parse('[{"a":'.repeat(depth) + '1' + '}]'.repeat(depth));
  it('is cut where nothing of ours can be, and all else is itself', () => {
    const usual = { data: nested(20) };
    expect(withinDepth(usual)).toBe(usual);
    const cut = withinDepth({ id: 'x', data: nested(20_000) });
    expect(cut).toMatchObject({ id: 'x', data: [{ a: [{ a: [{}] }] }] });
    expect(JSON.stringify(cut).length).toBeLessThan(1_000);
  });
});

it.each([
  ['eur', true],
  ['', false],
  ['euro', false],
  ['EUR', false],
  ['e\u0000r', false],
])('%j is the form of a currency: %s', (text, expected) => {
  expect(isCurrencyCode(text)).toBe(expected);
});

it('a text is cut at no half of a character', () => {
  expect(textAt({ value: 'x'.repeat(999) + '\u{1f600}' }, 'value')).toBe('x'.repeat(999));
});
