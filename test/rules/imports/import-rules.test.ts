import { claimThatHolds, judgeRepeat } from '../../../entities/rules/imports/booking';
import {
  columnNames,
  isImportKind,
  missingColumns,
  placesOf,
} from '../../../entities/rules/imports/kinds';
import { problemOf } from '../../../entities/rules/imports/problems';
import { isExpected, sampleSize, shownId } from '../../../entities/rules/imports/report';
import {
  checkHoldsHours,
  importKeptDays,
  importMoves,
  importStatuses,
  importTriggers,
  isBusy,
  mayMove,
} from '../../../entities/rules/imports/status';
import type { ToldStatus } from '../../../entities/rules/imports/statuses';
import type { CommissionStatus } from '../../../entities/rules/commissions/status';

it('an import has these moves and no others', () => {
  const moves = importStatuses.flatMap((status) =>
    importTriggers
      .filter((trigger) => mayMove(status, trigger))
      .map((trigger) => `${status} ${trigger} ${importMoves[status][trigger]?.join()}`),
  );
  expect(moves).toEqual([
    'draft edit draft',
    'draft read reading',
    'draft cancel cancelled',
    'reading check checked',
    'reading fail failed',
    'reading cancel cancelled',
    'checked edit draft',
    'checked read reading',
    'checked cancel cancelled',
    'checked apply applying',
    'applying book applied',
    'applying stop stopped',
    'applied undo undoing',
    'undoing take_back undone',
    'stopped apply applying',
    'stopped expire applied',
    'stopped undo undoing',
    'failed edit draft',
    'failed read reading',
    'failed cancel cancelled',
  ]);
});

it('finds our columns by name, or by the name that a mapping gives', () => {
  const header = ['Affiliate ID', ' EMAIL ', 'partner_id', 'amount_cents'];
  const mapping = { partners: { partner_id: 'affiliate id' } };
  expect([...placesOf('partners', header, mapping)]).toEqual([
    ['partner_id', 0],
    ['email', 1],
  ]);
  expect([...placesOf('partners', header)]).toEqual([
    ['partner_id', 2],
    ['email', 1],
  ]);
});

it('misses what a file cannot do without', () => {
  const places = placesOf('commissions', ['commission_id', 'partner_id', 'amount_cents', 'status']);
  expect(missingColumns('commissions', places, { hasCurrency: false })).toEqual([
    'currency',
    'occurred_at',
  ]);
});

const money = [
  {
    currency: 'usd',
    openCents: 500,
    paidCents: 900,
    voidCents: 0,
    negativeCents: 0,
    afterCutoverCents: 0,
    knownHereCents: 0,
  },
];

it.each([
  [[{ currency: 'usd', openCents: 500, paidCents: 900 }], true],
  [[{ currency: 'usd', openCents: 500, paidCents: 901 }], false],
  [[], false],
  [[{ currency: 'eur', openCents: 500, paidCents: 900 }], false],
  [
    [
      { currency: 'usd', openCents: 500, paidCents: 900 },
      { currency: 'eur', openCents: 0, paidCents: 0 },
    ],
    true,
  ],
  [
    [
      { currency: 'usd', openCents: 500, paidCents: 900 },
      { currency: 'eur', openCents: 1, paidCents: 0 },
    ],
    false,
  ],
  [
    [
      { currency: 'usd', openCents: 500, paidCents: 900 },
      { currency: 'usd', openCents: 500, paidCents: 900 },
    ],
    false,
  ],
])('%j typed back: %s', (expected, holds) => {
  expect(isExpected(money, expected)).toBe(holds);
});

