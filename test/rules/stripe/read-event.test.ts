import {
  readEventHeader,
  readFacts,
  stripeEventTypes,
} from '../../../entities/rules/stripe/read-event';
import type { PaymentFact } from '../../../entities/rules/stripe/payment-fact';
import {
  newShape,
  oldShape,
  stripeFixture,
  stripeVersions,
  type StripeTestEvent,
} from '../../support/stripe/fixtures';

const receivedAt = '2026-03-01T00:00:00.000Z';
const clickId = '0199c2b4-7d5e-7a31-8c44-0f6e21d3b9aa';

function payment(event: StripeTestEvent): PaymentFact {
  const fact = readFacts(event, receivedAt)?.objects[0]?.fact;
  if (fact?.kind !== 'session' && fact?.kind !== 'invoice') throw new Error('no payment');
  return fact;
}

describe.each(stripeVersions)('events of API version %s', (version) => {
  it('read a checkout session: without tax and shipping, at the time of the event', () => {
    const event = stripeFixture(version, 'checkout.session.completed');
    const facts = readFacts(event, receivedAt);

    expect(facts?.ids).toEqual(['cs_test_a1Xv7QmWc2oTzB4nPq', 'pi_3SkQ1bLy8aFfGhJk0mVn4XyZ']);
    expect(facts?.email).toBe('buyer@example.com');
    expect(payment(event)).toMatchObject({
      paid: true,
      amountCents: 13_200 - 700 - 500,
      chargedCents: 13_200,
      currency: 'usd',
      paidAt: '2026-01-01T09:00:05.000Z',
      metadataClickIds: [clickId],
      customerId: 'cus_Tg5sN3kLw0aPzR',
      subscriptionId: null,
    });
  });

  it('read a subscription checkout with its invoice', () => {
    const event = stripeFixture(version, 'checkout.session.completed.subscription');

    expect(readFacts(event, receivedAt)?.ids).toEqual([
      'cs_test_b1SubQmWc2oTzB4nPq',
      'in_1SkQ1fLy8aFfGhJkFirst',
    ]);
    expect(payment(event)).toMatchObject({
      amountCents: 2_000,
      subscriptionId: 'sub_1SkQ1fLy8aFfGhJkVt8ZcRdM',
    });
  });

  it('read a renewal: total without tax, at the time it was paid, click of the subscription', () => {
    expect(payment(stripeFixture(version, 'invoice.paid'))).toMatchObject({
      kind: 'invoice',
      amountCents: 2_000,
      chargedCents: 2_420,
      paidAt: '2026-02-01T10:00:02.000Z',
      metadataClickIds: [clickId],
      subscriptionId: 'sub_1SkQ1fLy8aFfGhJkVt8ZcRdM',
      customerId: 'cus_Tg5sN3kLw0aPzR',
    });
  });

  it('take inclusive tax and shipping off an invoice', () => {
    const event = stripeFixture(version, 'invoice.paid', {
      total: 2_500,
      amount_paid: 2_500,
      total_excluding_tax: 2_066,
      shipping_cost: { amount_subtotal: 66, amount_tax: 14, amount_total: 80 },
    });

    expect(payment(event).amountCents).toBe(2_000);
  });

  it('see no payment in an invoice that a credit balance paid for', () => {
    const event = stripeFixture(version, 'invoice.paid', {
      amount_due: 0,
      amount_paid: 0,
    });

    expect(payment(event).amountCents).toBe(0);
  });

  it('see no payment in a session that is not paid yet', () => {
    const event = stripeFixture(version, 'checkout.session.completed', {
      payment_status: 'unpaid',
    });

    expect(payment(event).paid).toBe(false);
  });

  it('take the time of a later payment from its own event', () => {
    const event = stripeFixture(version, 'checkout.session.async_payment_succeeded');

    expect(payment(event)).toMatchObject({
      paid: true,
      paidAt: '2026-01-05T09:00:00.000Z',
    });
  });

  it('read a charge, its refund and its dispute', () => {
    const charge = readFacts(stripeFixture(version, 'charge.refunded'), receivedAt);
    expect(charge?.ids).toEqual(['ch_3SkQ1bLy8aFfGhJk0wErT9yU', 'pi_3SkQ1bLy8aFfGhJk0mVn4XyZ']);
    expect(charge?.objects[0]?.fact).toMatchObject({
      amountCents: 13_200,
      snapshots: [{ at: '2026-01-02T09:00:01.000Z', refundedCents: 3_300 }],
      balanceTransactionId: 'txn_3SkQ1bLy8aFfGhJk0ZxCvBnM',
      feeCents: null,
    });

    const opened = readFacts(stripeFixture(version, 'charge.dispute.created'), receivedAt);
    expect(opened?.objects[0]?.fact).toMatchObject({
      state: 'open',
      amountCents: 13_200,
    });
    const lost = readFacts(stripeFixture(version, 'charge.dispute.closed.lost'), receivedAt);
    expect(lost?.objects[0]?.fact).toMatchObject({ state: 'lost' });
    const won = readFacts(stripeFixture(version, 'charge.dispute.closed.won'), receivedAt);
    expect(won?.objects[0]?.fact).toMatchObject({ state: 'released' });
    expect(won?.ids).toContain('ch_3SkQ1bLy8aFfGhJk0wErT9yU');
  });
});

