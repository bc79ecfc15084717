import { divideHalfUp } from '../values/money';

/** Currencies without a minor unit, whose amounts Stripe gives in hundredths all the same. */
const sentInHundredths = new Set(['isk', 'ugx']);

/** Currencies whose smallest unit in Stripe's API is the whole one, and those with thousandths. */
const wholeUnits = new Set(
  'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '),
);
const thousandths = new Set(['bhd', 'jod', 'kwd', 'omr', 'tnd']);

/** Decimals of an amount as Stripe's API writes it. */
export function stripeDecimalsOf(currency: string): number {
  if (wholeUnits.has(currency)) return 0;
  return thousandths.has(currency) ? 3 : 2;
}

/** An amount of Stripe's in minor units of the currency, half up. */
export function fromStripeUnits(amount: number, currency: string): number {
  if (!sentInHundredths.has(currency)) return amount;
  const whole = Number(divideHalfUp(BigInt(Math.abs(amount)), 100n));
  return amount < 0 ? -whole : whole;
}

/** The way back, for comparing with other figures of Stripe's. */
export function toStripeUnits(amount: number, currency: string): number {
  return sentInHundredths.has(currency) ? amount * 100 : amount;
}
