import { rulesOf } from '../../../entities/rules/billers';
import { disputeFacts, disputeRead, orderFacts } from '../../../entities/rules/polar/rules';
import { polarOrder, polarOrderEvent, polarRefund } from '../../support/billers/polar';

const rules = rulesOf('polar');
const now = '2026-02-01T00:00:00.000Z';
const at = new Date('2026-01-31T10:00:00.000Z');
const told = { toldAt: '2026-01-31T10:00:00.000000Z', receivedAt: now };
const order = (fields: Parameters<typeof polarOrderEvent>[0] = {}) =>
  polarOrderEvent({ id: 'o1', customer: 'c1', at, ...fields });
const factOf = (event: object) => rules.factsOf(event, now)?.objects[0]?.fact;
const withData = (data: object) => ({ ...order(), data: { ...order().data, ...data } });

it('an order is a sale before tax, with what it names', () => {
  const event = order({
    ...{ click: 'clk', reference: 'ref', customerId: 'user', externalId: 'shop-7' },
    ...{ code: 'TEA', checkout: 'k1', refunded: 500 },
  });
  expect(rules.factsOf(event, now)).toEqual({
    ids: ['o1', 'k1'],
    email: 'buyer@example.com',
    objects: [
      {
        id: 'o1',
        fact: {
          kind: 'sale',
          ...told,
          isDone: true,
          ...{ amountCents: 10_000, grossCents: 11_900, wholeCents: 11_900, refundedCents: 500 },
          currency: 'eur',
          ...{ paidAt: at.toISOString(), madeAt: at.toISOString(), periodAt: null },
          ...{ isPart: false, begins: false },
          ...{ clickIds: ['clk', 'ref'], metadataClickIds: ['clk'], code: 'TEA' },
          discountId: expect.any(String) as string,
          ...{ own: ['user', 'shop-7'], billers: ['c1'], subscriptionId: null, feeCents: 450 },
        },
      },
    ],
  });
});

it.each<[string, object, object]>([
  ['is done once it is paid', order({ paid: false }), { isDone: false }],
  [
    'balance takes its share',
    order({ balance: 5_950 }),
    { amountCents: 5_000, grossCents: 5_950, wholeCents: 5_950 },
  ],
  ['it is never more than net', withData({ due_amount: 20_000 }), { amountCents: 10_000 }],
  [
    'without a due amount the total is',
    withData({ due_amount: null }),
    { amountCents: 10_000, grossCents: 11_900 },
  ],
  ['nothing due is nothing', withData({ due_amount: 0 }), { amountCents: 0 }],
  [
    'nothing below nothing',
    withData({ net_amount: -5, due_amount: -5 }),
    { amountCents: 0, grossCents: 0 },
  ],
  [
    'no total is nothing',
    withData({ total_amount: 0, due_amount: null }),
    { amountCents: 0, grossCents: 0 },
  ],
  [
    'a total below nothing is none',
    withData({ total_amount: -1, due_amount: null }),
    { amountCents: 0, grossCents: 0 },
  ],
  [
    'tax that came back counts',
    withData({ refunded_amount: 7, refunded_tax_amount: 3 }),
    { refundedCents: 10 },
  ],
  ['a purchase pays flat', order({ reason: 'purchase' }), { isPart: false, begins: false }],
  [
    'a first period begins',
    order({ subscription: 's1', period: at, reason: 'subscription_create' }),
    { isPart: false, begins: true, periodAt: at.toISOString(), subscriptionId: 's1' },
  ],
  [
    'a period pays flat',
    order({ subscription: 's1', period: at, reason: 'subscription_cycle' }),
    { isPart: false, begins: false, periodAt: at.toISOString() },
  ],
  [
    'a change of plan does not',
    order({ subscription: 's1', period: at, reason: 'subscription_update' }),
    { isPart: true, periodAt: null },
  ],
  ['a fee in another currency is unknown', order({ feeCurrency: 'usd' }), { feeCents: null }],
  ['a fee whose currency is not told is unknown', order({ feeCurrency: null }), { feeCents: null }],
  [
    'a fee is known in any case',
    order({ feeCurrency: 'EUR', currency: 'EUR' }),
    { feeCents: 450, currency: 'eur' },
  ],
  [
    'without a time it is when we heard of it',
    withData({ created_at: null }),
    { paidAt: now, madeAt: now },
  ],
  ['without a discount it has no code', order(), { code: '', discountId: null }],
  ['the customer is found inside, too', withData({ customer_id: null }), { billers: ['c1'] }],
  [
    'without a customer it names none',
    withData({ customer_id: null, customer: null }),
    { billers: [], own: [] },
  ],
  [
    'the subscription is found inside, too',
    withData({ subscription_id: null, subscription: { id: 's9' } }),
    { subscriptionId: 's9' },
  ],
  [
    'an external id that is nobody is none',
    withData({ customer: { id: 'c1', external_id: 'null' } }),
    { own: [] },
  ],
  [
    'without a currency it has none',
    withData({ currency: null }),
    { currency: '', feeCents: null },
  ],
  ['without a reason it is a part', withData({ billing_reason: null }), { isPart: true }],
])('a payment of Polar: %s', (_what, event, expected) => {
  expect(factOf(event)).toMatchObject(expected);
});

