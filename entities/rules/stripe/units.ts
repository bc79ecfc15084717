import { decimalsOf } from '../values/currency';
import { divideHalfUp } from '../values/money';

/**
 * Stripe's units are not always those of ISO 4217: its API writes ISK and UGX in hundredths, which
 * they do not have, and MGA in whole ones (docs/reference/payments.md, Amounts).
 */
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
  const factor = factorOf(currency);
  if (factor >= 1) return amount * factor;
  const minor = Number(divideHalfUp(BigInt(Math.abs(amount)), BigInt(Math.round(1 / factor))));
  return amount < 0 ? -minor : minor;
}

/** The way back, for comparing with other figures of Stripe's. */
export function toStripeUnits(amount: number, currency: string): number {
  return amount / factorOf(currency);
}

/** Minor units in one of Stripe's. */
function factorOf(currency: string): number {
  return 10 ** (decimalsOf(currency) - stripeDecimalsOf(currency));
}
