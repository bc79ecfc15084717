import fc from 'fast-check';
import { mergeFacts } from '../../../entities/rules/stripe/read-event';
import { readSession } from '../../../entities/rules/stripe/payment-fact';
import { feeOf } from '../../../entities/rules/stripe/fee';
import { paymentEarns, type RecurringTerms } from '../../../entities/rules/commissions/renewal';
import { monthsLater } from '../../../entities/rules/values/instant';
import { standingRefunds } from '../../../entities/rules/stripe/refunded';
import { settlementOf, type StripeObject } from '../../../entities/rules/stripe/settlement';
import {
  readDispute,
  readRefund,
  type ChargeFact,
  type DisputeFact,
  type RefundFact,
} from '../../../entities/rules/stripe/charge-fact';

const at = (second: number): string => new Date(1_767_258_000_000 + second * 1_000).toISOString();

function charge(
  snapshots: [second: number, refunded: number][],
  fee: number | null = null,
): ChargeFact {
  return {
    kind: 'charge',
    amountCents: 1_000,
    capturedCents: null,
    currency: 'usd',
    succeeded: true,
    snapshots: snapshots.map(([second, refundedCents]) => ({
      at: at(second),
      refundedCents,
    })),
    balanceTransactionId: null,
    feeCents: fee,
  };
}

function refund(amountCents: number, failed: number | null = null): RefundFact {
  return {
    kind: 'refund',
    amountCents,
    issued: true,
    failedAt: failed === null ? null : at(failed),
    chargeId: 'ch_1',
    paymentIntentId: null,
  };
}

function dispute(state: DisputeFact['state'], closed: number | null = null): DisputeFact {
  return {
    kind: 'dispute',
    amountCents: 400,
    state,
    closedAt: closed === null ? null : at(closed),
  };
}

describe('what stands refunded of a charge', () => {
  it.each<[string, number, ChargeFact | null, RefundFact[]]>([
    ['nothing', 0, charge([[1, 0]]), []],
    [
      'the cumulative amount, not a sum',
      500,
      charge([
        [1, 300],
        [2, 500],
      ]),
      [],
    ],
    [
      'the same when a partial one comes late',
      500,
      charge([
        [2, 500],
        [1, 300],
      ]),
      [],
    ],
    ['refunds known one by one', 500, null, [refund(300), refund(200)]],
    ['a refund that is known twice once', 300, charge([[1, 300]]), [refund(300)]],
    ['nothing of a failed refund', 0, charge([[1, 300]]), [refund(300, 5)]],
    [
      'nothing of it when the charge told so too',
      0,
      charge([
        [1, 300],
        [6, 0],
      ]),
      [refund(300, 5)],
    ],
    [
      'the rest of two when one failed',
      300,
      charge([
        [1, 300],
        [2, 500],
      ]),
      [refund(200, 5)],
    ],
    [
      'a new refund after a failed one',
      500,
      charge([
        [1, 300],
        [2, 500],
        [9, 500],
      ]),
      [refund(200, 5)],
    ],
    ['a failure within the second of the refund', 0, charge([[1, 300]]), [refund(300, 1)]],
    ['no refund that waits for the buyer', 0, null, [{ ...refund(300), issued: false }]],
  ])('is %s', (_name, expected, known, refunds) => {
    expect(standingRefunds(known, refunds)).toBe(expected);
  });
});

describe('the settlement of a payment', () => {
  it('adds up charges, disputes and fees', () => {
    const objects: StripeObject[] = [
      { id: 'ch_1', fact: charge([[1, 250]], 30) },
      { id: 'dp_1', fact: dispute('lost', 3) },
      { id: 'dp_2', fact: dispute('open') },
      { id: 'dp_3', fact: dispute('released', 4) },
      { id: 'pi_1', fact: null },
    ];

    expect(settlementOf(objects)).toEqual({
      chargeCents: 1_000,
      refundedCents: 250,
      lostDisputeCents: 400,
      openDisputes: 1,
      feeCents: 30,
    });
  });

  it('does not know the fee before every charge has told it', () => {
    const objects: StripeObject[] = [
      { id: 'ch_1', fact: charge([[1, 0]], 30) },
      { id: 'ch_2', fact: charge([[1, 0]]) },
    ];

    expect(settlementOf(objects)).toMatchObject({
      chargeCents: 2_000,
      feeCents: null,
    });
  });

  it('leaves failed attempts out', () => {
    const objects: StripeObject[] = [
      { id: 'ch_1', fact: charge([[1, 0]], 30) },
      { id: 'ch_0', fact: { ...charge([[0, 0]]), succeeded: false } },
    ];

    expect(settlementOf(objects)).toMatchObject({
      chargeCents: 1_000,
      feeCents: 30,
    });
  });
});

