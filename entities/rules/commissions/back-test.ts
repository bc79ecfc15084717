import { commissionFor, judgeTerms, ownTermsOf, type TermsSource } from './amount';
import { dueUnder, type SettlementFacts } from './settlement';
import type { Sale } from './rule-match';
import type { EarningTerms, ProgramTerms } from '../programs/terms';

/** A sale as it is stored, with all that decides what it earns. */
export interface PastSale {
  sale: Sale;
  /** Signals of its own credit it: it always earns. */
  isOwn: boolean;
  /** True for less than a whole period: flat terms pay none of it. */
  isPart: boolean;
  facts: SettlementFacts;
}

export interface Due {
  currency: string;
  amountCents: number;
}

/** What a sale is worth under these terms with the refunds of today, and the rule that says so. */
export function dueOf(
  source: TermsSource,
  past: PastSale,
): { due: Due | null; rule: string | null } {
  const { terms } = judgeTerms(source, past.sale);
  const { rule } = terms;
  if (!earns(past, ownTermsOf(source))) return { due: null, rule };
  return { due: dueBy(terms, past, source.currency), rule };
}

/** The same under terms that were found before. */
export function dueBy(
  terms: EarningTerms,
  { sale, isPart, facts }: PastSale,
  programCurrency: string,
): Due | null {
  if (terms.type === 'flat' && isPart) return null;
  const { amountCents, currency } = sale;
  const payment = { amountCents, currency, feeCents: facts.feeCents };
  const earned = commissionFor(terms, payment, programCurrency);
  if (!earned) return null;
  return { currency: earned.currency, amountCents: dueUnder(terms, earned.amountCents, facts) };
}

/** Whether a past payment earns, as `paymentEarns` says it, by the rank that the payment has. */
export function earns(
  { sale: { rank }, isOwn }: PastSale,
  { recurring, recurringMonths }: Pick<ProgramTerms, 'recurring' | 'recurringMonths'>,
): boolean {
  if (isOwn) return true;
  if (!rank) return false;
  if (rank.number === 1) return true;
  return recurring && (recurringMonths === null || rank.month < recurringMonths);
}
