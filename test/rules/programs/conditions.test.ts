import { maxBonusCents, maxBonuses } from '../../../entities/rules/programs/bonuses';
import { maxAtLeast } from '../../../entities/rules/programs/figures';
import {
  commissionRulesProblems,
  maxCustomerMonths,
  maxMatchedKeys,
  maxMatchedValues,
  maxPaymentNumber,
  type CommissionRuleInput,
} from '../../../entities/rules/programs/terms';
import { maxSteps } from '../../../entities/rules/programs/tiers';

const problemsOf = (fields: Partial<CommissionRuleInput>) =>
  commissionRulesProblems([
    { name: 'Rule', match: {}, type: 'percentage', rateBps: 2_000, ...fields },
  ]).map(({ field, message }) => `${field} ${message}`);
const from = '2026-01-01T00:00:00Z';
const to = '2026-02-01T00:00:00Z';

it.each<[CommissionRuleInput['match'], string[]]>([
  [{ minAmountCents: 5, maxAmountCents: 5 }, []],
  [{ minAmountCents: 5 }, []],
  [{ maxAmountCents: 5 }, []],
  [{ minAmountCents: null, maxAmountCents: 5 }, []],
  [
    { minAmountCents: 6, maxAmountCents: 5 },
    ['rules[0].match.maxAmountCents must not be below minAmountCents'],
  ],
  [{ productIds: ['p'], productMatch: 'any' }, []],
  [{ productMatch: 'any' }, ['rules[0].match.productMatch needs productIds']],
  [{ customerMonths: { from: 1, to: 1 } }, []],
  [{ customerMonths: { from: 0 } }, []],
  [{ customerMonths: { to: 0 } }, []],
  [{ customerMonths: null }, []],
  [{ customerMonths: {} }, ['rules[0].match.customerMonths needs from, to or both']],
  [
    { customerMonths: { from: null, to: null } },
    ['rules[0].match.customerMonths needs from, to or both'],
  ],
  [
    { paymentNumbers: { from: 2, to: 1 } },
    ['rules[0].match.paymentNumbers from must not be above to'],
  ],
  [{ customerSince: { from, to } }, []],
  [
    { customerSince: { from: to, to: from } },
    ['rules[0].match.customerSince from must not be above to'],
  ],
  // The same moment, and a later one, whatever the texts say.
  [{ customerSince: { from, to: '2026-01-01T01:00:00+01:00' } }, []],
  [
    { customerSince: { from, to: '2026-01-01T00:30:00+01:00' } },
    ['rules[0].match.customerSince from must not be above to'],
  ],
])('a rule for %j: %s', (match, problems) => {
  expect(problemsOf({ match })).toEqual(problems);
});

it('what earns nothing is neither held nor approved', () => {
  const none = { type: 'none', rateBps: null } as const;
  expect(problemsOf(none)).toEqual([]);
  expect(problemsOf({ ...none, holdDays: null, autoApprove: null })).toEqual([]);
  expect(problemsOf({ ...none, holdDays: 0 })).toEqual([
    'rules[0].holdDays holdDays does not go with type none',
  ]);
  expect(problemsOf({ ...none, autoApprove: false })).toEqual([
    'rules[0].autoApprove autoApprove does not go with type none',
  ]);
  expect(problemsOf({ holdDays: 0, autoApprove: false })).toEqual([]);
});

it('bounds that the documents name', () => {
  expect([maxSteps, maxBonuses, maxMatchedKeys, maxMatchedValues]).toEqual([10, 20, 5, 20]);
  expect([maxCustomerMonths, maxPaymentNumber]).toEqual([1_200, 10_000]);
  expect([maxBonusCents, maxAtLeast]).toEqual([1_000_000_000, 1_000_000_000_000]);
});
