import { percentOf } from '../values/money';
import type {
  CommissionRule,
  CommissionType,
  EarningTerms,
  ProgramTerms,
  RuleMatch,
} from '../programs/terms';

/** What a programme offers: its own terms and the ordered rules that go before them. */
export interface TermsSource {
  /** The programme's own, in which thresholds are. */
  currency: string;
  terms: ProgramTerms;
  rules: readonly CommissionRule[];
  holdDays: number;
  autoApprove: boolean;
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
  /** Name of the rule that matched; null for the programme's own terms. */
  rule: string | null;
  recurring: boolean;
  recurringMonths: number | null;
  holdDays: number;
  autoApprove: boolean;
}

/**
 * First rule whose every condition holds, else the programme's own terms
 * (docs/reference/programmes.md, Terms).
 */
export function resolveTerms(source: TermsSource, sale: Sale): PinnedTerms {
  const rule = source.rules.find((candidate) => matches(candidate, sale, source.currency));
  const earning: EarningTerms = rule ?? source.terms;
  return {
    rule: rule?.name ?? null,
    type: earning.type,
    rateBps: earning.rateBps,
    amountCents: earning.amountCents,
    basis: earning.basis,
    recurring: source.terms.recurring,
    recurringMonths: source.terms.recurringMonths,
    holdDays: rule?.holdDays ?? source.holdDays,
    autoApprove: rule?.autoApprove ?? source.autoApprove,
  };
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