describe('the two shapes of an invoice', () => {
  it('before 2025-03-31 names its charge and payment intent', () => {
    expect(readFacts(stripeFixture(oldShape, 'invoice.paid'), receivedAt)?.ids).toEqual([
      'in_1SkR8gLy8aFfGhJk2bNd5WqT',
      'pi_3SkR8hLy8aFfGhJk1aBcD7eF',
      'ch_3SkR8hLy8aFfGhJk1pLm6KoS',
    ]);
  });

  it('since then is joined by invoice_payment.paid', () => {
    expect(readFacts(stripeFixture(newShape, 'invoice.paid'), receivedAt)?.ids).toEqual([
      'in_1SkR8gLy8aFfGhJk2bNd5WqT',
    ]);
    expect(readFacts(stripeFixture(newShape, 'invoice_payment.paid'), receivedAt)?.ids).toEqual([
      'pi_3SkR8hLy8aFfGhJk1aBcD7eF',
      'in_1SkR8gLy8aFfGhJk2bNd5WqT',
    ]);
  });

  it('without total_excluding_tax is total less the taxes', () => {
    const event = stripeFixture(oldShape, 'invoice.paid', {
      total_excluding_tax: undefined,
    });

    expect(payment(event).amountCents).toBe(2_000);
  });
});

describe('promotion codes', () => {
  it('are read as ids, as expanded objects and from old discounts', () => {
    const bare = stripeFixture(newShape, 'checkout.session.completed.promotion');
    expect(payment(bare).promotions).toEqual([{ id: 'promo_1SkPromoLy8aFfGhJk', code: null }]);

    const expanded = stripeFixture(newShape, 'checkout.session.completed.promotion', {
      discounts: [{ coupon: null, promotion_code: { id: 'promo_1', code: 'ANNA10' } }],
    });
    expect(payment(expanded).promotions).toEqual([{ id: 'promo_1', code: 'ANNA10' }]);

    const invoice = stripeFixture(oldShape, 'invoice.paid', {
      discount: { id: 'di_1', object: 'discount', promotion_code: 'promo_2' },
    });
    expect(payment(invoice).promotions).toEqual([{ id: 'promo_2', code: null }]);
  });

  it('may be hidden: the discount is told, the code is not', () => {
    const session = stripeFixture(oldShape, 'checkout.session.completed.promotion');
    expect(payment(session)).toMatchObject({
      promotions: [],
      hidesPromotions: true,
    });

    const invoice = stripeFixture(newShape, 'invoice.paid', {
      discounts: ['di_1'],
      total_discount_amounts: [{ amount: 200, discount: 'di_1' }],
    });
    expect(payment(invoice)).toMatchObject({
      promotions: [],
      hidesPromotions: true,
    });
  });
});

describe('odd events', () => {
  it.each([
    ['no object', {}],
    ['an array', []],
    ['a text', 'evt'],
    ['null', null],
    ['a numeric id', { id: 1, type: 'invoice.paid' }],
    ['no type', { id: 'evt_1' }],
    ['an empty id', { id: '', type: 'invoice.paid' }],
    ['an id that cannot be stored', { id: 'evt_\u0000', type: 'invoice.paid' }],
  ])('%s is no event', (_name, body) => {
    expect(readEventHeader(body)).toBeNull();
  });

  it('keep a header when every other field is of the wrong type', () => {
    const body = {
      id: 'evt_1',
      type: 'x',
      livemode: 'no',
      created: 'now',
      data: [],
      api_version: 7,
    };

    expect(readEventHeader(body)).toEqual({
      stripeEventId: 'evt_1',
      type: 'x',
      apiVersion: null,
      objectId: null,
      livemode: null,
      isOfConnectedAccount: false,
      createdAt: null,
    });
  });

  it.each(stripeEventTypes)('%s with nonsense for an object is never an exception', (type) => {
    const objects = [
      undefined,
      null,
      [],
      'x',
      {},
      { id: 'x_1' },
      {
        id: 'x_1',
        amount: '12',
        metadata: [],
        lines: 7,
        refunds: { data: [null, { id: 3 }] },
      },
      {
        id: 'x_1',
        amount: -5,
        amount_total: 1e300,
        created: -1,
        customer: {},
        discounts: [null],
      },
      {
        id: 'x_1',
        payment: { payment_intent: ['pi'] },
        metadata: { aff_click_id: '\u0000\ud800' },
      },
    ];
    for (const object of objects) {
      expect(() => readFacts({ id: 'evt_1', type, data: { object } }, receivedAt)).not.toThrow();
    }
  });

  it('knows no other types', () => {
    const event = {
      id: 'evt_1',
      type: 'customer.created',
      data: { object: { id: 'cus_1' } },
    };

    expect(readFacts(event, receivedAt)).toBeNull();
  });
});
