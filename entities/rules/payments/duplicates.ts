import type { AttributionReason } from '../attribution/attribute';
import type { CommissionStatus } from '../commissions/status';

/** Why a report by API yields to what a processor tells of the same payment. */
export const yieldingReasons: readonly AttributionReason[] = [
  'SALES_FROM_STRIPE',
  'SALES_FROM_BILLER',
  'CLICK_NOT_FOUND',
  'CLICK_EXPIRED',
  'CLICK_AFTER_CONVERSION',
  'PROMO_CODE_NOT_FOUND',
];

/** One of the conversions that turn out to be one payment. */
export interface Duplicate {
  /** The status of its commission; null without one. */
  status: CommissionStatus | null;
  /** A report whose own signals failed, or that its programme takes from elsewhere. */
  isYielding: boolean;
}

/** The commission that stands is kept, whatever became of the others; then a sale before a refused report. */
const standing: readonly (CommissionStatus | null)[] = [
  'paid',
  'approved',
  'pending',
  'refunded',
  'rejected',
  null,
];

/**
 * Which of the conversions that are one payment is kept: the one whose commission stands, then the oldest
 * (docs/reference/payments.md, One payment, one conversion). Expects the oldest first; undefined of none.
 */
export function keptOf<One extends Duplicate>(oldestFirst: readonly One[]): One | undefined {
  const rank = (one: One): number =>
    standing.indexOf(one.status) + (one.isYielding ? standing.length : 0);
  return oldestFirst.toSorted((a, b) => rank(a) - rank(b))[0];
}
