import { choosePayables, planPayout, type Payable } from '../../../entities/rules/payouts/plan';

/** What is due to one partner: `['usd', 100]`. */
function payables(...amounts: [currency: string, amountCents: number][]): Payable[] {
  return amounts.map(([currency, amountCents], index) => ({
    commissionId: `c${index}`,
    participantId: 'x',
    currency,
    amountCents,
    isPayable: amountCents >= 0,
  }));
}

const usd = (...amounts: number[]): Payable[] =>
  payables(...amounts.map((amount): [string, number] => ['usd', amount]));

const none = { currency: 'usd', minPayoutCents: 0 };

function taken(
  all: Payable[],
  max: number,
  {
    dueCents,
    min = none,
  }: {
    dueCents: number;
    min?: typeof none;
  },
): number[] {
  const due = [{ participantId: 'x', currency: 'usd', dueCents }];
  return choosePayables(all, { max, min, due }).map(({ amountCents }) => amountCents);
}

describe('an item', () => {
  it('pays a single cent, and none is nothing', () => {
    expect(planPayout(usd(1), none)).toHaveLength(1);
    expect(planPayout(usd(1, -1), none)).toEqual([]);
    expect(planPayout(usd(0), none)).toEqual([]);
  });

  it('of another currency is not measured by the least payout', () => {
    const min = { currency: 'usd', minPayoutCents: 500 };
    const items = planPayout(payables(['usd', 499], ['eur', 1]), min);
    expect(items.map(({ currency, amountCents }) => [currency, amountCents])).toEqual([['eur', 1]]);
  });

  it('never mixes currencies, and a debt stays in its own', () => {
    const items = planPayout(payables(['usd', 900], ['eur', 300], ['eur', -400]), none);
    expect(items.map(({ currency, amountCents }) => [currency, amountCents])).toEqual([
      ['usd', 900],
    ]);
  });
});

describe('of more than fits', () => {
  it('the largest debts go first, whatever order they stand in', () => {
    expect(taken(usd(500, -10, -300, -100), 2, { dueCents: 500 })).toEqual([500, -300]);
    expect(taken(usd(500, -300, -10, -100), 3, { dueCents: 500 })).toEqual([500, -300, -100]);
  });

  it('no more lines are taken than there is room for, debts included', () => {
    expect(taken(usd(100, 100, 100), 2, { dueCents: 300 })).toEqual([100, 100]);
    expect(taken(usd(100, -10), 1, { dueCents: 100 })).toEqual([100]);
    expect(taken(usd(100), 0, { dueCents: 100 })).toEqual([]);
  });

  it('a debt that is needed takes a place, and without one nothing is paid', () => {
    expect(taken(usd(100, -40), 2, { dueCents: 60 })).toEqual([-40, 100]);
    expect(taken(usd(100, -40), 1, { dueCents: 60 })).toEqual([]);
    expect(taken(usd(100, -40, -40), 3, { dueCents: 20 })).toEqual([-40, -40, 100]);
    expect(taken(usd(100, -40, -40), 2, { dueCents: 20 })).toEqual([]);
  });

  it('debts are netted down to the least payout and not below', () => {
    const min = { currency: 'usd', minPayoutCents: 90 };
    expect(taken(usd(100, -10), 5, { dueCents: 100, min })).toEqual([100, -10]);
    expect(taken(usd(100, -11), 5, { dueCents: 100, min })).toEqual([100]);
    expect(taken(usd(100, -99), 5, { dueCents: 100 })).toEqual([100, -99]);
    expect(taken(usd(100, -100), 5, { dueCents: 100 })).toEqual([100]);
  });

  it('the least payout is that of its currency', () => {
    const min = { currency: 'eur', minPayoutCents: 90 };
    expect(taken(usd(100, -50), 5, { dueCents: 100, min })).toEqual([100, -50]);
  });

  it('what is worth nothing goes with the others', () => {
    expect(taken(usd(0, 5), 5, { dueCents: 5 })).toEqual([0, 5]);
  });
});
