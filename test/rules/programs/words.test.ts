import { toldTerms } from '../../../entities/rules/programs/told-terms';
import type {
  CommissionRule,
  ProgramTerms,
  RuleMatch,
} from '../../../entities/rules/programs/terms';
import {
  earningWords,
  holdWords,
  percentWords,
  ruleWords,
  rulesFor,
  termsWords,
} from '../../../entities/rules/programs/words';

const percentage: ProgramTerms = {
  type: 'percentage',
  rateBps: 2_000,
  amountCents: null,
  basis: 'gross',
  recurring: false,
  recurringMonths: null,
};
const flat = {
  ...percentage,
  type: 'flat' as const,
  rateBps: null,
  amountCents: 2_550,
  basis: null,
};
const rule = (match: RuleMatch, fields: Partial<CommissionRule> = {}): CommissionRule => ({
  ...{ name: 'Rule', match, type: 'percentage', rateBps: 4_000, amountCents: null },
  ...{ basis: 'gross', holdDays: null, autoApprove: null },
  ...fields,
});

it.each([
  [1_250, '12.5 %'],
  [10_000, '100 %'],
  [1, '0.01 %'],
])('%i basis points are %s', (rateBps, words) => {
  expect(percentWords(rateBps)).toBe(words);
});

it('a sale earns a share, a sum, or nothing', () => {
  expect(earningWords(percentage, 'usd')).toBe('20 % of each sale');
  expect(earningWords({ ...percentage, basis: 'net' }, 'usd')).toBe(
    '20 % of each sale, less the fees of payment',
  );
  expect(earningWords(flat, 'usd')).toBe('USD 25.50 for each sale');
  expect(earningWords(flat, 'usd', 'each lead')).toBe('USD 25.50 for each lead');
  expect(earningWords({ ...percentage, type: 'none' }, 'usd')).toBe('Nothing for each sale');
  expect(earningWords({ ...percentage, rateBps: null }, 'usd')).toBe('0 % of each sale');
  expect(earningWords({ ...flat, amountCents: null }, 'usd')).toBe('USD 0.00 for each sale');
});

it.each<[Partial<ProgramTerms>, string]>([
  [{}, '20 % of each sale, not of renewals'],
  [{ recurring: true }, '20 % of each sale, and of renewals'],
  [{ recurring: true, recurringMonths: 1 }, '20 % of each sale, and of renewals for 1 month'],
  [{ recurring: true, recurringMonths: 12 }, '20 % of each sale, and of renewals for 12 months'],
])('terms with %j are: %s', (fields, words) => {
  expect(termsWords({ ...percentage, ...fields }, 'usd')).toBe(words);
});

it.each([
  [0, 'Nothing is held back'],
  [1, 'Each commission is held for 1 day'],
  [30, 'Each commission is held for 30 days'],
])('a hold of %i days: %s', (days, words) => {
  expect(holdWords(days)).toBe(words);
});

it.each<[RuleMatch, string]>([
  [{}, ''],
  [{ eventTypes: ['lead', 'trial'] }, ', of kind lead or trial'],
  [{ currencies: ['usd', 'eur'] }, ', in USD or EUR'],
  [{ minAmountCents: 1_000 }, ', from USD 10.00 on'],
  [{ minAmountCents: 0 }, ', from USD 0.00 on'],
  [{ maxAmountCents: 5_000 }, ', up to USD 50.00'],
  [{ currencies: ['eur'], minAmountCents: 1_000 }, ', in EUR, from EUR 10.00 on'],
  [{ currencies: ['eur', 'gbp'], minAmountCents: 1_000 }, ', in EUR or GBP, from USD 10.00 on'],
  [{ productIds: ['p'] }, ', of certain products'],
  [{ metadata: { plan: ['pro'] } }, ', of certain kinds'],
  [{ customerMonths: { from: 0 } }, ', in any month'],
  [{ customerMonths: { from: 1 } }, ", after the customer's first month"],
  [{ customerMonths: { from: 12 } }, ", after the customer's first 12 months"],
  [{ customerMonths: { to: 0 } }, ", in the customer's first month"],
  [{ customerMonths: { to: 11 } }, ", in the customer's first 12 months"],
  [{ customerMonths: { from: 12, to: 23 } }, ', in months 13 to 24 of the customer'],
  [{ paymentNumbers: { from: 2 } }, ", from the customer's payment 2 on"],
  [{ paymentNumbers: { to: 1 } }, ", for the customer's first payment"],
  [{ paymentNumbers: { from: 3, to: 3 } }, ', for payment 3'],
  [{ paymentNumbers: { to: 3 } }, ", for the customer's first 3 payments"],
  [{ paymentNumbers: { from: 2, to: 3 } }, ', for payments 2 to 3'],
  [
    { customerSince: { from: '2026-01-01T00:00:00Z' } },
    ', of customers who first paid from 2026-01-01 on',
  ],
  [
    { customerSince: { to: '2026-02-01T00:00:00Z' } },
    ', of customers who first paid before 2026-02-01',
  ],
  [
    { customerSince: { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' } },
    ', of customers who first paid from 2026-01-01 on and before 2026-02-01',
  ],
])('a rule for %j: 40 %% of each sale%s', (match, words) => {
  expect(ruleWords(rule(match), 'usd')).toBe(`40 % of each sale${words}`);
});

describe('what a partner is told', () => {
  const rules = [
    rule({}, { name: 'All' }),
    rule({ participantIds: ['ann'] }, { name: 'Ann' }),
    rule({ groupIds: ['gold'] }, { name: 'Gold' }),
    rule({ participantIds: ['ann'], groupIds: ['gold'] }, { name: 'Ann in Gold' }),
  ];
  const namesFor = (participantId: string, groupId: string) =>
    rulesFor(rules, { participantId, groupId }).map(({ name }) => name);

  it('is the rules that name them, their group or nobody, in order', () => {
    expect(namesFor('ann', 'gold')).toEqual(['All', 'Ann', 'Gold', 'Ann in Gold']);
    expect(namesFor('ann', 'silver')).toEqual(['All', 'Ann']);
    expect(namesFor('bob', 'gold')).toEqual(['All', 'Gold']);
    expect(namesFor('bob', 'silver')).toEqual(['All']);
  });

  it('ends with what holds where no rule does: of their group, else of the programme', () => {
    const offer = {
      currency: 'usd',
      terms: percentage,
      rules: [rules[0] as CommissionRule],
      holdDays: 30,
    };
    const commission = { ...percentage, rateBps: 3_000 };
    const gold = { id: 'gold', name: 'Gold', commission, holdDays: 1, autoApprove: null };
    const silver = { ...gold, id: 'silver', commission: null, holdDays: null };
    const told = (groupId: string) =>
      toldTerms({ ...offer, groups: [gold, silver] }, { participantId: 'ann', groupId });
    const first = 'All: 40 % of each sale';
    expect(told('gold')).toEqual([
      first,
      '30 % of each sale, not of renewals',
      'Each commission is held for 1 day',
    ]);
    const ofProgramme = [
      first,
      '20 % of each sale, not of renewals',
      'Each commission is held for 30 days',
    ];
    expect(told('silver')).toEqual(ofProgramme);
    expect(toldTerms(offer, { participantId: 'ann', groupId: 'gold' })).toEqual(ofProgramme);
  });
});
