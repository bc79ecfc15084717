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

/** A rule may also say that a sale earns nothing. */
export const ruleTypes = [...commissionTypes, 'none'] as const;
export type RuleType = (typeof ruleTypes)[number];

/** What a commission is of: a sale, by either kind of terms, a member's correction, or a figure. */
export const commissionKinds = [...commissionTypes, 'adjustment', 'bonus', 'imported'] as const;
export type CommissionKind = (typeof commissionKinds)[number];

export const commissionBases = ['gross', 'net'] as const;
export type CommissionBasis = (typeof commissionBases)[number];

export const maxAttributionWindowDays = 365;
export const maxHoldDays = 365;
export const maxRateBps = 10_000;
export const maxRecurringMonths = 120;
export const maxCommissionRules = 200;
/** The largest amount that any field takes, in minor units: far below the safe integers. */
export const maxAmountCents = 1_000_000_000_000;

/** What a sale earns. Exactly one of `rateBps` (basis points) and `amountCents` (minor units) is set. */
export interface EarningTerms {
  type: RuleType;
  rateBps: number | null;
  amountCents: number | null;
  /** The basis of percentage terms; others have none. */
  basis: CommissionBasis | null;
}

/** The programme's own terms: what a sale earns, and whether later payments of the same customer earn too. */
export interface ProgramTerms extends EarningTerms {
  type: CommissionType;
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
  /** Inclusive, in the same currency. */
  maxAmountCents?: number;
  /** The groups of which the partner is in one. */
  groupIds?: string[];
  /** Ids of products, or of their prices. */
  productIds?: string[];
  /** `every` item is one of these, which is the default, or `any`. */
  productMatch?: ProductMatch;
  /** Each key has one of these values. */
  metadata?: Record<string, string[]>;
  /** Whole months since the customer's first payment; 0 within the first. */
  customerMonths?: Span;
  /** 1 is the customer's first payment. */
  paymentNumbers?: Span;
  /** When the customer first paid: ISO instants, from inclusive, to exclusive. */
  customerSince?: { from?: string; to?: string };
}

export const productMatches = ['every', 'any'] as const;
export type ProductMatch = (typeof productMatches)[number];

/** A span from `from` to `to`, both inclusive; at least one of the two. */
export interface Span {
  from?: number;
  to?: number;
}

export const maxCustomerMonths = 1_200;
export const maxPaymentNumber = 10_000;
export const maxMatchedKeys = 5;
export const maxMatchedValues = 20;

/** One entry of a programme's ordered list; null leaves hold and approval to the programme. */
export interface CommissionRule extends EarningTerms {
  name: string;
  match: RuleMatch;
  holdDays: number | null;
  autoApprove: boolean | null;
}

/** Terms as a client sends them: what does not apply may be left out or be null. */
export interface EarningTermsInput {
  type: RuleType;
  rateBps?: number | null | undefined;
  amountCents?: number | null | undefined;
  basis?: CommissionBasis | null | undefined;
}

export interface ProgramTermsInput extends EarningTermsInput {
  type: CommissionType;
  recurring?: boolean | null | undefined;
  recurringMonths?: number | null | undefined;
}

export interface CommissionRuleInput extends EarningTermsInput {
  name: string;
  match: RuleMatchInput;
  holdDays?: number | null | undefined;
  autoApprove?: boolean | null | undefined;
}

type Ends<T> = { [K in 'from' | 'to']?: T | null | undefined };

export interface RuleMatchInput extends Given<
  Omit<RuleMatch, SpanKey | 'customerSince' | 'metadata'>
> {
  customerMonths?: Ends<number> | null | undefined;
  paymentNumbers?: Ends<number> | null | undefined;
  customerSince?: Ends<string> | null | undefined;
  metadata?: Record<string, (string | number | boolean)[]> | null | undefined;
}

type SpanKey = 'customerMonths' | 'paymentNumbers';
type Given<T> = { [K in keyof T]?: T[K] | null | undefined };

