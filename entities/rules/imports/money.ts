import { decimalsOf } from '../values/currency';

/** Minor units; more is no sum of this trade. */
const largest = 10 ** 12;

const plain = /^(-?)(\d{1,20})(?:\.(\d{1,10}))?$/;
const whole = /^-?\d{1,20}$/;

interface Given {
  currency: string;
  /** Whether less than nothing makes sense. */
  signed?: boolean;
}

/** A sum as people write it, in minor units; undefined for what is none. Never rounded. */
export function minorUnitsOf(
  text: string,
  { currency, signed = false }: Given,
): number | undefined {
  const match = plain.exec(text.trim());
  if (!match) return undefined;
  const [, sign = '', units = '', decimals = ''] = match;
  const places = decimalsOf(currency);
  if (decimals.length > places) return undefined;
  return within(Number(`${sign}${units}${decimals.padEnd(places, '0')}`), signed);
}

/** A sum in whole minor units. */
export function wholeUnitsOf(
  text: string,
  { signed = false }: Pick<Given, 'signed'> = {},
): number | undefined {
  const trimmed = text.trim();
  return whole.test(trimmed) ? within(Number(trimmed), signed) : undefined;
}

function within(amount: number, signed: boolean): number | undefined {
  if (Math.abs(amount) > largest || (amount < 0 && !signed)) return undefined;
  // There is no minus nothing.
  return amount === 0 ? 0 : amount;
}

/** The same sum as plain digits, with all decimals of its currency. */
export function plainSum(amountCents: number, currency: string): string {
  const places = decimalsOf(currency);
  if (places === 0) return String(amountCents);
  const digits = String(Math.abs(amountCents)).padStart(places + 1, '0');
  const sign = amountCents < 0 ? '-' : '';
  return `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}
