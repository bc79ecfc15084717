import {
  commissionRuleOf,
  commissionRulesProblems,
  earningTermsProblems,
  maxAmountCents,
  maxAttributionWindowDays,
  maxCommissionRules,
  maxHoldDays,
  maxRateBps,
  maxRecurringMonths,
  programTermsOf,
  programTermsProblems,
} from '../../../entities/rules/programs/terms';
import type { ProgramTerms, ProgramTermsInput } from '../../../entities/rules/programs/terms';

const nothing = { rateBps: null, amountCents: null, recurring: false, recurringMonths: null };
const percentage = { ...nothing, type: 'percentage', basis: 'gross' } as const;
const flat = { ...nothing, type: 'flat', basis: null } as const;

const fieldsOf = (terms: ProgramTermsInput): string[] =>
  programTermsProblems(terms, 'commission').map((problem) => problem.field);

describe('the terms of a programme (programmes.md, Terms)', () => {
  it.each<[string, ProgramTermsInput]>([
    ['percentage with a rate', { type: 'percentage', rateBps: 2_000 }],
    ['percentage on a net basis', { type: 'percentage', rateBps: 1, basis: 'net' }],
    [
      'percentage with nulls for what is flat',
      { type: 'percentage', rateBps: 5, amountCents: null },
    ],
    ['flat with an amount', { type: 'flat', amountCents: 500 }],
    ['flat with nulls', { type: 'flat', amountCents: 500, rateBps: null, basis: null }],
    [
      'recurring without end',
      { type: 'flat', amountCents: 1, recurring: true, recurringMonths: null },
    ],
    [
      'recurring for a year',
      { type: 'flat', amountCents: 1, recurring: true, recurringMonths: 12 },
    ],
  ])('accepts %s', (_name, terms) => {
    expect(fieldsOf(terms)).toEqual([]);
  });

  it.each<[string, ProgramTermsInput, string[]]>([
    ['percentage without a rate', { type: 'percentage' }, ['commission.rateBps']],
    [
      'percentage with a flat amount',
      { type: 'percentage', rateBps: 5, amountCents: 5 },
      ['commission.amountCents'],
    ],
    ['flat without an amount', { type: 'flat' }, ['commission.amountCents']],
    ['flat with a rate', { type: 'flat', amountCents: 5, rateBps: 5 }, ['commission.rateBps']],
    ['basis on flat', { type: 'flat', amountCents: 5, basis: 'net' }, ['commission.basis']],
    [
      'months without recurring',
      { type: 'flat', amountCents: 5, recurringMonths: 3 },
      ['commission.recurringMonths'],
    ],
    [
      'months with recurring off, and everything else wrong too',
      { type: 'flat', rateBps: 5, basis: 'gross', recurring: false, recurringMonths: 3 },
      [
        'commission.amountCents',
        'commission.rateBps',
        'commission.basis',
        'commission.recurringMonths',
      ],
    ],
  ])('refuses %s and names each field', (_name, terms, fields) => {
    expect(fieldsOf(terms)).toEqual(fields);
  });

  it('fills in gross and no recurrence for a percentage', () => {
    expect(programTermsOf({ type: 'percentage', rateBps: 2_000 })).toEqual({
      type: 'percentage',
      rateBps: 2_000,
      amountCents: null,
      basis: 'gross',
      recurring: false,
      recurringMonths: null,
    });
  });

  it.each<[ProgramTermsInput, ProgramTerms]>([
    [
      { type: 'percentage', rateBps: 1, amountCents: null, basis: 'net' },
      { ...percentage, rateBps: 1, basis: 'net' },
    ],
    [
      { type: 'percentage', rateBps: 1, recurring: true },
      { ...percentage, rateBps: 1, recurring: true },
    ],
    [
      { type: 'flat', amountCents: 500 },
      { ...flat, amountCents: 500 },
    ],
    [
      { type: 'flat', amountCents: 1, recurring: true, recurringMonths: 12 },
      { ...flat, amountCents: 1, recurring: true, recurringMonths: 12 },
    ],
  ])('keeps of %j what was given, and nulls', (input, terms) => {
    expect(programTermsOf(input)).toEqual(terms);
  });
});

describe('commission rules', () => {
  it('names the place of each problem in the list', () => {
    const rules = [
      { name: 'fine', match: {}, type: 'flat' as const, amountCents: 5 },
      { name: 'bad', match: {}, type: 'flat' as const, basis: 'net' as const },
    ];
    expect(commissionRulesProblems(rules).map((problem) => problem.field)).toEqual([
      'rules[1].amountCents',
      'rules[1].basis',
    ]);
  });

  it('keeps only the conditions that were given, with currencies in lower case', () => {
    const rule = commissionRuleOf({
      name: 'Big orders',
      match: { currencies: ['EUR'], minAmountCents: 0, eventTypes: null },
      type: 'percentage',
      rateBps: 100,
    });
    expect(rule).toEqual({
      name: 'Big orders',
      match: { currencies: ['eur'], minAmountCents: 0 },
      type: 'percentage',
      rateBps: 100,
      amountCents: null,
      basis: 'gross',
      holdDays: null,
      autoApprove: null,
    });
  });

  it('keeps every condition and setting that was given', () => {
    const given = {
      name: 'All of it',
      match: {
        eventTypes: ['purchase'],
        participantIds: ['019a0b1c-2d3e-7f40-8a51-000000000002'],
        currencies: ['eur'],
        minAmountCents: 1,
      },
      type: 'flat' as const,
      amountCents: 100,
      holdDays: 0,
      autoApprove: false,
    };
    expect(commissionRuleOf(given)).toEqual({ ...given, rateBps: null, basis: null });
  });

  it('has no condition where none was given', () => {
    const given = { name: 'Any', match: {}, type: 'flat' as const, amountCents: 100 };
    expect(commissionRuleOf(given).match).toEqual({});
    const match = {
      eventTypes: null,
      participantIds: null,
      currencies: null,
      minAmountCents: null,
    };
    expect(Object.keys(commissionRuleOf({ ...given, match }).match)).toEqual([]);
  });

  it('says nothing about terms that are right', () => {
    expect(earningTermsProblems({ type: 'percentage', rateBps: 1 }, 'rules[0]')).toEqual([]);
  });
});

it('terms are bounded: days by a year, rates by the whole, months by ten years, rules by 200', () => {
  expect({
    maxAttributionWindowDays,
    maxHoldDays,
    maxRateBps,
    maxRecurringMonths,
    maxCommissionRules,
    maxAmountCents,
  }).toEqual({
    maxAttributionWindowDays: 365,
    maxHoldDays: 365,
    maxRateBps: 10_000,
    maxRecurringMonths: 120,
    maxCommissionRules: 200,
    maxAmountCents: 1e12,
  });
});