describe('merging what events tell', () => {
  const facts = fc.constantFrom(
    charge([[1, 0]]),
    charge([[2, 300]]),
    charge([[2, 500]], 30),
    charge([[9, 200]]),
  );
  const disputes = fc.constantFrom(
    dispute('open'),
    dispute('lost', 5),
    dispute('released', 5),
    dispute('released', 6),
  );
  const refunds = fc.constantFrom(refund(300), refund(300, 4), refund(300, 7));

  it.each([
    ['charges', facts],
    ['disputes', disputes],
    ['refunds', refunds],
  ])('gives the same for %s in any order, with repeats', (_name, arbitrary) => {
    fc.assert(
      fc.property(
        fc.array(arbitrary as fc.Arbitrary<StripeObject['fact']>, {
          minLength: 1,
          maxLength: 6,
        }),
        fc.infiniteStream(fc.nat()),
        (told, stream) => {
          const shuffled = [...told, ...told].sort(() => ((stream.next().value as number) % 3) - 1);
          const merged = told.reduce(mergeFacts);
          expect(shuffled.reduce(mergeFacts)).toEqual(merged);
        },
      ),
    );
  });

  it('never reopens a dispute that was closed', () => {
    expect(mergeFacts(dispute('released', 5), dispute('open'))).toMatchObject({
      state: 'released',
    });
    expect(mergeFacts(dispute('open'), dispute('lost', 5))).toMatchObject({
      state: 'lost',
    });
  });
});

describe('the fee in the currency of the charge', () => {
  const usd = { currency: 'usd', amountCents: 10_000 };

  it.each<[string, unknown, typeof usd, number | null]>([
    ['the same currency', { fee: 59, currency: 'usd', exchange_rate: null }, usd, 59],
    ['another currency, half up', { fee: 50, currency: 'eur', exchange_rate: 0.8 }, usd, 63],
    ['a rate of many digits', { fee: 59, currency: 'eur', exchange_rate: 0.917431 }, usd, 64],
    ['a tiny rate', { fee: 59, currency: 'eur', exchange_rate: 1e-7 }, usd, 590_000_000],
    ['no rate', { fee: 59, currency: 'eur' }, usd, null],
    ['a rate of zero', { fee: 59, currency: 'eur', exchange_rate: 0 }, usd, null],
    ['a bare id', 'txn_1', usd, null],
    [
      'yen charged, dollars kept',
      { fee: 33, currency: 'usd', exchange_rate: 0.0067, amount: 670 },
      { currency: 'jpy', amountCents: 1_000 },
      49,
    ],
    [
      'yen charged, the rate between smallest units',
      { fee: 33, currency: 'usd', exchange_rate: 0.67, amount: 670 },
      { currency: 'jpy', amountCents: 1_000 },
      49,
    ],
  ])("is converted by Stripe's own rate: %s", (_name, transaction, charged, expected) => {
    expect(feeOf(transaction, charged)).toBe(expected);
  });
});