/** What is wrong with these terms as a whole; single fields were checked for type and range before. */
export function earningTermsProblems(terms: EarningTermsInput, path: string): FieldProblem[] {
  const { rateBps, amountCents, basis } = terms;
  const problemOf = (field: keyof EarningTermsInput, what: string): FieldProblem[] => [
    { field: `${path}.${field}`, message: `${field} ${what}` },
  ];
  if (terms.type === 'none') {
    const given = (['rateBps', 'amountCents', 'basis'] as const).filter((field) =>
      isGiven(terms[field]),
    );
    return given.flatMap((field) => problemOf(field, 'does not go with type none'));
  }
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

/** The problems that `earningTermsProblems` finds, with those of the recurring settings of a programme. */
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
  return rules.flatMap((rule, index) => {
    const path = `rules[${index}]`;
    return [
      ...earningTermsProblems(rule, path),
      ...holdProblems(rule, path),
      ...matchProblems(rule.match, `${path}.match`),
    ];
  });
}

/** What earns nothing is neither held nor approved. */
function holdProblems(rule: CommissionRuleInput, path: string): FieldProblem[] {
  if (rule.type !== 'none') return [];
  const given = (['holdDays', 'autoApprove'] as const).filter((field) => isGiven(rule[field]));
  return given.map((field) => ({
    field: `${path}.${field}`,
    message: `${field} does not go with type none`,
  }));
}

/** What single conditions cannot say. */
function matchProblems(match: RuleMatchInput, path: string): FieldProblem[] {
  const { minAmountCents: least, maxAmountCents: most } = match;
  const isCrossed = isGiven(least) && isGiven(most) && most < least;
  return [
    ...(isCrossed
      ? [{ field: `${path}.maxAmountCents`, message: 'must not be below minAmountCents' }]
      : []),
    ...(isGiven(match.productMatch) && !isGiven(match.productIds)
      ? [{ field: `${path}.productMatch`, message: 'needs productIds' }]
      : []),
    ...(['customerMonths', 'paymentNumbers', 'customerSince'] as const).flatMap((name) => {
      const problem = spanProblem(match[name]);
      return problem === null ? [] : [{ field: `${path}.${name}`, message: problem }];
    }),
  ];
}

/** Instants are compared as times, whatever their offset is. */
function spanProblem(span: Ends<number> | Ends<string> | null | undefined): string | null {
  if (!isGiven(span)) return null;
  const [from, to] = [span.from, span.to].map((end) =>
    typeof end === 'string' ? Date.parse(end) : (end ?? null),
  );
  if (!isGiven(from) && !isGiven(to)) return 'needs from, to or both';
  return isGiven(from) && isGiven(to) && from > to ? 'from must not be above to' : null;
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
  return {
    name: input.name,
    match: matchOf(input.match),
    ...earningTermsOf(input),
    holdDays: input.holdDays ?? null,
    autoApprove: input.autoApprove ?? null,
  };
}

function matchOf(match: RuleMatchInput): RuleMatch {
  const { currencies, metadata, customerMonths, paymentNumbers, customerSince, ...rest } = match;
  return {
    ...present(rest),
    ...(currencies ? { currencies: currencies.map((currency) => currency.toLowerCase()) } : {}),
    ...(metadata ? { metadata: textsOf(metadata) } : {}),
    ...(customerMonths ? { customerMonths: present(customerMonths) } : {}),
    ...(paymentNumbers ? { paymentNumbers: present(paymentNumbers) } : {}),
    ...(customerSince ? { customerSince: present(customerSince) } : {}),
  };
}

/** Numbers and booleans as JSON writes them, as they are compared. */
function textsOf(
  metadata: Record<string, (string | number | boolean)[]>,
): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(metadata).map(([key, values]) => [key, values.map(String)]),
  );
}

function present<T extends object>(values: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const given = Object.entries(values).filter(([, value]) => isGiven(value));
  return Object.fromEntries(given) as { [K in keyof T]?: NonNullable<T[K]> };
}

function earningTermsOf<T extends EarningTermsInput>(input: T): EarningTerms & Pick<T, 'type'> {
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
