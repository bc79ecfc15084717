import { decimalsOf } from './currency';

export interface Amount {
  /** Minor units. */
  amountCents: number;
  /** ISO 4217, in any case. */
  currency: string;
}

/** `EUR 12.50`: the code first, so that dollars of several countries stay apart. */
export function money({ amountCents, currency }: Amount): string {
  const value = amountCents / 10 ** decimalsOf(currency);
  return formatOf(currency).format(value).replaceAll('\u00a0', ' ');
}

// Formats are kept: making one takes longer than all the rest of a notification.
const formats = new Map<string, Intl.NumberFormat>();

function formatOf(currency: string): Intl.NumberFormat {
  const known = formats.get(currency);
  if (known) return known;
  const decimals = decimalsOf(currency);
  // The decimals are set: by itself the format takes those of daily use, none for HUF, not those of ISO 4217.
  const made = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  formats.set(currency, made);
  return made;
}
