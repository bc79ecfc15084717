import fc from 'fast-check';
import { planPayout, type Payable } from '../../../entities/rules/payouts/plan';

const payable =
  (currency: string) =>
  (amountCents: number, index: number): Payable => ({
    commissionId: `c${index}`,
    participantId: 'x',
    currency,
    amountCents,
    isPayable: true,
  });

const plan = (currency: string, amounts: readonly number[], minPayoutCents = 0) =>
  planPayout(amounts.map(payable(currency)), { currency, minPayoutCents });

it.each([
  ['huf', [12_345], 12_300],
  ['twd', [60, 60, 60, 15], 100],
  ['huf', [99], undefined],
  ['huf', [250, -90], 100],
  ['eur', [12_345], 12_345],
  ['jpy', [99], 99],
])('pays %s %j as %s', (currency, amounts, expected) => {
  expect(plan(currency, amounts)[0]?.amountCents).toBe(expected);
});

it.each([
  ['twd', [60, 60, 60, 15], [60, 40]],
  ['huf', [150, 0], [100, 0]],
  ['huf', [100, 0], [100, 0]],
  ['huf', [300, -120, 50], [300, -120, 20]],
  ['huf', [101, 1], [100]],
  ['eur', [101, 1], [101, 1]],
])('takes what is over in %s %j off the last lines: %j', (currency, amounts, expected) => {
  expect(plan(currency, amounts)[0]?.lines.map((line) => line.amountCents)).toEqual(expected);
});

it('compares the least payout with what is due, not with what is paid of it', () => {
  expect(plan('huf', [10_050], 10_020)[0]?.amountCents).toBe(10_000);
});

it('lines always add up to the item, and what is left is less than a unit', () => {
  const amounts = fc.array(fc.integer({ min: -500, max: 500 }), { maxLength: 20 });
  fc.assert(
    fc.property(amounts, (all) => {
      const due = all.reduce((sum, cents) => sum + cents, 0);
      const [item] = plan('huf', all);
      expect(item?.amountCents).toBe(due >= 100 ? due - (due % 100) : undefined);
      const lines = item?.lines.map(({ amountCents }) => amountCents) ?? [];
      expect(lines.reduce((sum, cents) => sum + cents, 0)).toBe(item?.amountCents ?? 0);
    }),
  );
});
