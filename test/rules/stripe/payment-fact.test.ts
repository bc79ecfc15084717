import {
  hasUnreadCode,
  isStripesOwn,
  linksOfInvoice,
  linksOfInvoicePayment,
  linksOfSession,
  mergePayments,
  promotionsOf,
  readInvoice,
  readSession,
  type PaymentFact,
} from '../../../entities/rules/stripe/payment-fact';

const at = '2026-01-01T00:00:00.000Z';
const later = '2026-01-02T00:00:00.000Z';

const session = (fields: object = {}) =>
  readSession(
    { currency: 'USD', payment_status: 'paid', amount_total: 1_000, ...fields },
    at,
    true,
  );
const invoice = (fields: object = {}) =>
  readInvoice({ currency: 'USD', total: 1_000, amount_paid: 1_000, ...fields }, at, true);

describe('a checkout session', () => {
  it('is read as it is', () => {
    const fields = {
      metadata: { aff_click_id: 'c1', customer_id: 'u1' },
      client_reference_id: 'r1',
      subscription: 'sub_1',
      customer: 'cus_1',
    };
    expect(session(fields)).toStrictEqual({
      kind: 'session',
      items: null,
      metadata: null,
      paid: true,
      amountCents: 1_000,
      chargedCents: 1_000,
      currency: 'usd',
      paidAt: at,
      completedAt: at,
      metadataClickIds: ['c1'],
      clientReferenceId: 'r1',
      isPaymentLink: false,
      metadataCustomerId: 'u1',
      promotions: [],
      hidesPromotions: false,
      subscriptionId: 'sub_1',
      customerId: 'cus_1',
    });
    expect(readSession({}, at, false)).toMatchObject({
      paid: false,
      amountCents: 0,
      chargedCents: 0,
      currency: '',
      completedAt: null,
    });
  });

  it.each([
    ['plink_1', true],
    [{ id: 'plink_1', object: 'payment_link' }, true],
    [null, false],
  ])('that began at %j, whose reference a buyer may have typed', (payment_link, isPaymentLink) => {
    expect(session({ payment_link })).toMatchObject({ isPaymentLink });
  });

  it('names clicks, codes and customers without what nobody sees at their ends', () => {
    const promotion_code = { id: 'promo_1', code: '\u200bANNA10 ' };
    const fields = {
      metadata: { aff_click_id: '\ufeffc1\u200b', customer_id: '\u00a0u1\u2060' },
      client_reference_id: '\u200er1\n',
      discounts: [{ promotion_code }],
    };
    expect(session(fields)).toMatchObject({
      metadataClickIds: ['c1'],
      clientReferenceId: 'r1',
      metadataCustomerId: 'u1',
      promotions: [{ id: 'promo_1', code: 'ANNA10' }],
    });
  });

  it.each(['guest', 'undefined', '0', '{{customer.id}}', '\u200b'])(
    'names nobody by %j',
    (name) => {
      const fields = { metadata: { customer_id: name }, client_reference_id: name };
      expect(session(fields)).toMatchObject({ clientReferenceId: null, metadataCustomerId: null });
    },
  );

  it.each([
    ['paid', true],
    ['no_payment_required', true],
    ['unpaid', false],
  ])('that is %s', (payment_status, paid) => {
    expect(session({ payment_status }).paid).toBe(paid);
  });

  it.each([
    [{ total_details: { amount_tax: 100, amount_shipping: 50 } }, 850, 1_000],
    [{ total_details: { amount_shipping: 60 }, shipping_cost: { amount_total: 50 } }, 950, 1_000],
    [{ shipping_cost: { amount_total: 50, amount_tax: 8 } }, 958, 1_000],
    [{ total_details: { amount_tax: 1_001 } }, 0, 1_000],
    [{ amount_total: -1 }, 0, 0],
  ])('with %j is %s of %s', (fields, amountCents, chargedCents) => {
    expect(session(fields)).toMatchObject({ amountCents, chargedCents });
  });

  it.each([
    [{}, false],
    [{ total_details: { amount_discount: 0 } }, false],
    [{ total_details: { amount_discount: 1 } }, true],
    [{ discounts: [{ promotion_code: 'promo_1' }], total_details: { amount_discount: 1 } }, false],
    [{ discounts: [{ promotion_code: 'promo_1' }] }, false],
  ])('with %j hides its code: %s', (fields, expected) => {
    expect(session(fields).hidesPromotions).toBe(expected);
  });

  it.each([
    [{ payment_intent: 'pi_1', invoice: 'in_1', subscription: 'sub_1' }, ['pi_1', 'in_1']],
    [{ subscription: 'sub_1' }, ['sub_1#first']],
    [{ payment_intent: 'pi_1' }, ['pi_1']],
    [{}, []],
  ])('with %j is known by %j', (fields, ids) => {
    expect(linksOfSession(fields)).toEqual(ids);
  });
});