describe('how a dispute ends', () => {
  const taken = { id: 'txn_1', amount: -4_000, net: -5_500 };
  const given = { id: 'txn_2', amount: 4_000, net: 4_000 };
  const told = (status: string, closed: boolean, transactions: object[] = []): StripeObject => ({
    id: 'dp_1',
    fact: readDispute(
      { currency: 'usd', amount: 4_000, status, balance_transactions: transactions },
      '2026-01-02T00:00:00.000Z',
      closed,
    ),
  });
  const settled = (...objects: StripeObject[]) => {
    const { openDisputes, lostDisputeCents, refundedCents } = settlementOf(objects);
    return { openDisputes, lostDisputeCents, refundedCents };
  };
  const [open, kept, lost] = [
    { openDisputes: 1, lostDisputeCents: 0, refundedCents: 0 },
    { openDisputes: 0, lostDisputeCents: 0, refundedCents: 0 },
    { openDisputes: 0, lostDisputeCents: 4_000, refundedCents: 0 },
  ];

  it.each<[string, boolean, object[], object]>([
    ['warning_needs_response', false, [], open],
    ['warning_under_review', false, [], open],
    ['needs_response', false, [taken], open],
    ['under_review', false, [taken], open],
    ['warning_closed', true, [], kept],
    ['won', true, [taken, given], kept],
    // The fee of a dispute that was won may stay with the shop.
    ['won', true, [taken], kept],
    ['lost', true, [], lost],
    ['lost', false, [taken], lost],
    ['prevented', false, [], lost],
    ['prevented', true, [taken], lost],
    ['appeal_needs_response', false, [taken], open],
    ['appeal_needs_response', true, [taken], lost],
    ['appeal_under_review', true, [taken], lost],
    ['appeal_under_review', true, [taken, given], kept],
    ['a_word_of_next_year', false, [taken], open],
    ['a_word_of_next_year', true, [taken], lost],
    ['a_word_of_next_year', true, [], kept],
  ])('%s, closed %s, by its money', (status, closed, transactions, expected) => {
    expect(settled(told(status, closed, transactions))).toEqual(expected);
  });

  it('is known by money that moved before or after the close', () => {
    const ended = told('appeal_under_review', true);
    const moved = told('appeal_under_review', false, [taken]);
    for (const [a, b] of [
      [ended, moved],
      [moved, ended],
    ] as const) {
      expect(settled({ id: 'dp_1', fact: mergeFacts(a.fact, b.fact) })).toEqual(lost);
    }
  });

  it('counts the refund that prevented it once, whichever is told first', () => {
    const refund: StripeObject = {
      id: 're_1',
      fact: readRefund({ amount: 4_000, currency: 'usd', status: 'succeeded' }, '2026-01-02'),
    };
    expect(settled(told('prevented', true), refund)).toEqual({ ...kept, refundedCents: 4_000 });
    expect(settled(told('prevented', true, [taken]))).toEqual(lost);
  });
});

describe('a renewal', () => {
  const first = new Date('2026-01-15T09:30:00Z');
  const day = 86_400_000;
  const monthly = (index: number): Date => monthsLater(first, index);
  const yearly = (index: number): Date => monthsLater(first, 12 * index);
  const earns = (terms: RecurringTerms, periodAt: Date): boolean =>
    paymentEarns(terms, { first: { periodAt: first }, periodAt, amountCents: 1 });
  const weekly = (index: number): Date => new Date(first.getTime() + index * 7 * day);

  it.each<[string, (index: number) => Date, number, number]>([
    ['monthly', monthly, 12, 12],
    ['monthly', monthly, 1, 1],
    ['yearly', yearly, 12, 1],
    ['yearly', yearly, 13, 2],
    ['yearly', yearly, 24, 2],
    ['weekly', weekly, 12, 53],
    ['weekly', weekly, 1, 5],
  ])('of a %s plan earns within the cap of whole months', (_plan, at, months, payments) => {
    const terms = { recurring: true, recurringMonths: months };
    const paid = Array.from({ length: 200 }, (_, index) => at(index));
    expect(paid.filter((paidAt) => earns(terms, paidAt))).toHaveLength(payments);
  });

  it.each<[string, string, number, string]>([
    ['the same day and time', '2026-01-15T09:30:00.000Z', 12, '2027-01-15T09:30:00.000Z'],
    ["the month's last day", '2026-01-31T23:59:59.000Z', 1, '2026-02-28T23:59:59.000Z'],
    ['of a leap year too', '2028-02-29T00:00:00.000Z', 12, '2029-02-28T00:00:00.000Z'],
    ['over the end of a year', '2026-12-31T12:00:00.000Z', 2, '2027-02-28T12:00:00.000Z'],
    ['ten years later', '2026-08-31T00:00:00.000Z', 120, '2036-08-31T00:00:00.000Z'],
  ])('counts months to %s', (_name, from, months, to) => {
    expect(monthsLater(new Date(from), months).toISOString()).toBe(to);
  });

  it('earns until the moment, not in it', () => {
    const terms = { recurring: true, recurringMonths: 12 };
    const end = new Date('2027-01-15T09:30:00Z');
    expect(earns(terms, new Date(end.getTime() - 1))).toBe(true);
    expect(earns(terms, end)).toBe(false);
  });

  it('never earns when recurring is off, and for ever without a cap', () => {
    expect(earns({ recurring: false, recurringMonths: null }, first)).toBe(false);
    const endless = { recurring: true, recurringMonths: null };
    expect(earns(endless, new Date('2099-01-01'))).toBe(true);
  });
});

