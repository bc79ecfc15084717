import {
  baseOf,
  checkoutKnownMs,
  checkoutWaitMs,
  customerNamesOf,
  hasSignal,
  isCovered,
  isPaid,
  isStripePaymentId,
  isInvoiceOnly,
  mayHaveCheckout,
  checkedOutAt,
  paidAtOf,
  paymentFactsOf,
  paysFlat,
  signalsOf,
  transactionIdOf,
} from '../../../entities/rules/stripe/classify';
import { readRefund } from '../../../entities/rules/stripe/charge-fact';
import { mergePayments, type PaymentFact } from '../../../entities/rules/stripe/payment-fact';
import type { StripeObject } from '../../../entities/rules/stripe/settlement';

function fact(overrides: Partial<PaymentFact> = {}): PaymentFact {
  return {
    kind: 'session',
    paid: true,
    amountCents: 1_000,
    chargedCents: 1_210,
    currency: 'usd',
    paidAt: '2026-01-01T00:00:00.000Z',
    metadataClickIds: [],
    clientReferenceId: null,
    promotions: [],
    hidesPromotions: false,
    subscriptionId: null,
    customerId: null,
    ...overrides,
  };
}

describe('the name of a conversion', () => {
  it.each([
    [['cs_1', 'in_1', 'ch_1', 'pi_1'], 'pi_1'],
    [['cs_1', 'in_1', 'ch_1'], 'in_1'],
    [['cs_1'], 'cs_1'],
    [['pi_2', 'pi_1'], 'pi_1'],
    [['x_2', 'x_1'], 'x_1'],
    [['ch_1'], 'ch_1'],
    [[], undefined],
  ])('of %j is %s', (ids, name) => {
    expect(transactionIdOf(ids)).toBe(name);
  });
});

describe("an id of Stripe's", () => {
  it.each([
    ['pi_3SkQ1b', true],
    ['cs_test_a1', true],
    ['in_1', true],
    ['ch_1', true],
    ['py_1', true],
    ['re_1', false],
    ['order_1', false],
    ['pi_', false],
    ['pi_1; drop', false],
  ])('is one by its form: %s is %s', (id, expected) => {
    expect(isStripePaymentId(id)).toBe(expected);
  });
});

describe('a payment', () => {
  it.each<[string, Partial<PaymentFact>, boolean]>([
    ['paid', {}, true],
    ['still to be paid', { paid: false }, false],
    ['of zero', { amountCents: 0 }, false],
    ['without a currency', { currency: '' }, false],
    ['in an odd currency', { currency: 'us$' }, false],
  ])('is a sale only where money came: %s', (_name, overrides, expected) => {
    expect(isPaid(fact(overrides))).toBe(expected);
  });

  it('is told by its session first, by its invoice when only that is paid', () => {
    const session = fact();
    const invoice = fact({ kind: 'invoice' });
    const unpaid = fact({ paid: false });
    const as = (...facts: PaymentFact[]) =>
      facts.map((one, index) => ({ id: `o_${index}`, fact: one }));

    expect(paymentFactsOf(as(invoice, session))).toEqual([session, invoice]);
    expect(paymentFactsOf(as(unpaid, invoice))).toEqual([invoice, unpaid]);
  });

  it('may be a renewal when it is an invoice of a subscription, made by no checkout', () => {
    const invoice = fact({ kind: 'invoice', subscriptionId: 'sub_1' });

    expect(isInvoiceOnly([invoice])).toBe(true);
    expect(isInvoiceOnly([fact({ kind: 'invoice' })])).toBe(false);
    expect(isInvoiceOnly([invoice, fact({ subscriptionId: 'sub_1' })])).toBe(false);
  });

  it('may have a checkout when it began its subscription and nothing says that it has none', () => {
    const invoice = fact({ kind: 'invoice', subscriptionId: 'sub_1', begins: true });

    expect(mayHaveCheckout([invoice])).toBe(true);
    expect(mayHaveCheckout([{ ...invoice, begins: false }])).toBe(false);
    expect(mayHaveCheckout([{ ...invoice, withoutCheckout: true }])).toBe(false);
    expect(mayHaveCheckout([invoice, fact({ subscriptionId: 'sub_1' })])).toBe(false);
  });

  it('was checked out at the first time that any of its facts names', () => {
    const early = fact({ completedAt: '2026-01-01T00:00:00.000Z' });
    const late = fact({ completedAt: '2026-01-02T00:00:00.000Z' });

    expect(checkedOutAt([late, fact(), early])).toEqual(new Date('2026-01-01T00:00:00.000Z'));
    expect(checkedOutAt([fact()])).toBeNull();
  });

  it('is merged the same in either order', () => {
    const unpaid = fact({
      paid: false,
      completedAt: '2026-01-01T00:00:00.000Z',
      begins: true,
      metadataClickIds: ['a'],
      paidAt: '2026-01-01T00:00:00.000Z',
    });
    const paid = fact({ paidAt: '2026-01-05T00:00:00.000Z', customerId: 'cus_1' });

    expect(mergePayments(unpaid, paid)).toEqual(mergePayments(paid, unpaid));
    expect(mergePayments(unpaid, paid)).toMatchObject({
      paid: true,
      paidAt: '2026-01-05T00:00:00.000Z',
      completedAt: '2026-01-01T00:00:00.000Z',
      begins: true,
      metadataClickIds: ['a'],
      customerId: 'cus_1',
    });
  });
});