it.each<[ToldStatus, ToldStatus, CommissionStatus, boolean, string]>([
  ['pending', 'pending', 'pending', false, 'known'],
  ['pending', 'approved', 'pending', false, 'known'],
  ['pending', 'paid', 'pending', false, 'changed'],
  ['approved', 'void', 'approved', false, 'changed'],
  ['approved', 'paid', 'approved', true, 'conflict'],
  ['pending', 'paid', 'paid', false, 'conflict'],
  ['pending', 'paid', 'rejected', false, 'conflict'],
  ['paid', 'paid', 'paid', false, 'known'],
  ['paid', 'void', 'paid', false, 'conflict'],
  ['void', 'pending', 'rejected', false, 'conflict'],
])('told %s, then %s, while ours is %s (in a payout: %s): %s', (...row) => {
  const [before, now, status, inPayout, expected] = row;
  const retold = {
    before: { status: before, amountCents: 100 },
    now: { status: now, amountCents: 100 },
  };
  expect(judgeRepeat(retold, { status, inPayout })).toBe(expected);
});

it('tells another sum, and leaves ours', () => {
  const retold = {
    before: { status: 'pending', amountCents: 100 },
    now: { status: 'pending', amountCents: 101 },
  } as const;
  expect(judgeRepeat(retold, { status: 'pending', inPayout: false })).toBe('conflict');
});

it('gives a sale to the customer’s partner, else to the earliest', () => {
  const claim = (n: number, occurredAt: string, isOfCustomer = false) => ({
    n,
    occurredAt,
    isOfCustomer,
  });
  expect(claimThatHolds([claim(1, '2026-01-02'), claim(2, '2026-01-01')])).toBe(2);
  expect(claimThatHolds([claim(1, '2026-01-02', true), claim(2, '2026-01-01')])).toBe(1);
  expect(claimThatHolds([claim(1, '2026-01-02'), claim(2, '2026-01-02', true)])).toBe(2);
  expect(claimThatHolds([claim(1, '2026-01-01'), claim(2, '2026-01-02')])).toBe(1);
  expect(claimThatHolds([claim(4, '2026-01-01'), claim(3, '2026-01-01')])).toBe(3);
  expect(claimThatHolds([claim(3, '2026-01-01'), claim(4, '2026-01-01')])).toBe(3);
  expect(claimThatHolds([])).toBeUndefined();
});

it('needs no sum typed back that comes to nothing', () => {
  const nothing = money.map((sum) => ({ ...sum, openCents: 0, paidCents: 0 }));
  expect(isExpected(nothing, [])).toBe(true);
  for (const one of [{ openCents: 1 }, { paidCents: 1 }]) {
    expect(
      isExpected(
        nothing.map((sum) => ({ ...sum, ...one })),
        [],
      ),
    ).toBe(false);
  }
});

it('shows 20 rows of a list, is kept for 30 days, and holds for 24 hours', () => {
  expect([sampleSize, importKeptDays, checkHoldsHours]).toEqual([20, 30, 24]);
});

it('an import works while it is reading, applying or undoing', () => {
  expect(importStatuses.filter(isBusy)).toEqual(['reading', 'applying', 'undoing']);
});

it('an import is made of four kinds of rows', () => {
  const all = ['partners', 'links', 'customers', 'commissions'];
  expect([...all, 'payouts', ''].filter(isImportKind)).toEqual(all);
});

it('lets a mapping name sums in minor units, and nothing else of them', () => {
  const names = columnNames('commissions').filter((name) => name.endsWith('_cents'));
  expect(names).toEqual(['sale_amount_cents', 'sale_refunded_cents', 'amount_cents']);
  expect(columnNames('links')).toEqual(['partner_id', 'token', 'kind', 'url']);
});

it('stands in for the currency alone', () => {
  const none = placesOf('commissions', []);
  expect(missingColumns('commissions', none, { hasCurrency: true })).toEqual([
    ...['commission_id', 'partner_id', 'amount', 'status', 'occurred_at'],
  ]);
});

it('says of a problem what is known of it, else what its code means', () => {
  expect(problemOf('SALE_KNOWN')).toEqual({
    code: 'SALE_KNOWN',
    message: 'The sale has its commission here already.',
  });
  expect(problemOf('GROUP_AMBIGUOUS', 'two of them').message).toBe('two of them');
});

it('shows no address as an id', () => {
  expect([shownId('p1'), shownId('pat@example.com')]).toEqual(['p1', '']);
});