describe('an invoice', () => {
  it('is read as it is', () => {
    const fields = {
      billing_reason: 'subscription_create',
      created: 0,
      status_transitions: { paid_at: 1 },
      metadata: { aff_click_id: 'c1' },
      subscription_details: { metadata: { aff_click_id: 'c2' } },
      customer: 'cus_1',
    };
    expect(invoice(fields)).toStrictEqual({
      kind: 'invoice',
      items: null,
      metadata: null,
      subscriptionMetadata: null,
      paid: true,
      amountCents: 1_000,
      chargedCents: 1_000,
      currency: 'usd',
      begins: true,
      createdAt: '1970-01-01T00:00:00.000Z',
      periodStart: null,
      billingReason: 'subscription_create',
      paidAt: '1970-01-01T00:00:01.000Z',
      metadataClickIds: ['c1', 'c2'],
      clientReferenceId: null,
      promotions: [],
      hidesPromotions: false,
      subscriptionId: null,
      customerId: 'cus_1',
    });
    const parent = { subscription_details: { metadata: { aff_click_id: 'c3' } } };
    expect(invoice({ ...fields, parent }).metadataClickIds).toEqual(['c1', 'c3']);
    expect(invoice({ billing_reason: 'subscription_cycle' })).toMatchObject({
      begins: false,
      paidAt: at,
    });
  });

  it.each([
    [{ total: undefined, amount_paid: undefined }, 0, 0],
    [{ total: undefined }, 1_000, 1_000],
    [{ amount_paid: undefined }, 1_000, 1_000],
    [{ amount_paid: 400 }, 400, 400],
    [{ amount_paid: 1_200 }, 1_000, 1_200],
    [{ amount_paid: -5 }, 0, 0],
    [{ total: -5, amount_paid: undefined }, 0, 0],
    [{ amount_paid: 0, amount_due: 500 }, 500, 500],
    [{ amount_paid: 0 }, 0, 0],
    [{ amount_paid: 0, paid_out_of_band: true }, 1_000, 1_000],
    [{ amount_paid: 400, amount_due: 900, paid_out_of_band: true }, 1_000, 900],
    [{ amount_paid: 950, amount_due: 900, paid_out_of_band: true }, 1_000, 950],
    [{ total_excluding_tax: 840 }, 840, 1_000],
    [{ tax: 160 }, 840, 1_000],
    [{ tax: 1, total_tax_amounts: [{ amount: 100 }, {}, { amount: 60 }] }, 840, 1_000],
    [{ tax: 1, total_taxes: [{ amount: 100 }] }, 900, 1_000],
    [{ tax: 1, total_taxes: [{}] }, 1_000, 1_000],
    [{ amount_shipping: 50 }, 950, 1_000],
    [{ amount_shipping: 60, shipping_cost: { amount_total: 60, amount_tax: 10 } }, 950, 1_000],
    [{ shipping_cost: { amount_total: 50 } }, 950, 1_000],
    [{ tax: 2_000 }, 0, 1_000],
  ])('with %j is %s of %s', (fields, amountCents, chargedCents) => {
    expect(invoice(fields)).toMatchObject({ amountCents, chargedCents });
  });

  it.each([
    [{}, false],
    [{ total_discount_amounts: [{ amount: 0 }, {}] }, false],
    [{ total_discount_amounts: [{ amount: 0 }, { amount: 1 }] }, true],
    [{ discount: { promotion_code: 'promo_1' } }, false],
    [{ discount: { promotion_code: 'promo_1' }, total_discount_amounts: [{ amount: 9 }] }, false],
  ])('with %j hides its code: %s', (fields, expected) => {
    expect(invoice(fields).hidesPromotions).toBe(expected);
  });

  const details = (of: string) => ({ parent: { [of]: { subscription: 'sub_1' } } });
  it.each([
    [{ subscription: 'sub_1' }],
    [details('subscription_details')],
    [{ lines: [{}, { subscription: 'sub_1' }] }],
    [{ lines: { data: [details('subscription_item_details')] } }],
    [{ lines: [details('invoice_item_details'), { subscription: 'sub_2' }] }],
    [{ subscription: 'sub_1', ...details('nothing'), lines: [{ subscription: 'sub_2' }] }],
  ])('with %j is of its subscription', (fields) => {
    expect(invoice(fields).subscriptionId).toBe('sub_1');
  });

  it('is of none that it does not name', () => {
    expect(invoice({ lines: [{}, {}] }).subscriptionId).toBeNull();
  });

  it.each([
    [{ payment_intent: 'pi_1', charge: 'ch_1' }, ['pi_1', 'ch_1']],
    [
      { payments: { data: [{ payment: { payment_intent: 'pi_1', charge: 'py_1' } }] } },
      ['pi_1', 'py_1'],
    ],
    [{ subscription: 'sub_1', billing_reason: 'subscription_create' }, ['sub_1#first']],
    [{ subscription: 'sub_1' }, []],
    [{ billing_reason: 'subscription_create' }, []],
  ])('with %j is known by %j', (fields, ids) => {
    expect(linksOfInvoice(fields)).toEqual(ids);
  });

  it('has payments that name it', () => {
    const payment = { invoice: 'in_1', payment: { payment_intent: 'pi_1' } };
    expect(linksOfInvoicePayment(payment)).toEqual(['pi_1', 'in_1']);
    expect(['pi_1', 'sub_1#first'].map(isStripesOwn)).toEqual([true, false]);
  });
});

