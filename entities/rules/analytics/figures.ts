const decimals = 10_000;

/** Conversions per click to 4 decimals; 0 when there are no clicks. */
export function conversionRate(conversions: number, clicks: number): number {
  return clicks === 0 ? 0 : Math.round((conversions * decimals) / clicks) / decimals;
}

/** The relative change of a shown figure, to 4 decimals; null when there was nothing before. */
export function changeOf(current: number, previous: number): number | null {
  return previous === 0
    ? null
    : Math.round(((current - previous) * decimals) / previous) / decimals;
}
