import { money } from '../values/money-words';
import type { EarningTerms, ProgramTerms } from './terms';

/** What one sale earns: `20 % of each sale`. */
export function earningWords(terms: EarningTerms, currency: string, of = 'each sale'): string {
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
