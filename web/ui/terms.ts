import type { CommissionTermsDto, Rule } from '../session/records';
import { programme as words } from '../text/en/app/programme';
import { formatMoney, formatShare, inWords } from './format';

/** What a sale earns: basis points of it, or an amount in minor units. */
export type Earning = Pick<Rule, 'type' | 'rateBps' | 'amountCents' | 'basis'>;

/** What a sale earns, such as `20 % of the gross amount`. */
export function earningInWords(
  { type, rateBps, amountCents, basis }: Earning,
  currency: string,
): string {
  if (type === 'none') return words.earnsNothing;
  if (type === 'flat') return formatMoney(amountCents ?? 0, currency);
  return words.percentOf(formatShare((rateBps ?? 0) / 10_000), words.bases[basis ?? 'gross']);
}

export function termsInWords(terms: CommissionTermsDto, currency: string): string {
  const earned = earningInWords(terms, currency);
  if (!terms.recurring) return earned;
  const { recurringMonths: months } = terms;
  return `${earned}, ${months === null ? words.forEver : words.forMonths(months)}`;
}

/** What a minimum is counted in: the one currency that the rule is for, else the programme's. */
export const minimumCurrency = ({ currencies }: Rule['match'], currency: string): string =>
  currencies?.length === 1 ? (currencies[0] ?? currency) : currency;

/** A rule in a sentence, such as `30 % of the gross amount, for subscription.` */
export function ruleInWords(rule: Rule, currency: string): string {
  const { match, autoApprove } = rule;
  const parts = [
    earningInWords(rule, currency),
    ...matchInWords(match, currency),
    typeof rule.holdDays === 'number' && words.heldFor(words.days(rule.holdDays)),
    typeof autoApprove === 'boolean' && (autoApprove ? words.approvesItself : words.waitsForYou),
  ];
  return `${parts.filter(Boolean).join(', ')}.`;
}

function matchInWords(match: Rule['match'], currency: string) {
  const eventTypes = match.eventTypes ?? [];
  const partners = match.participantIds?.length ?? 0;
  const currencies = match.currencies ?? [];
  const least = match.minAmountCents;
  return [
    eventTypes.length > 0 && words.ofKinds(eventTypes.map(inWords).join(', ')),
    partners > 0 && words.ofPartners(partners),
    currencies.length > 0 && words.inCurrencies(currencies.join(', ').toUpperCase()),
    typeof least === 'number' &&
      words.fromAmount(formatMoney(least, minimumCurrency(match, currency))),
    ...moreInWords(match, minimumCurrency(match, currency)),
  ];
}

/** What is asked of group, cart and customer. */
function moreInWords(match: Rule['match'], currency: string) {
  const { maxAmountCents: most, groupIds, productIds, productMatch, metadata } = match;
  return [
    typeof most === 'number' && words.upTo(formatMoney(most, currency)),
    groupIds && words.ofGroups(groupIds.length),
    productIds && words.ofProducts(productIds.join(', '), productMatch !== 'any'),
    metadata && words.withMetadata(metadataInWords(metadata)),
    ...customerInWords(match),
  ];
}

function customerInWords(match: Rule['match']) {
  const { customerMonths: months, paymentNumbers: numbers, customerSince: since } = match;
  return [
    months && words.inMonths((months.from ?? 0) + 1, next(months.to)),
    numbers && words.inPayments(numbers.from ?? 1, numbers.to ?? null),
    since && words.ofCustomersSince(dayOf(since.from), dayOf(since.to)),
  ];
}

const next = (month: number | null | undefined): number | null =>
  typeof month === 'number' ? month + 1 : null;

const dayOf = (instant: string | null | undefined): string | null => instant?.slice(0, 10) ?? null;

/** `plan = pro, business`, a pair after the other. */
export function metadataInWords(metadata: NonNullable<Rule['match']['metadata']>): string {
  return Object.entries(metadata)
    .map(([key, values]) => `${key} = ${values.join(', ')}`)
    .join('; ');
}
