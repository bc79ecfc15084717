import { chargedCentsOf, isRestNotShown, shownRefundsOf } from './charge-fact';
import type { ChargeFact, RefundFact } from './charge-fact';

/**
 * What stands refunded of one charge. Stripe's cumulative amount falls when a refund fails, and
 * events come in any order, so: all that was ever issued, less all that failed. Ever issued is the
 * greatest of what any snapshot shows plus what had failed before it, and of the refunds known one
 * by one.
 */
export function standingRefunds(charge: ChargeFact | null, refunds: RefundFact[]): number {
  const failed = refunds.filter(({ failedAt }) => failedAt !== null);
  const failedBefore = (at: string): number =>
    sumOf(failed.filter(({ failedAt }) => failedAt !== null && failedAt < at));
  const shown = (charge ? shownRefundsOf(charge) : []).map(
    ({ at, refundedCents }) => refundedCents + failedBefore(at),
  );
  const issued = refunds.filter((refund) => refund.issued || refund.failedAt !== null);
  const counted = withoutRelease(charge, issued);
  const everIssued = Math.max(sumOf(counted), ...shown);
  return Math.max(0, everIssued - sumOf(failed));
}

/** Stripe may list what it released of an authorisation as a refund: the buyer was given none of that. */
function withoutRelease(charge: ChargeFact | null, refunds: RefundFact[]): RefundFact[] {
  const isHidden = !charge || isRestNotShown(charge);
  const released = isHidden ? 0 : charge.amountCents - chargedCentsOf(charge);
  const isRelease = ({ amountCents, failedAt }: RefundFact): boolean =>
    released > 0 && amountCents === released && failedAt === null;
  const place = refunds.findIndex(isRelease);
  return place < 0 ? refunds : refunds.toSpliced(place, 1);
}

function sumOf(amounts: { amountCents: number }[]): number {
  return amounts.reduce((sum, { amountCents }) => sum + amountCents, 0);
}
