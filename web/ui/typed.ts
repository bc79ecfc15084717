import { decimalsOf } from '../../entities/rules/values/currency';

/** What the reader's language puts between whole and fraction, and between thousands. */
function separators(): { decimal: string; group: string } {
  const parts = new Intl.NumberFormat().formatToParts(12_345.6);
  const of = (type: string): string => parts.find((part) => part.type === type)?.value ?? '';
  return { decimal: of('decimal') || '.', group: of('group') };
}

/** Text without what only makes it easier to read: spaces of any kind, and apostrophes. */
const bare = (typed: string): string => typed.trim().replaceAll(/[\s'’]/g, '');

/**
 * A number as the reader's language writes it, as `-1234.5` has it; undefined when it is none, or may
 * be two: `1,000` is a thousand where a comma groups, and one where it is the decimal sign; where it
 * is neither it is refused.
 */
function plainNumber(typed: string): string | undefined {
  const { decimal, group } = separators();
  const digits = bare(typed);
  const ungrouped = /\s|['’]/.test(group) ? digits : withoutGroups(digits, group);
  if (ungrouped.includes(decimal)) return ungrouped.replace(decimal, '.');
  // The sign of other languages, where it cannot be one of thousands.
  return /[.,]\d{3}$/.test(ungrouped) ? undefined : ungrouped.replace(/[.,]/, '.');
}

function withoutGroups(digits: string, group: string): string {
  if (group === '') return digits;
  const sign = `[${group}]`;
  const grouped = new RegExp(`^-?\\d{1,3}(?:${sign}\\d{2,3})*${sign}\\d{3}(?!\\d)`).exec(digits);
  if (!grouped) return digits;
  return grouped[0].replaceAll(group, '') + digits.slice(grouped[0].length);
}

/** What a person typed, such as `12.50`, in minor units; undefined when it is no such amount. */
export function parseMoney(typed: string, currency: string): number | undefined {
  const decimals = decimalsOf(currency);
  const match = /^(-?)(\d{1,12})(?:\.(\d*))?$/.exec(plainNumber(typed) ?? '');
  const [, sign, whole = '', fraction = ''] = match ?? [];
  if (!match || fraction.length > decimals) return undefined;
  const cents = Number(whole + fraction.padEnd(decimals, '0'));
  return sign === '-' ? -cents : cents;
}

/** A percentage such as `12.5` or `20 %` in basis points; undefined when it is none. */
export function parsePercent(typed: string): number | undefined {
  // Hundredths of a percent are basis points, as cents are hundredths of a dollar.
  return parseMoney(typed.replace('%', ''), 'usd');
}

/** An amount as a person would type it, which `parseMoney` reads back: `12.50`, `1250`, `1.250`. */
export function typedMoney(cents: number, currency: string): string {
  const decimals = decimalsOf(currency);
  return (cents / 10 ** decimals).toFixed(decimals).replace('.', separators().decimal);
}

/** Basis points as a person would type a percentage: 1250 is `12.5`. */
export const typedPercent = (bps: number): string =>
  String(bps / 100).replace('.', separators().decimal);

/** An amount to show how one is typed: `25.00`, in yen `25`. */
export const exampleAmount = (currency: string): string =>
  typedMoney(25 * 10 ** decimalsOf(currency), currency);
