import { percentOf } from '../values/money';
import {
  itemsThatCost,
  lacksItemsOnly,
  soldIds,
  unmetCondition,
  type JudgedSale,
  type RuleCondition,
  type Sale,
} from './rule-match';
import type { GroupTerms } from '../programs/groups';
import type { CommissionRule, CommissionType, EarningTerms, ProgramTerms } from '../programs/terms';

/** What a programme offers a partner: its own terms, those of the partner's group, and the rules that go before both. */
export interface TermsSource {
  /** The programme's own, in which thresholds are. */
  currency: string;
  terms: ProgramTerms;
  rules: readonly CommissionRule[];
  holdDays: number;
  autoApprove: boolean;
  group: GroupTerms;
}

/**
 * The terms that applied, copied onto the commission: a later edit of the rules changes nothing.
 */
export interface PinnedTerms extends EarningTerms {
  /** Name of the rule that matched; null for the terms of group or programme. */
  rule: string | null;
  /** The terms from which type, rate and amount are. */
  source: 'rule' | 'group' | 'program';
  /** The name of that rule or group; null for the programme. */
  name: string | null;
  /** The group that the partner was in; null for what no terms earned. */
  groupId: string | null;
  groupName: string | null;
  /** Whole months since the customer's first payment, and the number of the payment among theirs; null for what is no payment. */
  customerMonth: number | null;
  paymentNumber: number | null;
  recurring: boolean;
  recurringMonths: number | null;
  holdDays: number;
  autoApprove: boolean;
}

type EarnedWithoutSale = Pick<
  PinnedTerms,
  'type' | 'rateBps' | 'amountCents' | 'basis' | 'holdDays' | 'autoApprove'
>;

/** What is pinned on a commission that no sale has earned here: no rule, payment or group, and no renewal. */
export function pinsWithoutSale(earned: EarnedWithoutSale): PinnedTerms {
  return {
    rule: null,
    source: 'program',
    name: null,
    groupId: null,
    groupName: null,
    customerMonth: null,
    paymentNumber: null,
    recurring: false,
    recurringMonths: null,
    ...earned,
  };
}

/** What holds for the partner where no rule matches; it also says whether renewals earn at all. */
export function ownTermsOf({ group, terms }: Pick<TermsSource, 'group' | 'terms'>): ProgramTerms {
  return group.commission ?? terms;
}

/** A rule that was tried, up to the one that matched. */
export interface RuleTrace {
  name: string;
  matched: boolean;
  /** The first condition that does not hold; null for the one that matched. */
  failed: RuleCondition | null;
}

/** The terms of a sale, and how they were found. */
export interface JudgedTerms {
  terms: PinnedTerms;
  rules: RuleTrace[];
  /** A rule was passed over only because nobody has told yet what was sold. */
  lacksItems: boolean;
}

/**
 * First rule whose every condition holds, else the terms of the partner's group, else the programme's
 * own (docs/reference/terms.md, Which terms hold).
 */
export function judgeTerms(source: TermsSource, sale: Sale): JudgedTerms {
  const { group, currency: programCurrency } = source;
  const items = itemsThatCost(sale.items);
  const judged: JudgedSale = {
    ...{ ...sale, items, sold: soldIds(items) },
    ...{ groupId: group.id, programCurrency },
  };
  const rules: RuleTrace[] = [];
  let lacksItems = false;
  for (const rule of source.rules) {
    const failed = unmetCondition(rule.match, judged);
    rules.push({ name: rule.name, matched: failed === null, failed });
    if (failed === null) return { terms: pinned(source, sale, rule), rules, lacksItems };
    lacksItems ||= failed === 'product_ids' && lacksItemsOnly(rule.match, judged);
  }
  return { terms: pinned(source, sale), rules, lacksItems };
}

function pinned(source: TermsSource, { rank }: Sale, rule?: CommissionRule): PinnedTerms {
  const { group } = source;
  const own = ownTermsOf(source);
  const earning: EarningTerms = rule ?? own;
  return {
    rule: rule?.name ?? null,
    ...whose(rule, group),
    groupId: group.id,
    groupName: group.name,
    ...placeOf(rank),
    type: earning.type,
    rateBps: earning.rateBps,
    amountCents: earning.amountCents,
    basis: earning.basis,
    recurring: own.recurring,
    recurringMonths: own.recurringMonths,
    ...holdOf(source, rule),
  };
}

function placeOf(rank: Sale['rank']): Pick<PinnedTerms, 'customerMonth' | 'paymentNumber'> {
  return { customerMonth: rank?.month ?? null, paymentNumber: rank?.number ?? null };
}

/** Each of the two by itself. */
function holdOf(
  { group, holdDays, autoApprove }: TermsSource,
  rule?: CommissionRule,
): Pick<PinnedTerms, 'holdDays' | 'autoApprove'> {
  return {
    holdDays: rule?.holdDays ?? group.holdDays ?? holdDays,
    autoApprove: rule?.autoApprove ?? group.autoApprove ?? autoApprove,
  };
}

function whose(
  rule: CommissionRule | undefined,
  group: GroupTerms,
): Pick<PinnedTerms, 'source' | 'name'> {
  if (rule) return { source: 'rule', name: rule.name };
  if (group.commission) return { source: 'group', name: group.name };
  return { source: 'program', name: null };
}

export interface Payment {
  /** Minor units, 0 to 10^12. */
  amountCents: number;
  currency: string | null;
  /** The processor's fee in the payment's currency; null while it is not known. */
  feeCents: number | null;
}

export interface CommissionAmount {
  type: CommissionType;
  amountCents: number;
  currency: string;
}

/**
 * What a payment earns: a percentage in its own currency, a flat amount in the programme's.
 * Undefined when nothing is left of it after rounding.
 */
export function commissionFor(
  terms: EarningTerms,
  payment: Payment,
  programCurrency: string,
): CommissionAmount | undefined {
  if (terms.type === 'none') return undefined;
  if (terms.type === 'flat') {
    const amountCents = terms.amountCents ?? 0;
    return amountCents > 0 ? { type: 'flat', amountCents, currency: programCurrency } : undefined;
  }
  const amountCents = percentageAmount(terms, payment);
  if (amountCents === 0 || payment.currency === null) return undefined;
  return { type: 'percentage', amountCents, currency: payment.currency };
}

/** Net terms without a known fee count on the gross amount until the fee arrives. */
export function percentageAmount(
  terms: EarningTerms,
  payment: Pick<Payment, 'amountCents' | 'feeCents'>,
): number {
  const fee = terms.basis === 'net' ? (payment.feeCents ?? 0) : 0;
  return percentOf(Math.max(0, payment.amountCents - fee), terms.rateBps ?? 0);
}

export { sameCurrency } from '../values/money';
export type { Sale } from './rule-match';
