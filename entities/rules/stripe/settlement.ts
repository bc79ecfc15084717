import { chargedCentsOf, isGivenBack, isLost, isRestNotShown, shownRefundsOf } from './charge-fact';
import type { ChargeFact, DisputeFact, RefundFact } from './charge-fact';
import type { PaymentFact } from './payment-fact';

/** One object of Stripe's with what its events say of it, and the payment's ids that it names. */
export interface StripeObject {
  id: string;
  fact: PaymentFact | ChargeFact | RefundFact | DisputeFact | null;
}

/**
 * What became of one payment, as far as its objects say (docs/reference/payments.md, Refunds and
 * disputes).
 */
export interface PaymentSettlement {
  /** With tax; null while no object says how much was charged. */
  chargeCents: number | null;
  refundedCents: number;
  lostDisputeCents: number;
  openDisputes: number;
  /** Null until the balance transaction of every charge was read. */
  feeCents: number | null;
}

/** What all objects of a payment say together, in minor units; failed charges do not count. */
export function settlementOf(objects: StripeObject[]): PaymentSettlement {
  const charges = objects.flatMap(({ id, fact }) =>
    fact?.kind === 'charge' && fact.succeeded ? [{ id, fact }] : [],
  );
  const refunds = factsOf(objects, 'refund');
  const disputes = factsOf(objects, 'dispute');
  const refundedCents = refundedOf(charges, refunds);
  return {
    chargeCents: chargedOf(
      charges.map(({ fact }) => fact),
      objects,
    ),
    refundedCents,
    lostDisputeCents: lostTo(disputes, refundedCents),
    openDisputes: disputes.filter(({ state }) => state === 'open').length,
    feeCents: feesOf(charges.map(({ fact }) => fact)),
  };
}

/** The refund that prevented a dispute may be told too: it counts once. */
function lostTo(disputes: DisputeFact[], refundedCents: number): number {
  const givenBack = sumOf(disputes.filter(isGivenBack));
  return sumOf(disputes.filter(isLost)) + Math.max(0, givenBack - refundedCents);
}

type FactOfKind<Kind> = Extract<StripeObject['fact'], { kind: Kind }>;

function factsOf<Kind extends 'refund' | 'dispute'>(
  objects: StripeObject[],
  kind: Kind,
): FactOfKind<Kind>[] {
  return objects.flatMap(({ fact }) => (fact?.kind === kind ? [fact as FactOfKind<Kind>] : []));
}

function chargedOf(charges: ChargeFact[], objects: StripeObject[]): number | null {
  const byCharges = charges.reduce((sum, charge) => sum + chargedCentsOf(charge), 0);
  const charged = objects.flatMap(({ fact }) =>
    fact?.kind === 'session' || fact?.kind === 'invoice' ? [fact.chargedCents] : [],
  );
  return byCharges || Math.max(0, ...charged) || null;
}

function feesOf(charges: ChargeFact[]): number | null {
  if (charges.length === 0) return null;
  let sum = 0;
  for (const { feeCents } of charges) {
    if (feeCents === null) return null;
    sum += feeCents;
  }
  return sum;
}

/** Charge by charge; where there is only one, a refund belongs to it whatever it names. */
function refundedOf(charges: { id: string; fact: ChargeFact }[], refunds: RefundFact[]): number {
  const groups = new Map<string | null, { charge: ChargeFact | null; refunds: RefundFact[] }>();
  for (const { id, fact } of charges) groups.set(id, { charge: fact, refunds: [] });
  const only = charges.length === 1 ? charges[0]?.id : undefined;

  for (const refund of refunds) {
    const key = only ?? refund.chargeId;
    const group = groups.get(key) ?? { charge: null, refunds: [] };
    group.refunds.push(refund);
    groups.set(key, group);
  }
  return [...groups.values()].reduce(
    (sum, group) => sum + standingRefunds(group.charge, group.refunds),
    0,
  );
}

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
