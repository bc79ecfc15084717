import fc from 'fast-check';
import { mergeFacts } from '../../../entities/rules/stripe/read-event';
import { feeOf } from '../../../entities/rules/stripe/fee';
import { monthsBetween, renewalEarns } from '../../../entities/rules/stripe/renewal';
import {
  settlementOf,
  standingRefunds,
  type StripeObject,
} from '../../../entities/rules/stripe/settlement';
import type {
  ChargeFact,
  DisputeFact,
  RefundFact,
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
  ])('%s', (_name, transaction, charged, expected) => {
    expect(feeOf(transaction, charged)).toBe(expected);
  });
});

describe('a renewal', () => {
  const first = new Date('2026-01-31T23:59:59Z');

  it.each<[string, number | null, boolean]>([
    ['2026-02-01T00:00:00Z', 1, true],
    ['2026-02-28T23:59:59Z', 1, true],
    ['2026-03-01T00:00:00Z', 1, false],
    ['2027-01-31T23:59:59Z', 12, true],
    ['2027-02-01T00:00:00Z', 12, false],
    ['2099-01-01T00:00:00Z', null, true],
  ])('of %s with a cap of %s months', (paidAt, recurringMonths, earns) => {
    expect(renewalEarns({ recurring: true, recurringMonths }, first, new Date(paidAt))).toBe(earns);
  });

  it('never earns when recurring is off', () => {
    expect(renewalEarns({ recurring: false, recurringMonths: null }, first, first)).toBe(false);
  });

  it('counts months of the UTC calendar, not days', () => {
    const lastSecond = new Date('2026-01-31T23:59:59Z');
    expect(monthsBetween(lastSecond, new Date('2026-02-01T00:00:00Z'))).toBe(1);
    expect(monthsBetween(new Date('2025-12-01T00:00:00Z'), lastSecond)).toBe(1);
  });
});
