import fc from 'fast-check';
import { readCharge, readRefund } from '../../../entities/rules/stripe/charge-fact';
import {
  readInvoice,
  readSession,
  type PaymentFact,
} from '../../../entities/rules/stripe/payment-fact';
import { settlementOf, type StripeObject } from '../../../entities/rules/stripe/settlement';

const at = (minute: number): string => new Date(1_767_258_000_000 + minute * 60_000).toISOString();
const seconds = (minute: number): number => Date.parse(at(minute)) / 1_000;
const usd = { currency: 'usd' };

const completedAt = 60;
const invoice = (amountPaid: number, fields: object = {}): StripeObject => ({
  id: 'in_1',
  fact: readInvoice(
    {
      ...usd,
      total: amountPaid,
      amount_due: amountPaid,
      amount_paid: amountPaid,
      status_transitions: { paid_at: seconds(completedAt) },
      ...fields,
    },
    at(completedAt),
    true,
  ),
});
const session = (amountTotal: number, fields: object = {}): StripeObject => ({
  id: 'cs_1',
  fact: readSession(
    { ...usd, amount_total: amountTotal, payment_status: 'paid', ...fields },
    at(0),
    true,
  ),
});

interface ChargeTold {
  refunded?: number;
  minute?: number;
  fee?: number;
  fields?: object;
}

const charge = (n: number, amount: number, told: ChargeTold = {}): StripeObject => {
  const { refunded = 0, minute = completedAt, fee, fields } = told;
  const transaction = fee === undefined ? null : { amount, fee, ...usd };
  const object = {
    ...usd,
    amount,
    amount_captured: amount,
    amount_refunded: refunded,
    payment_intent: `pi_${n}`,
    balance_transaction: transaction,
    ...fields,
  };
  return { id: `ch_${n}`, fact: readCharge(object, at(minute)) };
};
const refund = (n: number, amount: number, minute = completedAt + 1, fields: object = {}) => ({
  id: `re_${n}`,
  fact: readRefund(
    {
      ...usd,
      amount,
      status: 'succeeded',
      charge: `ch_${n}`,
      payment_intent: `pi_${n}`,
      ...fields,
    },
    at(minute),
  ),
});
const intents = (...ns: number[]): StripeObject[] => ns.map((n) => ({ id: `pi_${n}`, fact: null }));

const later = completedAt + 1;
const earlier = completedAt - 1;

