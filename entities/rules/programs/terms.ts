import type { FieldProblem } from '../values/field-problem';

export const programStatuses = ['draft', 'active', 'paused', 'archived'] as const;
export type ProgramStatus = (typeof programStatuses)[number];

/** What PATCH may set; archiving has an endpoint of its own because it is final. */
export const settableProgramStatuses = ['draft', 'active', 'paused'] as const;

export const approvalModes = ['auto', 'manual'] as const;
export type ApprovalMode = (typeof approvalModes)[number];

/** Who tells a programme's sales: both, the merchant's server alone, or Stripe alone. */
export const salesSources = ['both', 'api', 'stripe', 'paddle', 'polar'] as const;
export type SalesFrom = (typeof salesSources)[number];

export const commissionTypes = ['percentage', 'flat'] as const;
export type CommissionType = (typeof commissionTypes)[number];

/** What a commission is of: a sale, by either kind of terms, or a member's correction. */
export const commissionKinds = [...commissionTypes, 'adjustment'] as const;
export type CommissionKind = (typeof commissionKinds)[number];

export const commissionBases = ['gross', 'net'] as const;
export type CommissionBasis = (typeof commissionBases)[number];

export const maxAttributionWindowDays = 365;
export const maxHoldDays = 365;
export const maxRateBps = 10_000;
export const maxRecurringMonths = 120;
export const maxCommissionRules = 50;
/** The largest amount that any field takes, in minor units: far below the safe integers. */
export const maxAmountCents = 1_000_000_000_000;

/** What a sale earns. Exactly one of `rateBps` (basis points) and `amountCents` (minor units) is set. */
export interface EarningTerms {
  type: CommissionType;
  rateBps: number | null;
  amountCents: number | null;
  /** Only percentage terms have a basis. */
  basis: CommissionBasis | null;
}

/** The programme's own terms: what a sale earns, and whether later payments of the same customer earn too. */
export interface ProgramTerms extends EarningTerms {
  recurring: boolean;
  /** Months after the first payment in which renewals still earn; null is without end. */
  recurringMonths: number | null;
}

/** Conditions of a commission rule. All that are present must hold; `{}` matches every sale. */
export interface RuleMatch {
  eventTypes?: string[];
  participantIds?: string[];
  currencies?: string[];
  /**
   * Inclusive, minor units of the programme's currency, or of the one that `currencies` names when
   * it names just one. A sale in another currency does not match.
   */
  minAmountCents?: number;
}

/** One entry of a programme's ordered list; null leaves hold and approval to the programme. */
export interface CommissionRule extends EarningTerms {
  name: string;
  match: RuleMatch;
  holdDays: number | null;
  autoApprove: boolean | null;
}

/** Terms as a client sends them: what does not apply may be left out or be null. */
export interface EarningTermsInput {
  type: CommissionType;
  rateBps?: number | null | undefined;
  amountCents?: number | null | undefined;
  basis?: CommissionBasis | null | undefined;
}

export interface ProgramTermsInput extends EarningTermsInput {
  recurring?: boolean | null | undefined;
  recurringMonths?: number | null | undefined;
}

export interface CommissionRuleInput extends EarningTermsInput {
  name: string;
  match: { [K in keyof RuleMatch]?: RuleMatch[K] | null | undefined };
  holdDays?: number | null | undefined;
  autoApprove?: boolean | null | undefined;
}

/** What is wrong with these terms as a whole; single fields were checked for type and range before. */
export function earningTermsProblems(terms: EarningTermsInput, path: string): FieldProblem[] {
  const { rateBps, amountCents, basis } = terms;
  const problemOf = (field: keyof EarningTermsInput, what: string): FieldProblem[] => [
    { field: `${path}.${field}`, message: `${field} ${what}` },
  ];
  if (terms.type === 'percentage') {
    const needed = `is required for percentage terms: 1 to ${maxRateBps}`;
    return [
      ...(isGiven(rateBps) ? [] : problemOf('rateBps', needed)),
      ...(isGiven(amountCents) ? problemOf('amountCents', 'is for flat terms only') : []),
    ];
  }
  const only = 'is for percentage terms only';
  return [
    ...(isGiven(amountCents)
      ? []
      : problemOf('amountCents', 'is required for flat terms: at least 1')),
    ...(isGiven(rateBps) ? problemOf('rateBps', only) : []),
    ...(isGiven(basis) ? problemOf('basis', only) : []),
  ];
}

/** As `earningTermsProblems`, with the recurring settings of a programme. */
export function programTermsProblems(terms: ProgramTermsInput, path: string): FieldProblem[] {
  const problems = earningTermsProblems(terms, path);
  if (isGiven(terms.recurringMonths) && terms.recurring !== true) {
    problems.push({
      field: `${path}.recurringMonths`,
      message: 'recurringMonths needs recurring to be true',
    });
  }
  return problems;
}

/** Problems of a whole list of commission rules, each named by its place: `rules[1].basis`. */
export function commissionRulesProblems(rules: readonly CommissionRuleInput[]): FieldProblem[] {
  return rules.flatMap((rule, index) => earningTermsProblems(rule, `rules[${index}]`));
}

/** Fills in what was left out: basis gross for percentages, no recurrence. Expects valid terms. */
export function programTermsOf(input: ProgramTermsInput): ProgramTerms {
  return {
    ...earningTermsOf(input),
    recurring: input.recurring ?? false,
    recurringMonths: input.recurringMonths ?? null,
  };
}

/** A rule as it is stored: currencies in lower case, absent conditions absent. Expects a valid rule. */
export function commissionRuleOf(input: CommissionRuleInput): CommissionRule {
  const { eventTypes, participantIds, currencies, minAmountCents } = input.match;
  return {
    name: input.name,
    match: {
      ...(eventTypes ? { eventTypes } : {}),
      ...(participantIds ? { participantIds } : {}),
      ...(currencies ? { currencies: currencies.map((currency) => currency.toLowerCase()) } : {}),
      ...(isGiven(minAmountCents) ? { minAmountCents } : {}),
    },
    ...earningTermsOf(input),
    holdDays: input.holdDays ?? null,
    autoApprove: input.autoApprove ?? null,
  };
}

function earningTermsOf(input: EarningTermsInput): EarningTerms {
  return {
    type: input.type,
    rateBps: input.rateBps ?? null,
    amountCents: input.amountCents ?? null,
    basis: input.type === 'percentage' ? (input.basis ?? 'gross') : null,
  };
}

function isGiven<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}
