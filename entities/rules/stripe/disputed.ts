import { divideHalfUp } from '../values/money';
import { chargedCentsOf, movedSum, type ChargeFact, type DisputeFact } from './charge-fact';

/** What is disputed: the charge, where it is known, and the payment that it is of. */
export interface Disputed {
  charge: ChargeFact | null;
  /** The payment's currency; null where nothing tells it. */
  currency: string | null;
  wholeCents: number | null;
}

/**
 * How much of the payment a dispute is about, in the payment's currency. One in another currency, as
 * banks make them, is measured by the shop's balance, where both are in one currency: what it moved
 * against what the charge came to. Where that is not known it is about the whole charge.
 */
export function disputedCents(dispute: DisputeFact, { charge, ...payment }: Disputed): number {
  const currency = charge?.currency || payment.currency;
  const isForeign = dispute.currency !== undefined && currency && dispute.currency !== currency;
  if (!isForeign) return dispute.amountCents;
  const whole = (charge && chargedCentsOf(charge)) ?? payment.wholeCents;
  if (whole === null) return dispute.amountCents;
  return Math.min(whole, shareByBalance(dispute, charge, whole) ?? whole);
}

function shareByBalance(
  dispute: DisputeFact,
  charge: ChargeFact | null,
  whole: number,
): number | null {
  const taken = -movedSum(dispute);
  const balance = charge?.balance;
  if (!balance || balance.currency !== dispute.movedCurrency || taken <= 0) return null;
  return Number(divideHalfUp(BigInt(whole) * BigInt(taken), BigInt(balance.amount)));
}
