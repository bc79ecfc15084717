import { money } from '../values/money-words';
import type { CommissionRule, EarningTerms, ProgramTerms, RuleMatch, Span } from './terms';

/** What one sale earns: `20 % of each sale`. */
export function earningWords(terms: EarningTerms, currency: string, of = 'each sale'): string {
  if (terms.type === 'none') return `Nothing for ${of}`;
  if (terms.type === 'flat') {
    return `${money({ amountCents: terms.amountCents ?? 0, currency })} for ${of}`;
  }
  const share = percentWords(terms.rateBps ?? 0);
  return `${share} of ${of}${terms.basis === 'net' ? ', less the fees of payment' : ''}`;
}

/** Terms of a programme or group: `20 % of each sale, and of renewals for 12 months`. */
export function termsWords(terms: ProgramTerms, currency: string): string {
  const sale = earningWords(terms, currency);
  if (!terms.recurring) return `${sale}, not of renewals`;
  const { recurringMonths: months } = terms;
  if (months === null) return `${sale}, and of renewals`;
  return `${sale}, and of renewals for ${months === 1 ? '1 month' : `${months} months`}`;
}

/** `12.5 %` of 1250. */
export function percentWords(rateBps: number): string {
  return `${rateBps / 100} %`;
}

export function holdWords(holdDays: number): string {
  if (holdDays === 0) return 'Nothing is held back';
  return `Each commission is held for ${holdDays === 1 ? '1 day' : `${holdDays} days`}`;
}

/**
 * A rule as its partner may read it, who is told neither ids nor whom else it names:
 * `40 % of each sale, in the customer's first 12 months`.
 */
export function ruleWords({ match, ...terms }: CommissionRule, currency: string): string {
  const { currencies = [] } = match;
  const [only, ...others] = currencies;
  const inCurrency = only !== undefined && others.length === 0 ? only : currency;
  return [earningWords(terms, currency), ...conditionWords(match, inCurrency)].join(', ');
}

function conditionWords(match: RuleMatch, currency: string): string[] {
  const { eventTypes, currencies, minAmountCents, maxAmountCents, productIds, metadata } = match;
  const amount = (amountCents: number): string => money({ amountCents, currency });
  return [
    eventTypes && `of kind ${eventTypes.join(' or ')}`,
    currencies && `in ${currencies.map((code) => code.toUpperCase()).join(' or ')}`,
    minAmountCents === undefined ? undefined : `from ${amount(minAmountCents)} on`,
    maxAmountCents === undefined ? undefined : `up to ${amount(maxAmountCents)}`,
    productIds && 'of certain products',
    metadata && 'of certain kinds',
    match.customerMonths && monthWords(match.customerMonths),
    match.paymentNumbers && paymentWords(match.paymentNumbers),
    match.customerSince && sinceWords(match.customerSince),
  ].filter((words) => words !== undefined);
}

/** Month 0 is the first. */
function monthWords({ from = 0, to }: Span): string {
  if (to === undefined)
    return from === 0 ? 'in any month' : `after the customer's first ${months(from)}`;
  if (from === 0) return `in the customer's first ${months(to + 1)}`;
  return `in months ${from + 1} to ${to + 1} of the customer`;
}

function months(count: number): string {
  return count === 1 ? 'month' : `${count} months`;
}

function paymentWords({ from = 1, to }: Span): string {
  if (to === undefined) return `from the customer's payment ${from} on`;
  if (from === to) return from === 1 ? "for the customer's first payment" : `for payment ${from}`;
  return from === 1 ? `for the customer's first ${to} payments` : `for payments ${from} to ${to}`;
}

function sinceWords({ from, to }: NonNullable<RuleMatch['customerSince']>): string {
  const day = (instant: string): string => instant.slice(0, 10);
  const [since, before] = [from && `from ${day(from)} on`, to && `before ${day(to)}`];
  return `of customers who first paid ${[since, before].filter(Boolean).join(' and ')}`;
}

/** The rules that hold for a partner: that name them, their group or nobody, in order. */
export function rulesFor<R extends { match: RuleMatch }>(
  rules: readonly R[],
  { participantId, groupId }: { participantId: string; groupId: string },
): R[] {
  return rules.filter(
    ({ match: { participantIds, groupIds } }) =>
      (!participantIds || participantIds.includes(participantId)) &&
      (!groupIds || groupIds.includes(groupId)),
  );
}
