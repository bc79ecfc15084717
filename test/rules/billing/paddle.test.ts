import { rulesOf } from '../../../entities/rules/billers';
import type { BillerObject } from '../../../entities/rules/billing/rules';
import { shareOf } from '../../../entities/rules/paddle/transaction';
import {
  paddleAdjustment,
  paddleDiscount,
  paddleSubscription,
  paddleTransaction,
  type PaddleEvent,
} from '../../support/billers/paddle';

const rules = rulesOf('paddle');
const now = '2026-02-01T00:00:00.000Z';
const at = new Date('2026-01-31T10:00:00.000Z');
const factsOf = (event: PaddleEvent | object) => rules.factsOf(event, now);
const factOf = (event: PaddleEvent | object) => factsOf(event)?.objects[0]?.fact;
const sale = (told: Parameters<typeof paddleTransaction>[0] = {}) =>
  paddleTransaction({ id: 'txn_1', customer: 'ctm_1', at, ...told });
/** A transaction with fields of its own. */
const withData = (data: object) => ({ ...sale(), data: { ...sale().data, ...data } });
const summaryOf = (...events: (PaddleEvent | object)[]) =>
  rules.summaryOf(events.flatMap((event) => factsOf(event)?.objects ?? []));

it('a transaction is a sale before tax, with what it names', () => {
  const told = sale({ click: 'clk', customerId: 'user', subscription: 'sub_1', invoice: 'inv_1' });
  const { email, ids, objects } = factsOf(told) ?? { ids: [], objects: [] };
  expect([email, ids]).toEqual([null, ['txn_1', 'inv_1']]);
  expect(objects).toEqual([
    {
      id: 'txn_1',
      fact: {
        kind: 'sale',
        toldAt: '2026-01-31T10:00:00.000123Z',
        receivedAt: now,
        isDone: true,
        ...{ amountCents: 10_000, grossCents: 11_900, wholeCents: 10_000, refundedCents: 0 },
        currency: 'eur',
        ...{ paidAt: at.toISOString(), madeAt: at.toISOString(), periodAt: null },
        ...{ isPart: false, begins: false },
        ...{ clickIds: ['clk'], metadataClickIds: ['clk'], discountId: null, code: '' },
        ...{ own: ['user'], billers: ['ctm_1'], subscriptionId: 'sub_1', feeCents: 500 },
      },
    },
  ]);
});

it.each<[string, object, object]>([
  ['is done once it is completed', sale({ status: 'ready' }), { isDone: false }],
  [
    'another card is no payment',
    sale({ origin: 'subscription_payment_method_change' }),
    { isDone: false },
  ],
  ['a web checkout pays flat', sale({ origin: 'web' }), { isPart: false }],
  ['an invoice by API does', sale({ origin: 'api' }), { isPart: false }],
  ['a period does', sale({ origin: 'subscription_recurring' }), { isPart: false }],
  ['a charge in between does not', sale({ origin: 'subscription_charge' }), { isPart: true }],
  ['a change of plan does not', sale({ origin: 'subscription_update' }), { isPart: true }],
  [
    'credit takes its share',
    sale({ grandTotal: 5_950 }),
    { amountCents: 5_000, grossCents: 5_950 },
  ],
  [
    'credit that pays all leaves nothing',
    sale({ grandTotal: 0 }),
    { amountCents: 0, grossCents: 0 },
  ],
  ['more tax than total is nothing', sale({ total: 5, tax: 9 }), { amountCents: 0, wholeCents: 0 }],
  ['a fee that is not known is null', sale({ fee: null }), { feeCents: null }],
  ['a discount hides its code', sale({ discount: 'dsc_1' }), { discountId: 'dsc_1', code: null }],
  ['its period is told', sale({ period: at }), { periodAt: at.toISOString() }],
  [
    'without totals it is nothing',
    withData({ details: {} }),
    { amountCents: 0, grossCents: 0, wholeCents: 0, feeCents: null },
  ],
  [
    'the latest capture is when it was paid',
    withData({
      payments: [
        { captured_at: '2026-01-03T00:00:00Z' },
        { captured_at: '2026-01-05T00:00:00Z' },
        { captured_at: null },
      ],
    }),
    { paidAt: '2026-01-05T00:00:00.000Z', madeAt: at.toISOString() },
  ],
  [
    'without a capture it is when it was billed',
    withData({ payments: [] }),
    { paidAt: at.toISOString() },
  ],
  [
    'without either it is when we heard of it',
    withData({ payments: [], billed_at: null }),
    { paidAt: now, madeAt: now },
  ],
  ['without a currency it has none', withData({ currency_code: null }), { currency: '' }],
  ['without a customer it names none', withData({ customer_id: null }), { billers: [] }],
  [
    'without a grand total the total counts',
    withData({ details: { totals: { total: '900' } } }),
    { amountCents: 900, grossCents: 900 },
  ],
])('a payment of Paddle: %s', (_what, event, expected) => {
  expect(factOf(event)).toMatchObject(expected);
});