describe('promotion codes', () => {
  it.each([
    [[{ promotion_code: 'promo_1' }], [{ id: 'promo_1', code: null }]],
    [[{ discount: { promotion_code: 'promo_1' } }], [{ id: 'promo_1', code: null }]],
    [[{ promotion_code: { code: 'SUMMER' } }], [{ id: null, code: 'SUMMER' }]],
    [
      [{ promotion_code: { id: 'promo_1', code: 'SUMMER' } }, { promotion_code: 'promo_1' }],
      [{ id: 'promo_1', code: 'SUMMER' }],
    ],
    [
      [{ promotion_code: 'promo_1' }, { promotion_code: { id: 'promo_1', code: 'SUMMER' } }],
      [{ id: 'promo_1', code: 'SUMMER' }],
    ],
    [['di_1', null, { coupon: 'c' }], []],
  ])('in %j are %j', (discounts, expected) => {
    expect(promotionsOf(discounts)).toEqual(expected);
  });

  it.each<[Partial<PaymentFact>, boolean]>([
    [{}, false],
    [{ hidesPromotions: true }, true],
    [{ promotions: [{ id: 'p', code: 'X' }] }, false],
    [
      {
        promotions: [
          { id: 'p', code: 'X' },
          { id: 'q', code: null },
        ],
      },
      true,
    ],
  ])('of %j may be unread: %s', (fields, expected) => {
    expect(hasUnreadCode({ ...session(), ...fields })).toBe(expected);
  });
});

describe('two events of one payment', () => {
  const bare: PaymentFact = {
    kind: 'session',
    paid: false,
    amountCents: 1,
    chargedCents: 1,
    currency: 'usd',
    paidAt: at,
    metadataClickIds: ['c2'],
    clientReferenceId: null,
    promotions: [{ id: 'p', code: null }],
    hidesPromotions: true,
    subscriptionId: null,
    customerId: null,
  };
  const full: PaymentFact = {
    ...bare,
    paid: true,
    amountCents: 2,
    paidAt: later,
    completedAt: later,
    begins: true,
    withoutCheckout: true,
    createdAt: at,
    periodStart: later,
    billingReason: 'subscription_create',
    metadataClickIds: ['c1'],
    clientReferenceId: 'r',
    isPaymentLink: true,
    metadataCustomerId: 'u',
    promotions: [
      { id: 'p', code: 'X' },
      { id: null, code: 'Y' },
      { id: null, code: 'Z' },
    ],
    hidesPromotions: false,
    subscriptionId: 's',
    customerId: 'c',
  };

  it('say together what either says, the paid one first', () => {
    const untold = { items: null, metadata: null, subscriptionMetadata: null };
    const both = { ...full, ...untold, metadataClickIds: ['c1', 'c2'] };
    expect(mergePayments(bare, full)).toStrictEqual(both);
    expect(mergePayments(full, bare)).toStrictEqual(both);
    expect(mergePayments(bare, bare)).toMatchObject({
      completedAt: null,
      begins: false,
      withoutCheckout: false,
      isPaymentLink: false,
      metadataCustomerId: null,
      hidesPromotions: true,
    });
  });

  it('are told in the order of their times, whichever of them knows more', () => {
    const first = { ...bare, paid: true, amountCents: 9, completedAt: later };
    const second = { ...full, completedAt: at };
    for (const merged of [mergePayments(first, second), mergePayments(second, first)]) {
      expect(merged).toMatchObject({
        amountCents: 9,
        paidAt: at,
        completedAt: at,
        metadataClickIds: ['c2', 'c1'],
        clientReferenceId: 'r',
        metadataCustomerId: 'u',
        subscriptionId: 's',
        customerId: 'c',
      });
    }
  });

  it('of one second are told by what they say, in either order', () => {
    const [one, other] = [
      { ...bare, metadataClickIds: ['a'] },
      { ...bare, metadataClickIds: ['b'] },
    ];
    expect(mergePayments(one, other)).toEqual(mergePayments(other, one));
    expect(mergePayments(one, other).metadataClickIds).toEqual(['a', 'b']);
  });

  it('keep a code that was read, an empty one too', () => {
    const known = { ...bare, promotions: [{ id: 'p', code: '' }] };
    const named = { ...bare, promotions: [{ id: 'p', code: 'X' }] };
    const paid = { paid: true };
    for (const [a, b, code] of [
      [{ ...named, ...paid }, known, 'X'],
      [{ ...known, ...paid }, named, 'X'],
      [{ ...known, ...paid }, bare, ''],
      [{ ...bare, ...paid }, known, ''],
      [bare, known, ''],
      [known, named, 'X'],
      [named, bare, 'X'],
    ] as const) {
      expect(mergePayments(a, b).promotions).toEqual([{ id: 'p', code }]);
      expect(mergePayments(b, a).promotions).toEqual([{ id: 'p', code }]);
    }
  });
});
