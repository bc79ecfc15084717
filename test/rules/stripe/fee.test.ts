import { feeOf } from '../../../entities/rules/stripe/fee';
import { fromStripeUnits, toStripeUnits } from '../../../entities/rules/stripe/units';

const usd = { currency: 'usd', amountCents: 10_000 };

describe('a fee', () => {
  it.each<[object, number | null]>([
    [{ fee: 59, currency: 'usd' }, 59],
    [{ fee: 59, currency: 'USD' }, 59],
    [{ fee: 0, currency: 'usd' }, 0],
    [{ fee: 1, currency: 'usd' }, 1],
    [{ fee: -1, currency: 'usd' }, null],
    [{ fee: 59 }, null],
    [{ currency: 'usd' }, null],
    [{ fee: 59, currency: 'eur' }, null],
    [{ fee: 50, currency: 'eur', exchange_rate: 0.5 }, 100],
    [{ fee: 50, currency: 'eur', exchange_rate: '0.5' }, 100],
    [{ fee: 50, currency: 'eur', exchange_rate: 2 }, 25],
    [{ fee: 50, currency: 'eur', exchange_rate: 0 }, null],
    [{ fee: 50, currency: 'eur', exchange_rate: -1 }, null],
    [{ fee: 50, currency: 'eur', exchange_rate: 'none' }, null],
    [{ fee: 50, currency: 'eur', exchange_rate: true }, null],
    [{ fee: 50, currency: 'eur', exchange_rate: 2.5e-7 }, 200_000_000],
    [{ fee: 5, currency: 'eur', exchange_rate: 1e21 }, 0],
    [{ fee: 1_000_000_000_000, currency: 'eur', exchange_rate: 1e-9 }, null],
    [{ fee: 1, currency: 'eur', exchange_rate: 0.4 }, 3],
  ])('of a charge in dollars, %j, is %j', (transaction, expected) => {
    expect(feeOf(transaction, usd)).toBe(expected);
  });

  it.each<[object, { currency: string; amountCents: number }, number | null]>([
    // Between whole units: 150 yen a dollar, 30 yen of fee are 20 cents.
    [{ fee: 30, amount: 15_000, currency: 'jpy', exchange_rate: 150 }, usd, 20],
    // Between smallest units: 1.5 yen a cent.
    [{ fee: 30, amount: 15_000, currency: 'jpy', exchange_rate: 1.5 }, usd, 20],
    [{ fee: 30, currency: 'jpy', exchange_rate: 150 }, usd, 20],
    [{ fee: 30, amount: 0, currency: 'jpy', exchange_rate: 150 }, usd, 20],
    [{ fee: 30, amount: -15_000, currency: 'jpy', exchange_rate: 150 }, usd, 20],
    [
      { fee: 30, amount: 1, currency: 'jpy', exchange_rate: 0.01 },
      { ...usd, amountCents: 100 },
      3_000,
    ],
    [
      { fee: 20, amount: 10_000, currency: 'usd', exchange_rate: 0.00666667 },
      { currency: 'jpy', amountCents: 15_000 },
      30,
    ],
    [
      { fee: 30, amount: 15_000, currency: 'jpy', exchange_rate: 150 },
      { ...usd, amountCents: 0 },
      20,
    ],
  ])('%j of a charge %j is %j', (transaction, charge, expected) => {
    expect(feeOf(transaction, charge)).toBe(expected);
  });
});

describe("Stripe's units", () => {
  it.each([
    ['usd', 101, 101],
    ['jpy', 101, 101],
    ['kwd', 101, 101],
    ['isk', 150, 2],
    ['isk', 149, 1],
    ['isk', -150, -2],
    ['isk', 0, 0],
    ['mga', 3, 300],
  ])('%s: %s of them are %s of ISO 4217', (currency, amount, minor) => {
    expect(fromStripeUnits(amount, currency)).toBe(minor);
  });

  it('go back', () => {
    expect(toStripeUnits(2, 'isk')).toBe(200);
    expect(toStripeUnits(300, 'mga')).toBe(3);
  });
});