it.each([
  [10_000, 5_950, 11_900, 5_000],
  [10_000, 3_333, 10_001, 3_333],
  [3, 1, 2, 2],
  [10_000, 11_900, 11_900, 10_000],
  [10_000, 20_000, 11_900, 10_000],
  [10_000, 0, 11_900, 0],
  [10_000, 1, 0, 0],
  [10_000, -1, 11_900, 0],
])('the share of %i is, with %i paid of %i, %i', (amount, paid, total, expected) => {
  expect(shareOf(amount, paid, total)).toBe(expected);
});

it.each<[Parameters<typeof paddleAdjustment>[0]['action'], string, string, string]>([
  ['refund', 'approved', 'refund', 'counts'],
  ['refund', 'pending_approval', 'refund', 'none'],
  ['refund', 'rejected', 'refund', 'none'],
  ['refund', 'reversed', 'refund', 'undone'],
  ['refund', 'constructor', 'refund', 'none'],
  ['chargeback', 'approved', 'chargeback', 'counts'],
  ['chargeback', 'reversed', 'chargeback', 'undone'],
  ['chargeback_reverse', 'approved', 'chargeback_reverse', 'counts'],
  ['chargeback_warning', 'approved', 'warning', 'counts'],
  ['chargeback_warning_reverse', 'approved', 'warning_reverse', 'counts'],
  ['credit', 'approved', 'refund', 'none'],
  ['credit_reverse', 'approved', 'refund', 'none'],
])('an adjustment: %s that is %s is a %s that is %s', (action, status, what, state) => {
  const told = paddleAdjustment({ id: 'adj_1', transaction: 'txn_1', at, subtotal: 700 });
  const event = { ...told, data: { ...told.data, action, status } };
  expect(factsOf(event)).toMatchObject({
    ids: ['txn_1'],
    objects: [{ id: 'adj_1', fact: { kind: 'return', what, state, cents: 700 } }],
  });
});

it('an adjustment of nothing is none, and its action says the way of what has a sign', () => {
  const told = paddleAdjustment({ id: 'adj_1', transaction: 'txn_1', subtotal: -5 });
  expect(factOf(told)).toMatchObject({ cents: 5 });
  expect(factOf({ ...told, data: { ...told.data, totals: {} } })).toMatchObject({ cents: 0 });
  expect(factsOf({ ...told, data: { ...told.data, transaction_id: null } })).toBeNull();
  expect(factsOf({ ...told, event_type: 'adjustment.created' })).not.toBeNull();
});

