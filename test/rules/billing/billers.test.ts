import { EventName } from '@paddle/paddle-node-sdk';
import type { webhooks } from '@polar-sh/sdk/2026-04';
import { rulesOf } from '../../../entities/rules/billers';
import { toldRules, type ToldFact, type ToldReturn } from '../../../entities/rules/billing/told';
import { permutations } from '../../support/permutations';

const at = '2026-01-31T10:00:00.000000Z';
const told = { toldAt: at, receivedAt: at };

/** What an event of any kind may be about, and what no event should be. */
const objects = [
  {},
  { id: 'x' },
  { id: 'x', transaction_id: 'txn_1', order_id: 'o', status: 'completed', paid: true },
  { id: 'x', details: { totals: { total: 'many', tax: null } }, payments: 'none', metadata: [] },
  { id: 'x', amount: -1, net_amount: 1.5, custom_data: { aff_click_id: 7, customer_id: ' null ' } },
];

/** Every kind that the SDK knows: TypeScript asks for each. */
const ofPolar: Record<webhooks.WebhookPayload['type'], true> = {
  'benefit.created': true,
  'benefit_grant.created': true,
  'benefit_grant.cycled': true,
  'benefit_grant.revoked': true,
  'benefit_grant.updated': true,
  'benefit.updated': true,
  'checkout.created': true,
  'checkout.expired': true,
  'checkout.updated': true,
  'customer.created': true,
  'customer.deleted': true,
  'customer_seat.assigned': true,
  'customer_seat.claimed': true,
  'customer_seat.revoked': true,
  'customer.state_changed': true,
  'customer.updated': true,
  'discount.created': true,
  'discount.deleted': true,
  'discount.updated': true,
  'member.created': true,
  'member.deleted': true,
  'member.updated': true,
  'order.created': true,
  'order.paid': true,
  'order.refunded': true,
  'order.updated': true,
  'organization.updated': true,
  'product.created': true,
  'product.updated': true,
  'refund.created': true,
  'refund.updated': true,
  'subscription.active': true,
  'subscription.canceled': true,
  'subscription.created': true,
  'subscription.cycled': true,
  'subscription.migrated': true,
  'subscription.past_due': true,
  'subscription.paused': true,
  'subscription.resumed': true,
  'subscription.revoked': true,
  'subscription.uncanceled': true,
  'subscription.updated': true,
};

it.each(Object.values(EventName))('%s of Paddle is read without an error, twice', (type) => {
  const { headerOf, factsOf, summaryOf } = rulesOf('paddle');
  for (const data of objects) {
    const event = { event_id: 'evt_1', event_type: type, occurred_at: at, data };
    expect(headerOf(event, null)).toMatchObject({ type });
    const [first, second] = [factsOf(event, at), factsOf(event, at)];
    expect(first).toEqual(second);
    summaryOf(first?.objects ?? []);
  }
});

it.each(Object.keys(ofPolar))('%s of Polar is read without an error, twice', (type) => {
  const { headerOf, factsOf, summaryOf } = rulesOf('polar');
  for (const data of objects) {
    const event = { type, timestamp: at, data };
    expect(headerOf(event, 'id')).toMatchObject({ type });
    const [first, second] = [factsOf(event, at), factsOf(event, at)];
    expect(first).toEqual(second);
    summaryOf(first?.objects ?? []);
  }
});

describe('what came back', () => {
  const back = (
    what: ToldReturn['what'],
    cents: number,
    state: ToldReturn['state'] = 'counts',
  ) => ({
    kind: 'return' as const,
    ...told,
    what,
    state,
    cents,
  });
  const settled = (facts: ToldFact[]) => {
    const numbered = facts.map((fact, n) => ({ id: `adj_${n}`, fact }));
    const { refundedCents, lostDisputeCents, openDisputes } = toldRules.settlementOf(numbered);
    return [refundedCents, lostDisputeCents, openDisputes];
  };

  it.each<[string, ToldFact[], number[]]>([
    ['a refund', [back('refund', 500)], [500, 0, 0]],
    ['one that waits or was rejected', [back('refund', 500, 'none')], [0, 0, 0]],
    ['a chargeback', [back('chargeback', 900)], [0, 900, 0]],
    ['and its reverse', [back('chargeback', 900), back('chargeback_reverse', 900)], [0, 0, 0]],
    [
      'the same told by its status too',
      [back('chargeback', 900, 'undone'), back('chargeback_reverse', 900)],
      [0, 0, 0],
    ],
    [
      'beside one that stands',
      [back('chargeback', 900, 'undone'), back('chargeback_reverse', 900), back('chargeback', 300)],
      [0, 300, 0],
    ],
    ['a reverse alone', [back('chargeback_reverse', 900)], [0, 0, 0]],
    ['a warning', [back('warning', 900)], [0, 0, 1]],
    ['that is over', [back('warning', 900), back('warning_reverse', 900)], [0, 0, 0]],
    ['that came true', [back('warning', 900), back('chargeback', 900)], [0, 900, 0]],
    ['a dispute', [back('dispute', 900, 'open')], [0, 0, 1]],
    ['that was lost', [back('dispute', 900)], [0, 900, 0]],
  ])('counts %s', (_, facts, expected) => {
    for (const order of permutations(facts)) expect(settled(order)).toEqual(expected);
  });

  it('is what the newest telling says, in any order', () => {
    const tellings = [
      back('refund', 1, 'none'),
      { ...back('refund', 2), toldAt: '2026-01-31T10:00:00.000001Z' },
      { ...back('refund', 3), toldAt: '2026-01-31T10:00:00.000001Z', receivedAt: '2026-02-01' },
    ];
    for (const order of permutations(tellings)) {
      const merged = order.reduce<object | null>(
        (all, one) => toldRules.merge(all as ToldFact | null, one),
        null,
      );
      expect(merged).toMatchObject({ cents: 3 });
    }
  });
});
