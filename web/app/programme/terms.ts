import { refused } from '../../session/refused';
import { text } from '../../text/en';
import { chosenOf, parseMoney, parsePercent, typedMoney, typedPercent } from '../../ui/format';
import type { Earning } from '../../ui/terms';

/** The earning as a person types it: a percentage, or an amount of the currency. */
export function typedEarning({ type, rateBps, amountCents }: Earning, currency: string): string {
  if (type === 'percentage') return typedPercent(rateBps ?? 0);
  return typedMoney(amountCents ?? 0, currency);
}

interface TypedEarning {
  type?: string;
  earned?: string;
  basis?: string;
}

/**
 * What a person typed as the API takes it: without what does not go with the type. Throws a refusal
 * of `field` when it is no such number.
 */
export function earningOf(
  { type, earned = '', basis }: TypedEarning,
  currency: string,
  field: string,
) {
  const value = type === 'flat' ? parseMoney(earned, currency) : parsePercent(earned);
  if (value === undefined) {
    throw refused(field, type === 'flat' ? text.noAmount(currency) : text.noPercent);
  }
  if (type === 'flat') return { type, amountCents: value } as const;
  return { type: 'percentage', rateBps: value, basis: chosenOf(['gross', 'net'], basis) } as const;
}

/** An amount, or what stands for none. Throws a refusal of the field when it is neither. */
export function moneyOrNull(typed: string, currency: string, field: string): number | null {
  if (typed.trim() === '') return null;
  const cents = parseMoney(typed, currency);
  if (cents === undefined) throw refused(field, text.noAmount(currency));
  return cents;
}

/** `USD, eur` as lower-case codes; also of kinds of sales, as they stand. */
export const listOf = (typed: string): string[] =>
  typed
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
