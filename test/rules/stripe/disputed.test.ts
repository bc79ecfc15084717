import fc from 'fast-check';
import {
  mergeDisputes,
  readCharge,
  readDispute,
  type DisputeFact,
} from '../../../entities/rules/stripe/charge-fact';
import { readSession } from '../../../entities/rules/stripe/payment-fact';
import { settlementOf, type StripeObject } from '../../../entities/rules/stripe/settlement';

const at = '2026-01-01T00:00:00.000Z';

/** 10,000 yen that came to 67.00 dollars on the shop's balance, unless told otherwise. */
const yen = (fields: object = {}): StripeObject => ({
  id: 'ch_1',
  fact: readCharge(
    {
      currency: 'jpy',
      amount: 10_000,
      amount_captured: 10_000,
      balance_transaction: { amount: 6_700, fee: 10, currency: 'usd', exchange_rate: 0.0067 },
      ...fields,
    },
    at,
  ),
});

const dispute = (
  [amount, currency]: [number, string | undefined],
  { moved = [], status = 'lost', charge = 'ch_1' }: DisputeTold = {},
): StripeObject => ({
  id: 'du_1',
  fact: readDispute(
    {
      amount,
      currency,
      status,
      charge,
      balance_transactions: moved.map(([cents, of], n) => ({
        id: `txn_${n}`,
        amount: cents,
        currency: of,
      })),
    },
    at,
    true,
  ),
});

interface DisputeTold {
  moved?: [number, string][];
  status?: string;
  charge?: string;
}

const checkout: StripeObject = {
  id: 'cs_1',
  fact: readSession({ currency: 'jpy', amount_total: 12_000, payment_status: 'paid' }, at, true),
};

describe('what a lost dispute takes of a payment', () => {
  const unread = { balance_transaction: 'txn_9' };
  it.each<[string, StripeObject[], number]>([
    ['its amount, in the currency of the charge', [yen(), dispute([2_500, 'jpy'])], 2_500],
    ['its amount, stored without a currency', [yen(), dispute([2_500, undefined])], 2_500],
    [
      'all of it, by the balance',
      [yen(), dispute([67, 'usd'], { moved: [[-6_700, 'usd']] })],
      10_000,
    ],
    ['a part, by the balance', [yen(), dispute([67, 'eur'], { moved: [[-1_675, 'usd']] })], 2_500],
    ['half up', [yen(), dispute([67, 'eur'], { moved: [[-1, 'usd']] })], 1],
    ['not more than all', [yen(), dispute([67, 'eur'], { moved: [[-9_999, 'usd']] })], 10_000],
    [
      'what was moved in sum',
      [
        yen(),
        dispute([67, 'eur'], {
          moved: [
            [-6_700, 'usd'],
            [3_350, 'usd'],
          ],
        }),
      ],
      5_000,
    ],
    ['all, where nothing moved', [yen(), dispute([67, 'usd'])], 10_000],
    [
      'all, where the charge was not read',
      [yen(unread), dispute([67, 'usd'], { moved: [[-1, 'usd']] })],
      10_000,
    ],
    ['all, in another balance', [yen(), dispute([67, 'usd'], { moved: [[-1, 'eur']] })], 10_000],
    [
      'all, in two balances',
      [
        yen(),
        dispute([67, 'usd'], {
          moved: [
            [-1, 'usd'],
            [-1, 'eur'],
          ],
        }),
      ],
      10_000,
    ],
    ['all of the payment whose charge is not told', [checkout, dispute([67, 'usd'])], 12_000],
    ['its amount where nothing is told', [dispute([67, 'usd'])], 67],
    [
      'all of the charge that it names',
      [
        yen(),
        { ...yen({ amount: 500, amount_captured: 500 }), id: 'ch_2' },
        dispute([4, 'usd'], { charge: 'ch_2' }),
      ],
      500,
    ],
    ['nothing, once it is won', [yen(), dispute([67, 'usd'], { status: 'won' })], 0],
  ])('by its balance, in any order: %s', (_name, objects, expected) => {
    expect(settlementOf(objects).lostDisputeCents).toBe(expected);
    expect(settlementOf(objects.toReversed()).lostDisputeCents).toBe(expected);
  });

  it('is not all for a small dispute of dollars in yen', () => {
    const dollars: StripeObject = {
      id: 'ch_1',
      fact: readCharge(
        {
          currency: 'usd',
          amount: 10_000,
          amount_captured: 10_000,
          balance_transaction: { amount: 10_000, fee: 1, currency: 'usd' },
        },
        at,
      ),
    };
    const told = dispute([3_000, 'jpy'], { moved: [[-2_010, 'usd']] });
    expect(settlementOf([dollars, told]).lostDisputeCents).toBe(2_010);
  });

  it('is given back once where its refund is told too', () => {
    const told = dispute([67, 'usd'], { status: 'prevented' });
    const shown = { amount_refunded: 4_000 };
    expect(settlementOf([yen(shown), told])).toMatchObject({
      refundedCents: 4_000,
      lostDisputeCents: 6_000,
    });
  });
});

describe('two events of a dispute', () => {
  const moves = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: -9, max: 9 }), {
    minKeys: 1,
  });
  const facts = fc.record<DisputeFact>(
    {
      kind: fc.constant('dispute'),
      amountCents: fc.nat(9),
      state: fc.constant('open'),
      closedAt: fc.constant(null),
      currency: fc.constantFrom('usd', 'eur'),
      chargeId: fc.constantFrom('ch_1', 'ch_2'),
      movedCurrency: fc.constantFrom('usd', 'eur', ''),
    },
    { requiredKeys: ['kind', 'amountCents', 'state', 'closedAt'] },
  );

  it('say the same in either order, and repeated', () => {
    const pairs = fc.tuple(facts, facts, facts, moves);
    fc.assert(
      fc.property(pairs, ([a, b, c, moved]) => {
        const all: DisputeFact[] = [a, { ...b, moved }, c];
        const merged = all.reduce(mergeDisputes);
        expect(all.toReversed().reduce(mergeDisputes)).toEqual(merged);
        expect(all.reduce(mergeDisputes, merged)).toEqual(merged);
      }),
    );
  });
});