it('a subscription names the transaction that began it, a discount its code', () => {
  const begun = paddleSubscription({ id: 'sub_9', transaction: 'txn_1', at });
  expect(factsOf(begun)).toMatchObject({
    ids: ['txn_1'],
    objects: [{ id: 'sub_9', fact: { kind: 'subscription', subscriptionId: 'sub_9' } }],
  });
  expect(factsOf({ ...begun, data: { id: 'sub_9' } })).toBeNull();
  expect(summaryOf(sale(), begun)).toMatchObject({ subscriptionId: 'sub_9', tellings: 1 });
  expect(summaryOf(begun)).toMatchObject({ subscriptionId: 'sub_9', tellings: 0, sale: null });
  expect(summaryOf(sale({ subscription: 'sub_1' }), begun).subscriptionId).toBe('sub_1');
  const discount = paddleDiscount({ id: 'dsc_1', code: 'TEA' });
  expect(factsOf(discount)).toMatchObject({
    objects: [],
    discounts: [{ id: 'dsc_1', code: 'TEA' }],
  });
  expect(factsOf(paddleDiscount({ id: 'dsc_1', code: null }))).toMatchObject({
    discounts: [{ id: 'dsc_1', code: '' }],
  });
  for (const type of ['discount.updated', 'discount.imported']) {
    expect(factsOf({ ...discount, event_type: type })).not.toBeNull();
  }
  expect(factsOf({ ...discount, event_type: 'discount.created.more' })).toBeNull();
  expect(factsOf({ ...discount, event_type: 'a.discount.created' })).toBeNull();
});

it('a delivery is no event without its id, kind or object', () => {
  expect(rules.headerOf(sale({ type: 'transaction.updated' }), null)).toMatchObject({
    ...{ type: 'transaction.updated', apiVersion: null, objectId: 'txn_1' },
    billerEventId: expect.any(String) as string,
  });
  expect(rules.headerOf({ ...sale(), event_id: '' }, null)).toBeNull();
  expect(rules.headerOf({ ...sale(), event_type: null }, null)).toBeNull();
  expect(rules.headerOf([], null)).toBeNull();
  expect(rules.headerOf(sale(), null)?.foreign('live')).toBeNull();
  expect(factsOf({ ...sale(), data: {} })).toBeNull();
  expect(factsOf({ ...sale(), event_type: 'customer.created' })).toBeNull();
  expect(factsOf({ ...sale(), event_type: null })).toBeNull();
  const { occurred_at: _at, ...undated } = sale();
  expect(factOf(undated)).toMatchObject({ toldAt: now });
});

it.each([
  ['txn_01hv8x2w', true],
  ['inv_01hv8x2w', true],
  ['325-10566', true],
  ['325-', false],
  ['order-325', false],
  ['pi_1', false],
  ['txn_', false],
  ['a-txn_1', false],
  ['txn_1/', false],
])('%s may name a payment: %s', (id, is) => {
  expect(rules.isPaymentId(id)).toBe(is);
});

it('reads kinds that tell of sales, and no others', () => {
  const read = ['transaction.paid', 'adjustment.created', 'adjustment.updated', 'discount.created'];
  for (const type of [...read, 'subscription.created']) expect(rules.isRead(type)).toBe(true);
  for (const type of ['subscription.updated', 'adjustment.other', 'customer.updated']) {
    expect(rules.isRead(type)).toBe(false);
  }
});

