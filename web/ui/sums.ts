import { formatMoney } from './format';
import type { Amount } from './values';

/** Sums by currency. */
export function sumsOf(items: readonly Amount[]): Amount[] {
  const sums = new Map<string, number>();
  for (const { currency, amountCents } of items) {
    sums.set(currency, (sums.get(currency) ?? 0) + amountCents);
  }
  return [...sums].map(([currency, amountCents]) => ({ currency, amountCents }));
}

/** The same as a person reads them: `$12.00, €3.50`. */
export const sumsInWords = (items: readonly Amount[]): string =>
  sumsOf(items)
    .map(({ amountCents, currency }) => formatMoney(amountCents, currency))
    .join(', ');
