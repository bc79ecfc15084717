import type { DiscountDto } from '../session/records';
import { text } from '../text/en';
import { formatMoney, formatShare } from './format';

const words = text.discounts;

/** What a code takes off, and how often: `10% off, for 3 months`. */
export function discountInWords(discount: DiscountDto | null): string {
  if (!discount) return words.none;
  const { percentOffBps, amountOffCents = 0, currency = '', months } = discount;
  const what =
    percentOffBps === undefined
      ? words.amountOff(formatMoney(amountOffCents, currency))
      : words.percentOff(formatShare(percentOffBps / 10_000));
  return words.inWords(what, howLong(months));
}

function howLong(months: number | null): string {
  if (months === null) return words.once;
  return months === 0 ? words.always : words.months(months);
}
