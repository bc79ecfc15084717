import { percentOf } from '../values/money';
import type { GroupTerms } from '../programs/groups';
import type {
  CommissionRule,
  CommissionType,
  EarningTerms,
  ProgramTerms,
  RuleMatch,
} from '../programs/terms';

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

/** What the rules look at. `currency` is null for a sale without an amount. */
export interface Sale {
  eventType: string;
  participantId: string;
  currency: string | null;
  amountCents: number;
}

/**
 * The terms that applied, copied onto the commission: a later edit of the rules changes nothing.
 */
export interface PinnedTerms extends EarningTerms {
  /** Name of the rule that matched; null for the terms of group or programme. */
  rule: string | null;
  /** Whose type, rate and amount these are. */
  source: 'rule' | 'group' | 'program';
  /** Of that rule or group; null for the programme. */
  name: string | null;
  /** Which the partner was in; null for what no terms earned. */
  groupId: string | null;
  groupName: string | null;
  recurring: boolean;
  recurringMonths: number | null;
  holdDays: number;
  autoApprove: boolean;
}

/** What holds for the partner where no rule matches; it also says whether renewals earn at all. */
export function ownTermsOf({ group, terms }: Pick<TermsSource, 'group' | 'terms'>): ProgramTerms {
  return group.commission ?? terms;
}

/**
 * First rule whose every condition holds, else the terms of the partner's group, else the programme's
 * own (docs/reference/programmes.md, Terms).
 */
export function resolveTerms(source: TermsSource, sale: Sale): PinnedTerms {
  const { group } = source;
  const rule = source.rules.find((candidate) => matches(candidate, sale, source.currency));
  const own = ownTermsOf(source);
  const earning: EarningTerms = rule ?? own;
  return {
    rule: rule?.name ?? null,
    ...whose(rule, group),
    groupId: group.id,
    groupName: group.name,
    type: earning.type,
    rateBps: earning.rateBps,
    amountCents: earning.amountCents,
    basis: earning.basis,
    recurring: own.recurring,
    recurringMonths: own.recurringMonths,
    holdDays: rule?.holdDays ?? group.holdDays ?? source.holdDays,
    autoApprove: rule?.autoApprove ?? group.autoApprove ?? source.autoApprove,
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

function matches({ match }: CommissionRule, sale: Sale, programCurrency: string): boolean {
  const { eventTypes, participantIds, currencies } = match;
  if (eventTypes && !eventTypes.includes(sale.eventType)) return false;
  if (participantIds && !participantIds.includes(sale.participantId)) return false;
  if (currencies && !currencies.some((currency) => sameCurrency(currency, sale.currency))) {
    return false;
  }
  return reachesMinimum(match, sale, programCurrency);
}

/** A minimum is a sum in one currency: it says nothing of a sale in another one. */
function reachesMinimum(
  { currencies, minAmountCents }: RuleMatch,
  { currency, amountCents }: Sale,
  programCurrency: string,
): boolean {
  if (minAmountCents === undefined) return true;
  const [only, ...others] = currencies ?? [];
  const inCurrency = only !== undefined && others.length === 0 ? only : programCurrency;
  if (currency !== null && !sameCurrency(inCurrency, currency)) return false;
  return minAmountCents <= amountCents;
}

/** Whether two ISO 4217 codes are one currency, in any case; none equals no currency. */
export function sameCurrency(a: string, b: string | null): boolean {
  return b !== null && a.toLowerCase() === b.toLowerCase();
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