describe('what the objects of a payment say together', () => {
  const charge = (fields: Partial<ChargeFact> = {}): ChargeFact => ({
    kind: 'charge',
    amountCents: 100,
    capturedCents: 100,
    currency: 'usd',
    succeeded: true,
    snapshots: [],
    balanceTransactionId: null,
    feeCents: null,
    ...fields,
  });
  const refund = (fields: Partial<RefundFact> = {}): RefundFact => ({
    kind: 'refund',
    amountCents: 10,
    issued: true,
    failedAt: null,
    chargeId: null,
    paymentIntentId: null,
    ...fields,
  });
  const checkout = readSession({ amount_total: 1, currency: 'usd' }, '2026-01-01T00:00:00Z', true);
  const of = (...facts: StripeObject['fact'][]) =>
    settlementOf(facts.map((fact, index) => ({ id: `o${index}`, fact })));

  it.each<[string, StripeObject['fact'][], number | null]>([
    ['nothing', [], null],
    ['a refund', [refund()], null],
    ['a checkout', [checkout], 1],
    ['a checkout of nothing', [{ ...checkout, chargedCents: 0 }], null],
    ['an invoice', [{ ...checkout, kind: 'invoice', chargedCents: 7 }], 7],
    ['both', [checkout, { ...checkout, kind: 'invoice', chargedCents: 7 }], 7],
    ['a charge beside them', [checkout, charge({ capturedCents: 1 })], 1],
    ['charges', [charge(), charge({ capturedCents: null })], 200],
    ['a failed charge', [checkout, charge({ succeeded: false })], 1],
  ])('the buyer was charged by %s', (_name, facts, expected) => {
    expect(of(...facts).chargeCents).toBe(expected);
  });

  it.each<[string, StripeObject['fact'][], number | null]>([
    ['no charge', [checkout], null],
    ['one', [charge({ feeCents: 3 })], 3],
    ['two', [charge({ feeCents: 3 }), charge({ feeCents: 0 })], 3],
    ['one that is not read', [charge({ feeCents: 3 }), charge()], null],
  ])('the fee of %s', (_name, facts, expected) => {
    expect(of(...facts).feeCents).toBe(expected);
  });

  const shown = (refundedCents: number) =>
    charge({ snapshots: [{ at: '2026-01-02T00:00:00Z', refundedCents }] });

  it.each<[string, StripeObject['fact'][], number]>([
    ['the only charge, which it does not name', [shown(10), refund()], 10],
    ['the only charge by another name', [shown(10), refund({ paymentIntentId: 'pi_1' })], 10],
    ['one of two that it names', [shown(10), shown(10), refund({ chargeId: 'o1' })], 20],
    ['none of two', [shown(10), shown(10), refund()], 30],
    [
      'what no charge is known of, by its payment intent',
      [refund({ paymentIntentId: 'pi_1' }), refund({ paymentIntentId: 'pi_2', failedAt: '2026' })],
      10,
    ],
    [
      'a charge that it names before the intent',
      [
        shown(10),
        shown(10),
        refund({ chargeId: 'o0', paymentIntentId: 'o1' }),
        refund({ chargeId: 'o1' }),
      ],
      20,
    ],
  ])('a refund of %s', (_name, facts, expected) => {
    expect(of(...facts).refundedCents).toBe(expected);
  });

  it.each<[string, ChargeFact | null, RefundFact[], number]>([
    [
      'a rest of one cent that was released',
      charge({ capturedCents: 99 }),
      [refund({ amountCents: 1 })],
      0,
    ],
    ['a refund of nothing where nothing was released', charge(), [refund({ amountCents: 0 })], 0],
    ['two of the sum of the rest', charge({ capturedCents: 90 }), [refund(), refund()], 10],
    [
      'a refund before the release',
      charge({ capturedCents: 90 }),
      [refund({ amountCents: 5 }), refund()],
      5,
    ],
    ['one cent that no charge shows', null, [refund({ amountCents: 1 })], 1],
    ['nothing of which a part failed', charge(), [refund({ failedAt: '2026' })], 0],
  ])('refunds that stand: %s', (_name, of_, refunds, expected) => {
    expect(standingRefunds(of_, refunds)).toBe(expected);
  });

  it('what failed in the second of a snapshot is in it', () => {
    const at = '2026-01-02T00:00:00Z';
    const failed = [refund({ failedAt: at })];
    expect(standingRefunds(shown(30), failed)).toBe(20);
    expect(standingRefunds(shown(30), [refund({ failedAt: '2026-01-01T00:00:00Z' })])).toBe(30);
  });
});
