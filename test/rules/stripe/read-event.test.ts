import {
  mergeFacts,
  readEventHeader,
  readStripeFacts,
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
  const fact = readStripeFacts(event, receivedAt)?.objects[0]?.fact;
  if (fact?.kind !== 'session' && fact?.kind !== 'invoice') throw new Error('no payment');
  return fact;
}

describe.each(stripeVersions)('events of API version %s', (version) => {
  it('read a checkout session: without tax and shipping, at the time of the event', () => {
    const event = stripeFixture(version, 'checkout.session.completed');
    const facts = readStripeFacts(event, receivedAt);

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

    expect(readStripeFacts(event, receivedAt)?.ids).toEqual([
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
      billingReason: 'subscription_cycle',
      createdAt: '2026-02-01T09:00:00.000Z',
      periodStart: '2026-02-01T09:00:00.000Z',
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

  it('read an invoice whose payment succeeded as a paid one', () => {
    const paid = stripeFixture(version, 'invoice.paid');
    const succeeded = { ...paid, type: 'invoice.payment_succeeded' };
    expect(readStripeFacts(succeeded, receivedAt)).toEqual(readStripeFacts(paid, receivedAt));

    const part = stripeFixture(version, 'invoice.paid', { status: 'open', amount_paid: 1_000 });
    const open = payment({ ...part, type: 'invoice.payment_succeeded' });
    expect(open.paid).toBe(false);
    expect(mergeFacts(open, payment(paid))).toMatchObject({ paid: true, chargedCents: 2_420 });
    expect(mergeFacts(payment(paid), open)).toEqual(mergeFacts(open, payment(paid)));
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
    const charge = readStripeFacts(stripeFixture(version, 'charge.refunded'), receivedAt);
    expect(charge?.ids).toEqual(['ch_3SkQ1bLy8aFfGhJk0wErT9yU', 'pi_3SkQ1bLy8aFfGhJk0mVn4XyZ']);
    expect(charge?.objects[0]?.fact).toMatchObject({
      amountCents: 13_200,
      snapshots: [{ at: '2026-01-02T09:00:01.000Z', refundedCents: 3_300 }],
      balanceTransactionId: 'txn_3SkQ1bLy8aFfGhJk0ZxCvBnM',
      feeCents: null,
    });

    const opened = readStripeFacts(stripeFixture(version, 'charge.dispute.created'), receivedAt);
    expect(opened?.objects[0]?.fact).toMatchObject({
      state: 'open',
      amountCents: 13_200,
    });
    const lost = readStripeFacts(stripeFixture(version, 'charge.dispute.closed.lost'), receivedAt);
    expect(lost?.objects[0]?.fact).toMatchObject({ state: 'lost' });
    const won = readStripeFacts(stripeFixture(version, 'charge.dispute.closed.won'), receivedAt);
    expect(won?.objects[0]?.fact).toMatchObject({ state: 'released' });
    expect(won?.ids).toContain('ch_3SkQ1bLy8aFfGhJk0wErT9yU');
  });
});

describe('the two shapes of an invoice', () => {
  it('before 2025-03-31 names its charge and payment intent', () => {
    expect(readStripeFacts(stripeFixture(oldShape, 'invoice.paid'), receivedAt)?.ids).toEqual([
      'in_1SkR8gLy8aFfGhJk2bNd5WqT',
      'pi_3SkR8hLy8aFfGhJk1aBcD7eF',
      'ch_3SkR8hLy8aFfGhJk1pLm6KoS',
    ]);
  });

  it('since then is joined by invoice_payment.paid', () => {
    expect(readStripeFacts(stripeFixture(newShape, 'invoice.paid'), receivedAt)?.ids).toEqual([
      'in_1SkR8gLy8aFfGhJk2bNd5WqT',
    ]);
    expect(
      readStripeFacts(stripeFixture(newShape, 'invoice_payment.paid'), receivedAt)?.ids,
    ).toEqual(['pi_3SkR8hLy8aFfGhJk1aBcD7eF', 'in_1SkR8gLy8aFfGhJk2bNd5WqT']);
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

  it.each([...stripeEventTypes, 'invoice.payment_succeeded'])(
    '%s with nonsense for an object is never an exception',
    (type) => {
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
        expect(() =>
          readStripeFacts({ id: 'evt_1', type, data: { object } }, receivedAt),
        ).not.toThrow();
      }
    },
  );

  it('knows no other types', () => {
    const event = {
      id: 'evt_1',
      type: 'customer.created',
      data: { object: { id: 'cus_1' } },
    };

    expect(readStripeFacts(event, receivedAt)).toBeNull();
  });
});

describe('the header of an event', () => {
  const header = (fields: object) => readEventHeader({ id: 'evt_1', type: 'x', ...fields });

  it('is kept of any type of at most 255 characters', () => {
    expect(header({ type: 'x'.repeat(255) })?.type).toHaveLength(255);
    expect(header({ type: 'x'.repeat(256) })).toBeNull();
    expect(header({ api_version: 'v'.repeat(300) })?.apiVersion).toBe('v'.repeat(255));
    expect(header({ api_version: '2025-08-27.basil' })?.apiVersion).toBe('2025-08-27.basil');
    expect(header({})?.apiVersion).toBeNull();
  });

  it.each([
    [true, true],
    [false, false],
    ['true', null],
  ])('tells livemode %j as %s', (livemode, expected) => {
    expect(header({ livemode })?.livemode).toBe(expected);
  });

  it.each([
    [undefined, false],
    [null, false],
    ['acct_1', true],
    [{ id: 'acct_1' }, true],
  ])('of the account %j is of a connected one: %s', (account, expected) => {
    expect(header({ account })?.isOfConnectedAccount).toBe(expected);
  });
});

describe('the facts of an event', () => {
  const of = (type: string, object: object, fields: object = {}) =>
    readStripeFacts({ type, data: { object }, ...fields }, receivedAt);
  const created = { created: 1 };
  const then = '1970-01-01T00:00:01.000Z';

  it('are of its own time, or of that of its arrival', () => {
    const session = { id: 'cs_1' };
    const type = 'checkout.session.completed';
    expect(of(type, session, created)?.objects[0]?.fact).toMatchObject({ completedAt: then });
    expect(of(type, session)?.objects[0]?.fact).toMatchObject({ completedAt: receivedAt });
    const late = of('checkout.session.async_payment_succeeded', session);
    expect(late?.objects[0]?.fact).toMatchObject({ completedAt: null, paidAt: receivedAt });
  });

  it('are none of a type that is only the name of something else', () => {
    expect(of('toString', { id: 'cs_1' })).toBeNull();
    expect(of('', { id: 'cs_1' })).toBeNull();
    expect(of('invoice.paid', {})).toBeNull();
  });

  it.each([
    [{ customer_details: { email: 'a@x' }, customer_email: 'b@x' }, 'a@x'],
    [{ customer_email: 'b@x' }, 'b@x'],
    [{}, null],
  ])('know the buyer of %j as %s', (fields, email) => {
    expect(of('checkout.session.completed', { id: 'cs_1', ...fields })?.email).toBe(email);
  });

  it('of an invoice payment join two names, and are none of one', () => {
    const payment = { id: 'inpay_1', payment: { payment_intent: 'pi_1' } };
    expect(of('invoice_payment.paid', payment)).toBeNull();
    expect(of('invoice_payment.paid', { ...payment, invoice: 'in_1' })).toEqual({
      objects: [],
      ids: ['pi_1', 'in_1'],
      email: null,
    });
  });

  it('of a charge hold the refunds that it lists', () => {
    const refunds = [
      { id: 're_1', amount: 1, created: 1 },
      { id: 're_2', amount: 1, created: 1, status: 'failed' },
      { amount: 1 },
      're_3',
    ];
    const charge = {
      id: 'ch_1',
      payment_intent: 'pi_1',
      invoice: 'in_1',
      currency: 'usd',
      refunds,
    };
    const facts = of('charge.refunded', charge, { created: 2 });
    expect(facts?.ids).toEqual(['ch_1', 'pi_1', 'in_1', 're_1', 're_2']);
    expect(facts?.objects.slice(1)).toMatchObject([
      { id: 're_1', fact: { chargeId: 'ch_1', failedAt: null } },
      { id: 're_2', fact: { failedAt: '1970-01-01T00:00:02.000Z' } },
    ]);
  });

  it.each([
    ['charge.dispute.created', 'open'],
    ['charge.dispute.funds_withdrawn', 'open'],
    ['charge.dispute.closed', 'ended'],
  ])('of %s leave a dispute %s', (type, state) => {
    expect(of(type, { id: 'du_1', charge: 'ch_1' })).toMatchObject({
      ids: ['du_1', 'ch_1'],
      objects: [{ fact: { state } }],
    });
  });
});

describe('two facts of one object', () => {
  const factOf = (type: string, object: object) =>
    readStripeFacts({ type, data: { object: { id: 'o_1', ...object } } }, receivedAt)?.objects[0]
      ?.fact ?? null;
  const facts = [
    factOf('checkout.session.completed', { amount_total: 1 }),
    factOf('charge.succeeded', { amount: 1 }),
    factOf('refund.created', { amount: 1 }),
    factOf('charge.dispute.created', { amount: 1 }),
  ];

  it('of different kinds are the first, and what is known is more than nothing', () => {
    for (const one of facts) {
      for (const other of facts) {
        expect(mergeFacts(one, other)).toMatchObject({ kind: one?.kind });
        if (one !== other) expect(mergeFacts(one, other)).toBe(one);
      }
      expect(mergeFacts(one, null)).toBe(one);
      expect(mergeFacts(null, one)).toBe(one);
    }
    expect(mergeFacts(null, null)).toBeNull();
  });

  it('of one kind are what both say', () => {
    const invoice = (paid: number) =>
      factOf('invoice.paid', { status_transitions: { paid_at: paid }, total: paid });
    expect(mergeFacts(invoice(2), invoice(1))).toMatchObject({
      paidAt: '1970-01-01T00:00:01.000Z',
    });
    const more = [
      factOf('charge.succeeded', { amount: 2, currency: 'usd' }),
      factOf('refund.created', { amount: 2, currency: 'usd' }),
      factOf('charge.dispute.created', { amount: 2, currency: 'usd' }),
    ];
    more.forEach((one, index) => {
      expect(mergeFacts(facts[index + 1] ?? null, one)).toMatchObject({ amountCents: 2 });
    });
  });
});
