import { judgeTerms, type TermsSource } from '../../../entities/rules/commissions/amount';
import type { Sale } from '../../../entities/rules/commissions/rule-match';
import { defaultGroupOf } from '../../../entities/rules/programs/groups';
import {
  commissionRuleOf,
  commissionRulesProblems,
  type CommissionRuleInput,
  type RuleMatch,
} from '../../../entities/rules/programs/terms';

const rule = (match: RuleMatch, more: Partial<CommissionRuleInput> = {}) =>
  commissionRuleOf({ name: 'r', match, type: 'percentage', rateBps: 1_000, ...more });
const source = (...rules: TermsSource['rules']): TermsSource => ({
  currency: 'usd',
  terms: {
    ...{ type: 'percentage', rateBps: 2_000, amountCents: null, basis: 'gross' },
    ...{ recurring: true, recurringMonths: null },
  },
  rules,
  holdDays: 30,
  autoApprove: true,
  group: defaultGroupOf('g1'),
});
const since = new Date('2026-01-31T12:00:00.000Z');
const sale: Sale = {
  eventType: 'purchase',
  participantId: 'p1',
  currency: 'usd',
  amountCents: 5_000,
  items: [
    { product_id: 'prod_pro', price_id: 'price_1' },
    { product_id: 'prod_addon', price_id: null },
  ],
  metadata: { plan: 'pro', seats: 5, trial: false, note: null },
  rank: { number: 3, month: 2, since },
};
const failed = (match: RuleMatch, more: Partial<Sale> = {}) =>
  judgeTerms(source(rule(match)), { ...sale, ...more }).rules[0]?.failed ?? null;

it.each<[RuleMatch, Partial<Sale>, string | null]>([
  [{ groupIds: ['g1', 'g2'] }, {}, null],
  [{ groupIds: ['g2'] }, {}, 'group_ids'],
  [{ maxAmountCents: 5_000 }, {}, null],
  [{ maxAmountCents: 4_999 }, {}, 'max_amount'],
  [{ maxAmountCents: 9_000 }, { currency: 'eur' }, 'max_amount'],
  [{ maxAmountCents: 9_000, currencies: ['eur'] }, { currency: 'eur' }, null],
  [{ productIds: ['prod_pro', 'prod_addon'] }, {}, null],
  [{ productIds: ['price_1', 'prod_addon'] }, {}, null],
  [{ productIds: ['prod_pro'] }, {}, 'product_ids'],
  [{ productIds: ['prod_pro'], productMatch: 'any' }, {}, null],
  [{ productIds: ['prod_x'], productMatch: 'any' }, {}, 'product_ids'],
  [{ productIds: ['prod_pro'] }, { items: null }, 'product_ids'],
  [{ productIds: ['prod_pro'] }, { items: [] }, 'product_ids'],
  [{ metadata: { plan: ['basic', 'pro'] } }, {}, null],
  [{ metadata: { plan: ['Pro'] } }, {}, 'metadata'],
  [{ metadata: { seats: ['5'], trial: ['false'] } }, {}, null],
  [{ metadata: { seats: ['5'], plan: ['basic'] } }, {}, 'metadata'],
  [{ metadata: { note: ['null'] } }, {}, 'metadata'],
  [{ metadata: { toString: ['x'] } }, {}, 'metadata'],
  [{ metadata: { plan: ['pro'] } }, { metadata: null }, 'metadata'],
  [{ customerMonths: { to: 2 } }, {}, null],
  [{ customerMonths: { to: 1 } }, {}, 'customer_months'],
  [{ customerMonths: { from: 2, to: 2 } }, {}, null],
  [{ customerMonths: { from: 3 } }, {}, 'customer_months'],
  [{ customerMonths: { from: 0 } }, { rank: null, amountCents: 0 }, 'customer_months'],
  [{ paymentNumbers: { from: 3, to: 3 } }, {}, null],
  [{ paymentNumbers: { to: 2 } }, {}, 'payment_numbers'],
  [{ paymentNumbers: { from: 1 } }, { rank: null }, 'payment_numbers'],
  [{ customerSince: { from: '2026-01-31T12:00:00.000Z' } }, {}, null],
  [{ customerSince: { to: '2026-01-31T12:00:00.000Z' } }, {}, 'customer_since'],
  [{ customerSince: { from: '2026-02-01T00:00:00.000Z' } }, {}, 'customer_since'],
  [{ customerSince: { from: '2026-01-01T00:00:00.000Z' } }, { rank: null }, 'customer_since'],
  [{ eventTypes: ['x'], groupIds: ['g2'] }, {}, 'event_types'],
])('%j of %j fails for %s', (match, more, expected) => {
  expect(failed(match, more)).toBe(expected);
});