describe('what its tellings say together', () => {
  const objectsOf = (...events: object[]): BillerObject[] =>
    events.flatMap((event) => factsOf(event)?.objects ?? []);

  it('is one sale with its signals, once it is done and paid', () => {
    const told = sale({ click: 'clk', customerId: 'user' });
    expect(summaryOf(told)).toMatchObject({
      ...{ paidAt: at.toISOString(), isPaid: true, tellings: 1, hidesCode: false },
      signals: { clickIds: ['clk'], metadataClickIds: ['clk'], codes: [] },
      names: { own: ['user'], billers: ['ctm_1'] },
      ...{ subscriptionId: null, customerId: 'ctm_1' },
      sale: {
        ...{ externalId: 'txn_1', toldBy: 'invoice', paidAt: at.toISOString() },
        ...{ madeAt: at.toISOString(), periodAt: null, amountCents: 10_000, grossCents: 11_900 },
        ...{ currency: 'eur', begins: false, isPart: false, mayHaveCheckout: false },
        ...{ hasCheckout: false, aliases: ['txn_1'], feeCents: 500 },
      },
    });
    expect(summaryOf(sale({ status: 'ready' }))).toMatchObject({
      ...{ sale: null, paidAt: null, isPaid: false, hidesCode: false, tellings: 1 },
    });
    // A trial: nothing was paid, and it began all the same.
    expect(summaryOf(sale({ total: 0, tax: 0 }))).toMatchObject({
      ...{ paidAt: null, isPaid: false },
      sale: { hasCheckout: true, paidAt: null },
    });
    expect(summaryOf()).toEqual({
      ...{ sale: null, paidAt: null, isPaid: false, tellings: 0, hidesCode: false },
      signals: { clickIds: [], metadataClickIds: [], codes: [] },
      names: { own: [], billers: [] },
      ...{ subscriptionId: null, customerId: null },
    });
  });

  it('lacks a code until its text is known', () => {
    const facts = factsOf(sale({ discount: 'dsc_1' })) ?? { objects: [], ids: [], email: null };
    expect(rules.discountsOf?.(facts)).toEqual(['dsc_1']);
    expect(rules.summaryOf(facts.objects).hidesCode).toBe(true);
    const known =
      rules.withCodes?.(facts, [{ id: 'dsc_1', code: 'TEA', toldAt: at.toISOString() }]) ?? facts;
    expect(rules.discountsOf?.(known)).toEqual([]);
    expect(rules.summaryOf(known.objects)).toMatchObject({
      ...{ hidesCode: false, signals: { codes: ['TEA'] } },
    });
    const other =
      rules.withCodes?.(facts, [{ id: 'dsc_2', code: 'TEA', toldAt: at.toISOString() }]) ?? known;
    expect(rules.discountsOf?.(other)).toEqual(['dsc_1']);
    const plain = factsOf(sale()) ?? facts;
    expect(rules.discountsOf?.(plain)).toEqual([]);
    expect(
      rules.withCodes?.(plain, [{ id: 'dsc_1', code: 'TEA', toldAt: at.toISOString() }]),
    ).toEqual(plain);
  });

  it('settles by its own whole and fee, and what came back', () => {
    const refund = paddleAdjustment({ id: 'adj_1', transaction: 'txn_1', subtotal: 700 });
    expect(rules.settlementOf(objectsOf(sale(), refund))).toEqual({
      ...{ chargeCents: 10_000, refundedCents: 700, lostDisputeCents: 0, openDisputes: 0 },
      feeCents: 500,
    });
    expect(rules.settlementOf(objectsOf(sale({ status: 'ready' })))).toMatchObject({
      ...{ chargeCents: null, feeCents: null },
    });
    expect(rules.settlementOf([])).toMatchObject({ chargeCents: null, refundedCents: 0 });
  });

  it('is known by its sale and what is only named, never by what came back', () => {
    const all = [
      ...objectsOf(sale(), paddleAdjustment({ id: 'adj_1', transaction: 'txn_1' })),
      ...objectsOf(paddleSubscription({ id: 'sub_1', transaction: 'txn_1' })),
      { id: 'inv_1', fact: null },
    ];
    expect(rules.paymentIdsOf(all)).toEqual(['txn_1', 'inv_1']);
    expect(rules.namesOf(all)).toEqual(['txn_1', 'sub_1', 'inv_1']);
    expect([rules.tellsSale(all), rules.tellsSale(all.slice(1))]).toEqual([true, false]);
  });

  it('keeps what was done, then what is newest; times alone say nothing', () => {
    const [done, ready] = [factOf(sale()) ?? null, factOf(sale({ status: 'ready' })) ?? null];
    const later = (fact: object | null, more: object) => ({ ...fact, ...more }) as typeof done;
    expect(rules.merge(done, later(ready, { toldAt: '2027' }))).toEqual(done);
    expect(rules.merge(ready, done)).toEqual(done);
    expect(rules.merge(null, done)).toEqual(done);
    expect(rules.merge(done, null)).toEqual(done);
    const newer = later(done, { toldAt: '2027' });
    expect([rules.merge(done, newer), rules.merge(newer, done)]).toEqual([newer, newer]);
    const again = later(done, { receivedAt: '2027' });
    expect([rules.merge(done, again), rules.merge(again, done)]).toEqual([again, again]);
    expect(rules.says(done)).toBe(rules.says(again));
    expect(rules.says(done)).not.toBe(rules.says(ready));
    expect(rules.says(null)).toBe('');
  });
});