describe('signals', () => {
  it('keep their order and drop what is repeated or absent', () => {
    const signals = signalsOf([
      fact({ metadataClickIds: ['a'], clientReferenceId: 'r' }),
      fact({
        kind: 'invoice',
        metadataClickIds: ['a', 'b'],
        promotions: [
          { id: 'promo_1', code: 'ANNA' },
          { id: 'promo_2', code: null },
        ],
      }),
    ]);

    expect(signals).toEqual({
      clickIds: ['a', 'r', 'b'],
      metadataClickIds: ['a', 'b'],
      codes: ['ANNA'],
    });
    expect(hasSignal(signals)).toBe(true);
    expect(hasSignal(signalsOf([fact()]))).toBe(false);
  });
});

describe('the facts of a payment', () => {
  const charge = {
    kind: 'charge' as const,
    amountCents: 5,
    capturedCents: 5,
    currency: 'usd',
    succeeded: true,
    snapshots: [],
    balanceTransactionId: null,
    feeCents: null,
  };
  const sale = { clickIds: [], customerId: null, paidAt: '2026-01-03T00:00:00.000Z' };
  const refund = readRefund({}, '2026-01-01T00:00:00.000Z');
  const [session, invoice] = [fact(), fact({ kind: 'invoice', amountCents: 1 })];
  const unpaid = fact({ kind: 'session', paid: false });
  const objects = (facts: StripeObject['fact'][]) =>
    facts.map((one, index) => ({ id: `o${index}`, fact: one }));
  const kindsOf = (facts: StripeObject['fact'][]) =>
    paymentFactsOf(objects(facts)).map(({ kind, paid }) => `${kind} ${paid}`);

  it('are those of sessions, invoices and charges of their own, paid ones first', () => {
    const direct = { ...charge, sale };
    expect(kindsOf([refund, null, charge])).toEqual([]);
    expect(kindsOf([direct, invoice, session])).toEqual([
      'session true',
      'invoice true',
      'direct true',
    ]);
    expect(kindsOf([unpaid, direct, invoice])).toEqual([
      'invoice true',
      'direct true',
      'session false',
    ]);
  });

  it('have the base of the invoice before that of the session, of what was paid', () => {
    const direct = fact({ kind: 'direct' });
    expect(baseOf([direct, session, invoice])).toBe(invoice);
    expect(baseOf([direct, session, { ...invoice, paid: false }])).toBe(session);
    expect(baseOf([direct, unpaid])).toBe(direct);
    expect(baseOf([unpaid])).toBeUndefined();
    expect(baseOf([])).toBeUndefined();
  });

  it('have a base of 0 where the invoice says that credit, or a trial, covered all', () => {
    const covered = fact({ kind: 'invoice', amountCents: 0, chargedCents: 0 });
    for (const facts of [[session, covered], [covered, session], [covered]]) {
      expect(baseOf(facts)).toBe(covered);
      expect(isCovered(facts)).toBe(true);
      expect(paidAtOf(objects(facts))).toBeNull();
    }
    expect(baseOf([session, covered, invoice])).toBe(invoice);
    expect(baseOf([session, { ...covered, currency: '' }])).toBe(session);
    expect(baseOf([session, { ...covered, paid: false }])).toBe(session);
    for (const facts of [[session], [session, invoice], [unpaid], [fact({ amountCents: 0 })], []]) {
      expect(isCovered(facts)).toBe(false);
    }
  });

  it.each<[string, PaymentFact[], boolean]>([
    ['a checkout', [session], true],
    [
      'a checkout with an invoice by hand',
      [session, { ...invoice, billingReason: 'manual' }],
      true,
    ],
    ['a charge', [fact({ kind: 'direct' })], true],
    ['an invoice stored without a reason', [invoice], true],
    ['an invoice without a reason', [{ ...invoice, billingReason: null }], true],
    ...(
      [
        ['subscription_create', true],
        ['subscription_cycle', true],
        ['subscription', true],
        ['quote_accept', true],
        ['subscription_update', false],
        ['subscription_threshold', false],
        ['automatic_pending_invoice_item_invoice', false],
        ['manual', false],
      ] as const
    ).map(([billingReason, pays]): [string, PaymentFact[], boolean] => [
      `an invoice of ${billingReason}`,
      [{ ...invoice, billingReason }],
      pays,
    ]),
  ])('%s is paid by flat terms: %s', (_name, facts, expected) => {
    expect(paysFlat(facts)).toBe(expected);
  });

  it('tell when money came in', () => {
    expect(paidAtOf(objects([{ ...charge, sale }]))).toBe(sale.paidAt);
    expect(paidAtOf(objects([unpaid, refund]))).toBeNull();
  });

  it('are of an invoice alone where no session is there and one names the subscription', () => {
    const renewal = { ...invoice, subscriptionId: 'sub_1' };
    expect(isInvoiceOnly([invoice, renewal])).toBe(true);
    expect(isInvoiceOnly([invoice])).toBe(false);
    expect(isInvoiceOnly([session, renewal])).toBe(false);
    const begun = { ...renewal, begins: true };
    expect(mayHaveCheckout([renewal, begun])).toBe(true);
    expect(mayHaveCheckout([renewal])).toBe(false);
    expect(mayHaveCheckout([begun, { ...renewal, withoutCheckout: true }])).toBe(false);
    expect([checkoutWaitMs, checkoutKnownMs]).toEqual([600_000, 120_000]);
  });

  it('tell no checkout where none was gone through', () => {
    expect(checkedOutAt([fact({ completedAt: null }), fact()])).toBeNull();
  });

  it('name the buyer, each name once', () => {
    const named = fact({ metadataCustomerId: 'u1', clientReferenceId: 'u2', customerId: 'cus_1' });
    expect(customerNamesOf([fact(), named, named])).toEqual({
      own: ['u1', 'u2'],
      stripes: ['cus_1'],
    });
    const linked = { ...named, isPaymentLink: true };
    expect(customerNamesOf([linked]).own).toEqual(['u1']);
    expect(signalsOf([linked]).clickIds).toEqual(['u2']);
  });

  it('lead to a partner by a click, a code or both', () => {
    const none = { clickIds: [], metadataClickIds: [], codes: [] };
    expect(hasSignal(none)).toBe(false);
    expect(hasSignal({ ...none, clickIds: ['c'] })).toBe(true);
    expect(hasSignal({ ...none, codes: ['X'] })).toBe(true);
    expect(hasSignal({ ...none, clickIds: ['c'], codes: ['X'] })).toBe(true);
  });
});