it('none ends the list: the sale earns nothing by it, whatever comes later', () => {
  const none = rule({ paymentNumbers: { from: 2 } }, { name: 'no', type: 'none', rateBps: null });
  const { terms, rules } = judgeTerms(source(none, rule({})), sale);
  expect(terms).toMatchObject({ type: 'none', source: 'rule', name: 'no', holdDays: 30 });
  expect(rules).toEqual([{ name: 'no', matched: true, failed: null }]);
});

it('what was given for nothing counts only where nothing else was sold', () => {
  const free = (id: string) => ({ product_id: id, price_id: null, amount_cents: 0 });
  const sold = { product_id: 'prod_pro', price_id: null, amount_cents: 500 };
  const untold = { product_id: 'prod_addon', price_id: null, amount_cents: null };
  const failedOf = (productIds: string[], items: Sale['items']) =>
    judgeTerms(source(rule({ productIds })), { ...sale, items }).rules[0]?.failed ?? null;
  expect(failedOf(['prod_pro'], [sold, free('prod_gift')])).toBeNull();
  expect(failedOf(['prod_gift'], [sold, free('prod_gift')])).toBe('product_ids');
  expect(failedOf(['prod_pro'], [sold, untold])).toBe('product_ids');
  expect(failedOf(['prod_pro'], [free('prod_pro'), free('prod_gift')])).toBe('product_ids');
  expect(failedOf(['prod_pro', 'prod_gift'], [free('prod_pro'), free('prod_gift')])).toBeNull();
});

it('says that items are lacking only of rules that fail for nothing else', () => {
  const lacks = (...rules: TermsSource['rules']) =>
    judgeTerms(source(...rules), { ...sale, items: null }).lacksItems;
  const ofProduct = rule({ productIds: ['prod_pro'] });
  expect(lacks(ofProduct)).toBe(true);
  expect(lacks(rule({}), ofProduct)).toBe(false);
  expect(lacks(rule({ productIds: ['prod_pro'], paymentNumbers: { to: 1 } }))).toBe(false);
  expect(judgeTerms(source(ofProduct), sale).lacksItems).toBe(false);
});

it('rules are refused with their place where they cannot be meant', () => {
  const bad = (match: CommissionRuleInput['match'], more: Partial<CommissionRuleInput> = {}) =>
    commissionRulesProblems([
      { name: 'r', match, type: 'percentage', rateBps: 1_000, ...more },
    ]).map(({ field }) => field);
  expect(bad({ minAmountCents: 2, maxAmountCents: 1 })).toEqual(['rules[0].match.maxAmountCents']);
  expect(bad({ customerMonths: {} })).toEqual(['rules[0].match.customerMonths']);
  expect(bad({ paymentNumbers: { from: 3, to: 2 } })).toEqual(['rules[0].match.paymentNumbers']);
  expect(
    bad({ customerSince: { from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' } }),
  ).toEqual(['rules[0].match.customerSince']);
  expect(bad({ productMatch: 'any' })).toEqual(['rules[0].match.productMatch']);
  const none = { type: 'none', basis: 'gross', holdDays: 1, autoApprove: true } as const;
  expect(bad({}, none)).toEqual([
    'rules[0].rateBps',
    'rules[0].basis',
    'rules[0].holdDays',
    'rules[0].autoApprove',
  ]);
});