it('the checkout of the first order leads to it, and of no later one', () => {
  const idsOf = (reason: 'purchase' | 'subscription_create' | 'subscription_cycle') =>
    orderFacts({ id: 'o1', data: { billing_reason: reason, checkout_id: 'k1' }, told }).ids;
  expect(idsOf('purchase')).toEqual(['o1', 'k1']);
  expect(idsOf('subscription_create')).toEqual(['o1', 'k1']);
  expect(idsOf('subscription_cycle')).toEqual(['o1']);
  expect(orderFacts({ id: 'o1', data: {}, told })).toMatchObject({ ids: ['o1'], email: null });
});

it('a refund has its order read', () => {
  expect(rules.factsOf(polarRefund('o1'), now)).toEqual({ objects: [], ids: ['o1'], email: null });
  const refund = polarRefund('o1');
  expect(rules.factsOf({ ...refund, data: { id: 'r1' } }, now)).toBeNull();
});

it.each([
  ['early_warning', 'open'],
  ['needs_response', 'open'],
  ['under_review', 'open'],
  ['lost', 'counts'],
  ['won', 'none'],
  ['constructor', 'none'],
  ['prevented', 'none'],
  [null, 'none'],
])('a dispute that is %s is %s', (status, state) => {
  const data = { order_id: 'o1', status, amount: 700, tax_amount: 133 };
  expect(disputeFacts({ id: 'd1', data, told })).toEqual({
    ids: ['o1'],
    email: null,
    objects: [{ id: 'd1', fact: { kind: 'return', ...told, what: 'dispute', state, cents: 833 } }],
  });
});

it('a dispute of nothing is none', () => {
  expect(disputeFacts({ id: 'd1', data: {}, told })).toBeNull();
  const below = disputeFacts({ id: 'd1', data: { order_id: 'o1', amount: -5 }, told });
  expect(below?.objects[0]?.fact).toMatchObject({ cents: 0 });
  const event = {
    type: disputeRead,
    timestamp: at.toISOString(),
    data: { id: 'd1', order_id: 'o1' },
  };
  expect(rules.factsOf(event, now)).toMatchObject({ ids: ['o1'] });
});

it('a delivery is no event without its id, kind or object', () => {
  expect(rules.headerOf(order(), 'msg_1')).toMatchObject({
    ...{ billerEventId: 'msg_1', type: 'order.paid', apiVersion: null, objectId: 'o1' },
  });
  for (const id of [null, '']) expect(rules.headerOf(order(), id)).toBeNull();
  expect(rules.headerOf({ ...order(), type: '' }, 'msg_1')).toBeNull();
  expect(rules.headerOf([], 'msg_1')).toBeNull();
  expect(rules.headerOf(order(), 'msg_1')?.foreign('live')).toBeNull();
  expect(rules.factsOf({ ...order(), data: {} }, now)).toBeNull();
  expect(rules.factsOf({ ...order(), type: 'customer.updated' }, now)).toBeNull();
  expect(rules.factsOf({ ...order(), type: null }, now)).toBeNull();
  const { timestamp: _at, ...undated } = order();
  expect(factOf(undated)).toMatchObject({ toldAt: now });
  expect(polarOrder({ id: 'o2' }).id).toBe('o2');
});

it.each([
  ['0198c0de-6000-7000-8000-000000000006', true],
  ['0198C0DE-6000-7000-8000-000000000006', false],
  ['a0198c0de-6000-7000-8000-000000000006', false],
  ['0198c0de-6000-7000-8000-0000000000067', false],
  ['order-1', false],
])('%s may name a payment: %s', (id, is) => {
  expect(rules.isPaymentId(id)).toBe(is);
});

it('reads kinds that tell of sales, and no others', () => {
  for (const type of ['order.created', 'refund.created', disputeRead]) {
    expect(rules.isRead(type)).toBe(true);
  }
  for (const type of ['customer.created', 'dispute.other']) expect(rules.isRead(type)).toBe(false);
});
