/**
 * Exact arithmetic on minor units. 10^12 minor units times 10,000 basis points is more than a
 * double holds, so products are made of BigInts and only results are numbers.
 */

/** A share of a whole: 0 <= numerator <= denominator, denominator > 0. */
export interface Share {
  numerator: bigint;
  denominator: bigint;
}

export const nothing: Share = { numerator: 0n, denominator: 1n };

/** Half up; both are never negative here, the denominator never zero. */
export function divideHalfUp(numerator: bigint, denominator: bigint): bigint {
  return (numerator * 2n + denominator) / (denominator * 2n);
}

/** Basis points of an amount, half up. */
export function percentOf(amountCents: number, rateBps: number): number {
  return Number(divideHalfUp(BigInt(amountCents) * BigInt(rateBps), 10_000n));
}

/** part / whole, at most 1; nothing of a whole that is zero or unknown. */
export function shareOf(part: number, whole: number | null): Share {
  if (whole === null || whole <= 0 || part <= 0) return nothing;
  return atMostOne({ numerator: BigInt(part), denominator: BigInt(whole) });
}

export function greater(a: Share, b: Share): Share {
  return a.numerator * b.denominator >= b.numerator * a.denominator ? a : b;
}

/** The sum, at most 1. */
export function plus(a: Share, b: Share): Share {
  return atMostOne({
    numerator: a.numerator * b.denominator + b.numerator * a.denominator,
    denominator: a.denominator * b.denominator,
  });
}

/** How much of what `before` has left the share takes, which has it within. `before` is not the whole. */
export function ofTheRest(share: Share, before: Share): Share {
  const taken = share.numerator * before.denominator - before.numerator * share.denominator;
  if (taken <= 0n) return nothing;
  return {
    numerator: taken,
    denominator: share.denominator * (before.denominator - before.numerator),
  };
}

export function isWhole(share: Share): boolean {
  return share.numerator === share.denominator;
}

/** The share of an amount, half up. */
export function takeShare(amountCents: number, share: Share): number {
  return Number(divideHalfUp(BigInt(amountCents) * share.numerator, share.denominator));
}

/** What the share leaves of an amount, half up. */
export function leaveShare(amountCents: number, share: Share): number {
  const rest = share.denominator - share.numerator;
  return Number(divideHalfUp(BigInt(amountCents) * rest, share.denominator));
}

function atMostOne(share: Share): Share {
  return share.numerator > share.denominator ? { numerator: 1n, denominator: 1n } : share;
}

/** Whether two ISO 4217 codes are one currency, in any case; none equals no currency. */
export function sameCurrency(a: string, b: string | null): boolean {
  return b !== null && a.toLowerCase() === b.toLowerCase();
}
