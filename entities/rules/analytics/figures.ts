export interface Counts {
  clicks: number;
  conversions: number;
  /** Renewals among the conversions: no click brings these. */
  renewals: number;
}

/** Conversions that are no renewals per click, to 4 decimals; 0 when there are no clicks. */
export function conversionRate({ clicks, conversions, renewals }: Counts): number {
  return clicks === 0 ? 0 : quotient(conversions - renewals, clicks);
}

/** The relative change of a shown figure, to 4 decimals; null when there was nothing before. */
export function changeOf(current: number, previous: number): number | null {
  return previous === 0 ? null : quotient(current - previous, previous);
}

function quotient(part: number, whole: number): number {
  return Math.round((part * 10_000) / whole) / 10_000;
}
