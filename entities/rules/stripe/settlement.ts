import type { PaymentSettlement } from '../billing/rules';
import {
  areAllTold,
  sumsOf,
  toldOf,
  wholeOf,
  type Part,
  type PartSums,
  type Told,
} from './charged';
import { isGivenBack, isLost } from './charge-fact';
import type { ChargeFact, DisputeFact, RefundFact } from './charge-fact';
import { disputedCents } from './disputed';
import type { PaymentFact } from './payment-fact';

/** One object of Stripe's with what its events say of it, and the payment's ids that it names. */
export interface StripeObject {
  id: string;
  fact: PaymentFact | ChargeFact | RefundFact | DisputeFact | null;
}

/** What all objects of a payment say together, in minor units; failed charges do not count. */
export function settlementOf(objects: StripeObject[]): PaymentSettlement {
  const charges = chargesOf(objects);
  const currency = charges.find(({ fact }) => fact.currency)?.fact.currency ?? null;
  const told = toldOf([...factsOf(objects, 'session'), ...factsOf(objects, 'invoice')], currency);
  const hasOthers =
    objects.filter(({ id }) => id.startsWith('pi_')).length > 1 || charges.length > 0;
  const parts = partsOf(charges, factsOf(objects, 'refund')).map((part) =>
    sumsOf(part, { told, hasOthers }),
  );
  const wholeCents = wholeOf(parts, told);
  const refundedCents = sumOf(parts.map((part) => part.refundedCents));
  const disputes = factsOf(objects, 'dispute');
  const inPayment = (dispute: DisputeFact): number =>
    disputedCents(dispute, {
      charge: chargeNamed(charges, dispute.chargeId ?? null),
      currency: currency ?? told?.currency ?? null,
      wholeCents,
    });
  return {
    chargeCents: wholeCents,
    refundedCents,
    lostDisputeCents: lostTo(disputes, { refundedCents, inPayment }),
    openDisputes: disputes.filter(({ state }) => state === 'open').length,
    feeCents: feesOf(charges, { told, parts }),
  };
}

/** The refund that prevented a dispute may be told too: it counts once. */
function lostTo(
  disputes: DisputeFact[],
  of: { refundedCents: number; inPayment: (dispute: DisputeFact) => number },
): number {
  const givenBack = sumOf(disputes.filter(isGivenBack).map(of.inPayment));
  return (
    sumOf(disputes.filter(isLost).map(of.inPayment)) + Math.max(0, givenBack - of.refundedCents)
  );
}

type Kinds = { [One in NonNullable<StripeObject['fact']> as One['kind']]: One };

function factsOf<Kind extends keyof Kinds>(objects: StripeObject[], kind: Kind): Kinds[Kind][] {
  return objects.flatMap(({ fact }) => (fact?.kind === kind ? [fact as Kinds[Kind]] : []));
}

interface Charge {
  id: string;
  fact: ChargeFact;
}

function chargesOf(objects: StripeObject[]): Charge[] {
  return objects.flatMap(({ id, fact }) =>
    fact?.kind === 'charge' && fact.succeeded ? [{ id, fact }] : [],
  );
}

/** What several charges cost is known once all of them are. */
function feesOf(
  charges: Charge[],
  { told, parts }: { told: Told | null; parts: PartSums[] },
): number | null {
  if (charges.length === 0) return null;
  if (told?.hasParts && !areAllTold(parts, told)) return null;
  const fees = charges.map(({ fact }) => fact.feeCents);
  return fees.includes(null) ? null : sumOf(fees.filter((fee) => fee !== null));
}

/** Charge by charge, and what names none of them by what it names. */
function partsOf(charges: Charge[], refunds: RefundFact[]): Part[] {
  const parts = new Map<string, Part>();
  for (const { id, fact } of charges) parts.set(id, { charge: fact, refunds: [] });
  for (const refund of refunds) {
    const key = chargeIdOf(refund, charges) ?? refund.paymentIntentId ?? '';
    const part = parts.get(key) ?? { charge: null, refunds: [] };
    part.refunds.push(refund);
    parts.set(key, part);
  }
  return [...parts.values()];
}

/** The charge that a refund is of; where there is only one, what names no other belongs to it. */
function chargeIdOf({ chargeId, paymentIntentId }: RefundFact, charges: Charge[]): string | null {
  if (chargeId !== null) return chargeId;
  const isOfIntent = ({ fact }: Charge): boolean =>
    paymentIntentId !== null && fact.paymentIntentId === paymentIntentId;
  const mayBeIts = ({ fact }: Charge): boolean =>
    paymentIntentId === null || fact.paymentIntentId === undefined;
  const [its, ...others] = charges.some(isOfIntent)
    ? charges.filter(isOfIntent)
    : charges.filter(mayBeIts);
  return its && others.length === 0 ? its.id : null;
}

/** The only charge where the dispute names none that is known. */
function chargeNamed(charges: Charge[], chargeId: string | null): ChargeFact | null {
  if (chargeId !== null) return charges.find(({ id }) => id === chargeId)?.fact ?? null;
  return charges.length === 1 ? (charges[0]?.fact ?? null) : null;
}

function sumOf(numbers: number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
