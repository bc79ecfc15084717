import { divideHalfUp } from '../values/money';
import { amountAt, integerAt, textAt, valueAt } from '../billing/json';
import { fromStripeUnits, stripeDecimalsOf, toStripeUnits } from './units';

/** An amount on the shop's balance, in Stripe's own units of that currency. */
export interface BalanceAmount {
  amount: number;
  currency: string;
}

/** What a balance transaction moved; `{}` when it was not read, or took nothing in. */
export function balanceIn(balanceTransaction: unknown): { balance?: BalanceAmount } {
  const amount = amountAt(balanceTransaction, 'amount');
  const currency = textAt(balanceTransaction, 'currency')?.toLowerCase();
  return amount > 0 && currency ? { balance: { amount, currency } } : {};
}

export interface ChargedAmount {
  currency: string;
  amountCents: number;
}

/**
 * The fee of a balance transaction in the charge's currency, half up; null when it is not known.
 * A fee in another currency goes back by `exchange_rate`, which leads from the charge's currency to
 * that of the balance (docs/reference/payments.md, Amounts).
 */
export function feeOf(balanceTransaction: unknown, charge: ChargedAmount): number | null {
  const fee = integerAt(balanceTransaction, 'fee');
  const currency = textAt(balanceTransaction, 'currency')?.toLowerCase();
  if (fee === null || fee < 0 || !currency) return null;
  if (currency === charge.currency) return fromStripeUnits(fee, currency);

  const rate = exactDecimal(valueAt(balanceTransaction, 'exchange_rate'));
  if (!rate) return null;
  const gap = unitGap(balanceTransaction, charge, currency);
  const numerator = BigInt(fee) * rate.scale * 10n ** BigInt(Math.max(0, gap));
  const denominator = rate.digits * 10n ** BigInt(Math.max(0, -gap));
  const converted = Number(divideHalfUp(numerator, denominator));
  return Number.isSafeInteger(converted) ? fromStripeUnits(converted, charge.currency) : null;
}

/**
 * The rate is one between whole units, so yen and dollars differ by two places besides it. The
 * transaction's own amount says when it was written between smallest units instead.
 */
function unitGap(balanceTransaction: unknown, charge: ChargedAmount, currency: string): number {
  const gap = stripeDecimalsOf(charge.currency) - stripeDecimalsOf(currency);
  const amount = amountAt(balanceTransaction, 'amount');
  const rate = Number(valueAt(balanceTransaction, 'exchange_rate'));
  const charged = toStripeUnits(charge.amountCents, charge.currency);
  const offBy = (shift: number): number => Math.abs(Math.log10((charged * rate) / amount) - shift);
  // An amount of 0 or below makes both distances Infinity or NaN: the comparison is false.
  return offBy(0) < offBy(gap) ? 0 : gap;
}

/** A positive JSON number as the exact decimal that was written. */
function exactDecimal(value: unknown): { digits: bigint; scale: bigint } | null {
  const number = typeof value === 'string' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number) || number <= 0) return null;
  const [mantissa = '', exponent = '0'] = String(number).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const shift = fraction.length - Number(exponent);
  return {
    digits: BigInt(whole + fraction) * 10n ** BigInt(Math.max(0, -shift)),
    scale: 10n ** BigInt(Math.max(0, shift)),
  };
}
