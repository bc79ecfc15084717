import type { ConversionItem, ConversionMetadata } from '../values/sale-facts';
import type { RuleMatch, Span } from '../programs/terms';
import { sameCurrency } from '../values/money';

/** What a rule can ask for, in the order in which it is checked. */
export const ruleConditions = [
  'event_types',
  'participant_ids',
  'group_ids',
  'currencies',
  'min_amount',
  'max_amount',
  'product_ids',
  'metadata',
  'customer_months',
  'payment_numbers',
  'customer_since',
] as const;
export type RuleCondition = (typeof ruleConditions)[number];

/** Which payment of its customer it is, by all that is known. */
export interface PaymentRank {
  /** 1 is the first. */
  number: number;
  /** Whole months since the first; 0 within the first of them. */
  month: number;
  /** When the first was paid. */
  since: Date;
}

/** What an item is, and what it cost where that was told. */
export type SoldItem = Pick<ConversionItem, 'product_id' | 'price_id'> &
  Partial<Pick<ConversionItem, 'amount_cents'>>;

/** The facts of a sale that the rules read. */
export interface Sale {
  eventType: string;
  participantId: string;
  /** Null for a sale without an amount. */
  currency: string | null;
  amountCents: number;
  /** What was sold; null while nobody has told it. */
  items: readonly SoldItem[] | null;
  metadata: ConversionMetadata | null;
  /** Null for what is no payment: an amount of 0. */
  rank: PaymentRank | null;
}

/** A sale with the group that its partner was in, and the currency of the programme. */
export interface JudgedSale extends Sale {
  groupId: string;
  programCurrency: string;
  /** What was sold, by `soldIds`. */
  sold: ReadonlyMap<string, readonly number[]>;
}

type Holds = (match: RuleMatch, sale: JudgedSale) => boolean;

/** A condition that a rule does not have holds; a fact that is not known fulfils none. */
const holds: Readonly<Record<RuleCondition, Holds>> = {
  event_types: ({ eventTypes }, sale) => isIn(eventTypes, sale.eventType),
  participant_ids: ({ participantIds }, sale) => isIn(participantIds, sale.participantId),
  group_ids: ({ groupIds }, sale) => isIn(groupIds, sale.groupId),
  currencies: ({ currencies }, sale) =>
    !currencies || currencies.some((currency) => sameCurrency(currency, sale.currency)),
  min_amount: (match, sale) =>
    match.minAmountCents === undefined ||
    (isComparable(match, sale) && match.minAmountCents <= sale.amountCents),
  max_amount: (match, sale) =>
    match.maxAmountCents === undefined ||
    (isComparable(match, sale) && sale.amountCents <= match.maxAmountCents),
  product_ids: (match, sale) => !match.productIds || isOfProducts(match, sale),
  metadata: ({ metadata }, sale) => !metadata || hasMetadata(metadata, sale.metadata),
  customer_months: ({ customerMonths }, sale) => isWithin(customerMonths, sale.rank?.month),
  payment_numbers: ({ paymentNumbers }, sale) => isWithin(paymentNumbers, sale.rank?.number),
  customer_since: ({ customerSince }, sale) => !customerSince || isSince(customerSince, sale),
};

/** The first condition of a rule that a sale does not fulfil; null for a rule that matches. */
export function unmetCondition(match: RuleMatch, sale: JudgedSale): RuleCondition | null {
  return ruleConditions.find((condition) => !holds[condition](match, sale)) ?? null;
}

/** Whether a rule is passed over for no other reason than that nobody has told yet what was sold. */
export function lacksItemsOnly(match: RuleMatch, sale: JudgedSale): boolean {
  if (sale.items !== null || !match.productIds) return false;
  return ruleConditions.every(
    (condition) => condition === 'product_ids' || holds[condition](match, sale),
  );
}

function isIn(wanted: readonly string[] | undefined, value: string): boolean {
  return !wanted || wanted.includes(value);
}

/** A threshold is a sum in one currency: it says nothing of a sale in another one. */
function isComparable(
  { currencies }: RuleMatch,
  { currency, programCurrency }: JudgedSale,
): boolean {
  const [only, ...others] = currencies ?? [];
  const inCurrency = only !== undefined && others.length === 0 ? only : programCurrency;
  return currency === null || sameCurrency(inCurrency, currency);
}

function isOfProducts(
  { productIds = [], productMatch = 'every' }: RuleMatch,
  { items, sold }: JudgedSale,
): boolean {
  if (!items || items.length === 0) return false;
  if (productMatch === 'any') return productIds.some((id) => sold.has(id));
  const listed = new Set<number>();
  for (const id of productIds) {
    for (const place of sold.get(id) ?? []) listed.add(place);
    if (listed.size === items.length) return true;
  }
  return false;
}

/** The items of a sale that were not given for nothing; where every one was, all. */
export function itemsThatCost(items: Sale['items']): Sale['items'] {
  const paid = items?.filter(({ amount_cents: amount }) => amount !== 0) ?? [];
  return paid.length > 0 ? paid : items;
}

/** Places of the items by the ids of their products and prices: rules may name many of them. */
export function soldIds(items: Sale['items']): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [place, { product_id, price_id }] of (items ?? []).entries()) {
    for (const id of new Set([product_id, price_id])) {
      if (id !== null) places.set(id, [...(places.get(id) ?? []), place]);
    }
  }
  return places;
}

function hasMetadata(
  wanted: Readonly<Record<string, string[]>>,
  metadata: ConversionMetadata | null,
): boolean {
  return Object.entries(wanted).every(([key, values]) => {
    const value = metadata && Object.hasOwn(metadata, key) ? metadata[key] : undefined;
    return value !== undefined && value !== null && values.includes(String(value));
  });
}

function isWithin(span: Span | undefined, value: number | undefined): boolean {
  if (!span) return true;
  if (value === undefined) return false;
  return value >= (span.from ?? value) && value <= (span.to ?? value);
}

function isSince({ from, to }: NonNullable<RuleMatch['customerSince']>, { rank }: Sale): boolean {
  if (!rank) return false;
  const at = rank.since.getTime();
  return (
    (from === undefined || at >= Date.parse(from)) && (to === undefined || at < Date.parse(to))
  );
}