describe('the whole of a payment, and what of it was given back', () => {
  it.each<[string, StripeObject[], number | null, number]>([
    ['of a part that is not told yet', [invoice(100), charge(1, 40)], 100, 0],
    [
      'of a part beside a bank transfer that was given back',
      [invoice(100), charge(1, 40, { refunded: 40, minute: later })],
      100,
      40,
    ],
    ['of which no charge is told', [invoice(100), ...intents(1, 2), refund(1, 40)], 100, 40],
    [
      'of two parts, both told',
      [invoice(100), charge(1, 60), charge(2, 40, { refunded: 40, minute: later })],
      100,
      40,
    ],
    [
      'of two intents, the one given back not told',
      [invoice(20), ...intents(1, 2), charge(1, 10), refund(2, 10)],
      20,
      10,
    ],
    [
      'of two intents, the told one given back',
      [
        invoice(20),
        ...intents(1, 2),
        charge(1, 10, { refunded: 10, minute: later }),
        refund(1, 10),
      ],
      20,
      10,
    ],
    [
      'of two intents, both given back and one told',
      [
        invoice(20),
        ...intents(1, 2),
        charge(1, 10, { refunded: 10, minute: later }),
        refund(2, 10),
      ],
      20,
      20,
    ],
    [
      'of two intents, by a refund that names no charge',
      [
        invoice(20),
        charge(1, 10, { refunded: 10, minute: later }),
        refund(2, 10, later, { charge: null }),
      ],
      20,
      20,
    ],
    [
      'that was given back and paid again before it was complete',
      [
        invoice(100),
        charge(1, 40, { refunded: 40, minute: earlier }),
        charge(2, 40),
        charge(3, 60),
      ],
      100,
      0,
    ],
    [
      'the same, and all given back afterwards',
      [
        invoice(100),
        charge(1, 40, { refunded: 40, minute: earlier }),
        charge(2, 40, { refunded: 40, minute: later }),
        charge(3, 60, { refunded: 60, minute: later }),
      ],
      100,
      100,
    ],
    [
      'the same, what was paid again not told',
      [invoice(100), charge(1, 40, { refunded: 40, minute: earlier }), charge(3, 60)],
      100,
      0,
    ],
    [
      'the same, told by the refund alone',
      [invoice(100), ...intents(1, 2, 3), refund(1, 40, earlier), charge(3, 60)],
      100,
      0,
    ],
    [
      'given back within the second in which it was complete',
      [invoice(100), charge(1, 40, { refunded: 40, minute: completedAt })],
      100,
      40,
    ],
    [
      'whose only charge completes it, whatever the time of the refund',
      [invoice(100), charge(1, 100, { refunded: 30, minute: earlier })],
      100,
      30,
    ],
    [
      'whose only payment is not told',
      [invoice(100), ...intents(1), refund(1, 30, earlier)],
      100,
      30,
    ],
    ['that was paid too much', [invoice(100), charge(1, 80), charge(2, 40)], 120, 0],
    [
      'paid outside of Stripe',
      [invoice(0, { total: 100, amount_due: 100 }), refund(1, 30)],
      100,
      30,
    ],
    [
      'that credit paid in part, by the refund alone',
      [session(100), invoice(40, { total: 100 }), refund(1, 40)],
      40,
      40,
    ],
    [
      'that credit paid in part, with its charge',
      [session(100), invoice(40, { total: 100 }), charge(1, 40, { refunded: 10, minute: later })],
      40,
      10,
    ],
    ['of a checkout without an invoice', [session(100), refund(1, 40)], 100, 40],
    [
      'of a checkout of which a part was captured',
      [session(100), charge(1, 100, { fields: { amount_captured: 60 } }), refund(1, 60)],
      60,
      60,
    ],
    [
      'of a subscription’s checkout whose invoice is not told',
      [session(100, { subscription: 'sub_1' }), charge(1, 40, { refunded: 40, minute: later })],
      100,
      40,
    ],
    [
      'charged in another currency than it was invoiced in',
      [
        invoice(100),
        charge(1, 9_000, { refunded: 900, minute: later, fields: { currency: 'jpy' } }),
      ],
      9_000,
      900,
    ],
    ['of charges alone', [charge(1, 40), charge(2, 60)], 100, 0],
    ['of which nothing is told', [refund(1, 40)], null, 40],
  ])('is summed in any order: %s', (_name, objects, chargeCents, refundedCents) => {
    for (const told of [objects, objects.toReversed()]) {
      expect(settlementOf(told)).toMatchObject({ chargeCents, refundedCents });
    }
  });

  it('is no less than what an invoice is, which was stored without what came from outside', () => {
    const { fact } = invoice(100);
    const stored = { ...(fact as PaymentFact), chargedCents: 0 };
    expect(settlementOf([{ id: 'in_1', fact: stored }]).chargeCents).toBe(100);
  });

  it('does not count an invoice of which a part was paid', () => {
    const { fact } = invoice(40, { total: 100 });
    const open: StripeObject = { id: 'in_1', fact: { ...(fact as PaymentFact), paid: false } };
    expect(settlementOf([open, charge(1, 40)]).chargeCents).toBe(40);
  });

  it('counts a refund that was stored without its time', () => {
    const { toldAt: _toldAt, ...stored } = refund(1, 40, earlier).fact;
    const objects = [invoice(100), charge(1, 40), { id: 're_1', fact: stored }];
    expect(settlementOf(objects)).toMatchObject({ chargeCents: 100, refundedCents: 40 });
  });

  it('gives back what a refund before the end took, once that has failed', () => {
    const failed = { ...refund(1, 40, earlier).fact, failedAt: at(later) };
    const objects = [
      invoice(100),
      charge(1, 40, { refunded: 40, minute: earlier }),
      charge(2, 60),
      { id: 're_1', fact: failed },
    ];
    expect(settlementOf(objects)).toMatchObject({ chargeCents: 100, refundedCents: 0 });
  });
});

