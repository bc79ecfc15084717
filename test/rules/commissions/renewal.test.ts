import { monthsLater } from '../../../entities/rules/values/instant';
import fc from 'fast-check';
import { paymentEarns, wholeMonthsBetween } from '../../../entities/rules/commissions/renewal';

const at = (text: string) => new Date(`${text}T10:00:00.000Z`);
const first = at('2026-01-31');
const recurring = (recurringMonths: number | null) => ({ recurring: true, recurringMonths });
const once = { recurring: false, recurringMonths: null };

describe('a payment that is credited by its customer', () => {
  const table: [string, Parameters<typeof paymentEarns>, boolean][] = [
    ['the first earns', [once, { first: null, periodAt: first, amountCents: 1 }], true],
    [
      'nothing paid earns nothing',
      [recurring(null), { first: null, periodAt: first, amountCents: 0 }],
      false,
    ],
    [
      'later ones earn nothing without recurring',
      [once, { first: { periodAt: first }, periodAt: at('2026-02-28'), amountCents: 1 }],
      false,
    ],
    [
      'later ones earn for ever',
      [recurring(null), { first: { periodAt: first }, periodAt: at('2036-02-28'), amountCents: 1 }],
      true,
    ],
    [
      'the twelfth of twelve months earns',
      [recurring(12), { first: { periodAt: first }, periodAt: at('2026-12-31'), amountCents: 1 }],
      true,
    ],
    [
      'the thirteenth does not',
      [recurring(12), { first: { periodAt: first }, periodAt: at('2027-01-31'), amountCents: 1 }],
      false,
    ],
  ];
  it.each(table)('earns for as many months as the terms say: %s', (_name, given, earns) => {
    expect(paymentEarns(...given)).toBe(earns);
  });
});

describe('whole months', () => {
  it('are counted as days of the month go by', () => {
    expect(wholeMonthsBetween(first, at('2026-02-27'))).toBe(0);
    expect(wholeMonthsBetween(first, at('2026-02-28'))).toBe(1);
    expect(wholeMonthsBetween(first, at('2027-01-31'))).toBe(12);
    expect(wholeMonthsBetween(first, at('2025-01-31'))).toBe(0);
  });

  it('say when so many months are over', () => {
    const time = fc.date({ min: at('2000-01-01'), max: at('2040-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(time, fc.nat(40), (from, months) => {
        const end = monthsLater(from, months);
        expect(wholeMonthsBetween(from, end)).toBe(months);
        if (months > 0)
          expect(wholeMonthsBetween(from, new Date(end.getTime() - 1))).toBe(months - 1);
      }),
    );
  });
});
