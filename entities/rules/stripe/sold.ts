import {
  amountAt,
  idAt,
  integerAt,
  listAt,
  objectAt,
  storable,
  textAt,
  valueAt,
  type Json,
} from '../billing/json';
import { cut } from '../values/cut';
import {
  isConversionMetadata,
  type ConversionItem,
  type ConversionMetadata,
} from '../values/sale-facts';
import { fromStripeUnits } from './units';

/**
 * The lines of a session or an invoice that cost something; where none does, all. Null where there are none, or
 * more than an event holds: what is not known in full says nothing of every item.
 */
export function itemsOf(lines: Json, currency: string): ConversionItem[] | null {
  const all = listAt({ lines }, 'lines').flatMap((line) => itemOf(line, currency) ?? []);
  if (all.length === 0 || valueAt(lines, 'has_more') === true) return null;
  const paid = all.filter(({ amount_cents: amount }) => (amount ?? 0) > 0);
  return paid.length > 0 ? paid : all;
}

/** Versions since 2025-03-31 name product and price of an invoice's line below `pricing`. */
function itemOf(line: unknown, currency: string): ConversionItem | null {
  const price = objectAt(line, 'price');
  const details = objectAt(line, 'pricing', 'price_details');
  const product = idAt(price, 'product') ?? idAt(details, 'product');
  if (product === null) return null;
  return {
    product_id: product,
    price_id: textAt(price, 'id') ?? idAt(details, 'price'),
    amount_cents: fromStripeUnits(
      integerAt(line, 'amount') ?? amountAt(line, 'amount_total'),
      currency,
    ),
    quantity: integerAt(line, 'quantity'),
  };
}

const ours: readonly string[] = ['aff_click_id', 'customer_id'];

/** What the merchant attached, as much as a report may have; Stripe's order of keys is any. */
export function metadataOf(metadata: Json): ConversionMetadata | null {
  const kept: ConversionMetadata = {};
  for (const key of Object.keys(metadata).toSorted()) {
    const value = textAt(metadata, key);
    if (ours.includes(key) || value === null || storable(key) !== key) continue;
    const more = { ...kept, [key]: cut(value, 500) };
    if (isConversionMetadata(more)) Object.assign(kept, more);
  }
  return Object.keys(kept).length > 0 ? kept : null;
}