describe('the fee of a payment in parts', () => {
  it.each<[string, StripeObject[], number | null]>([
    ['of one part', [invoice(100), charge(1, 40, { fee: 3 })], null],
    ['of both', [invoice(100), charge(1, 40, { fee: 3 }), charge(2, 60, { fee: 4 })], 7],
    ['of both, one not read', [invoice(100), charge(1, 40, { fee: 3 }), charge(2, 60)], null],
    [
      'of one that was given back and paid again',
      [
        invoice(100),
        charge(1, 40, { fee: 3, refunded: 40, minute: earlier }),
        charge(2, 60, { fee: 4 }),
      ],
      null,
    ],
    [
      'of all of it then',
      [
        invoice(100),
        charge(1, 40, { fee: 3, refunded: 40, minute: earlier }),
        charge(2, 60, { fee: 4 }),
        charge(3, 40, { fee: 3 }),
      ],
      10,
    ],
    ['of a checkout', [session(100), charge(1, 100, { fee: 3 })], 3],
    [
      'of a part of a subscription’s checkout',
      [session(100, { subscription: 'sub_1' }), charge(1, 40, { fee: 3 })],
      null,
    ],
    [
      'of an invoice that credit paid in part',
      [invoice(40, { total: 100 }), charge(1, 40, { fee: 3 })],
      3,
    ],
  ])('is summed over its charges: %s', (_name, objects, expected) => {
    expect(settlementOf(objects).feeCents).toBe(expected);
  });
});

describe('an invoice that is paid in any parts', () => {
  interface PartOf {
    cents: number;
    kind: 'card' | 'outside';
    /** Refunded since the invoice was complete; and before, with as much paid again. */
    back: number;
    before: boolean;
    isTold: boolean;
    isRefundNamed: boolean;
  }
  const part = fc.record<PartOf>({
    cents: fc.integer({ min: 1, max: 10_000 }),
    kind: fc.constantFrom('card', 'card', 'outside'),
    back: fc.double({ min: 0, max: 1, noNaN: true }),
    before: fc.boolean(),
    isTold: fc.boolean(),
    isRefundNamed: fc.boolean(),
  });

  it('is the sum of its parts less what was given back of them, whatever of them is told', () => {
    const stories = fc
      .array(part, { minLength: 2, maxLength: 4 })
      .chain((parts) =>
        fc.record({ parts: fc.constant(parts), order: fc.infiniteStream(fc.nat()) }),
      );
    fc.assert(
      fc.property(stories, ({ parts, order }) => {
        const whole = parts.reduce((sum, { cents }) => sum + cents, 0);
        const objects = [invoice(whole), ...intents(98, 99)];
        let back = 0;
        parts.forEach(({ cents, kind, isTold, isRefundNamed, ...one }, n) => {
          if (kind === 'outside') return;
          const given = Math.floor(cents * one.back);
          back += given;
          // Something of a refund is always told: the charge that shows it, or itself.
          const isChargeTold = isTold || !isRefundNamed;
          if (isChargeTold) objects.push(charge(n, cents, { refunded: given, minute: later }));
          if (isRefundNamed && given > 0) objects.push(refund(n, given));
          if (one.before && isTold) {
            objects.push(charge(n + 10, cents, { refunded: cents, minute: earlier }));
          }
        });
        objects.sort(() => ((order.next().value as number) % 3) - 1);
        expect(settlementOf(objects)).toMatchObject({ chargeCents: whole, refundedCents: back });
      }),
      { numRuns: 500 },
    );
  });
});
