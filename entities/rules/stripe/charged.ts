import { chargedCentsOf, type ChargeFact, type RefundFact } from './charge-fact';
import type { PaymentFact } from './payment-fact';
import { standingRefunds } from './refunded';

/** What session or invoice say of a payment: it may have charges that nobody told. */
export interface Told {
  /** The amount with tax. */
  chargedCents: number;
  currency: string;
  /** ISO: when an invoice was paid to the end; null for a session, which one charge pays at once. */
  completedAt: string | null;
  /** It may be paid by several charges, and outside of Stripe. */
  hasParts: boolean;
}

/** The invoice's word before the session's, which does not know of credit. */
export function toldOf(facts: PaymentFact[], currency: string | null): Told | null {
  const invoices = facts.filter(({ kind, paid }) => kind === 'invoice' && paid);
  const told = (invoices.length > 0 ? invoices : facts).map(tellingOf);
  const [greatest] = told.sort((a, b) => b.chargedCents - a.chargedCents);
  // Sums of two currencies cannot be compared.
  const isForeign = currency !== null && greatest?.currency !== currency;
  return greatest === undefined || isForeign ? null : greatest;
}

function tellingOf(fact: PaymentFact): Told {
  const isInvoice = fact.kind === 'invoice';
  return {
    // What was paid outside of Stripe was once stored as a base alone.
    chargedCents: isInvoice ? Math.max(fact.chargedCents, fact.amountCents) : fact.chargedCents,
    currency: fact.currency,
    completedAt: isInvoice ? fact.paidAt : null,
    hasParts: isInvoice || fact.subscriptionId !== null,
  };
}

/** A charge with its refunds; none where only these were told. */
export interface Part {
  charge: ChargeFact | null;
  refunds: RefundFact[];
}

/** What stands refunded of a part, and what of that was given back before the invoice was complete. */
export interface PartSums {
  chargedCents: number;
  authorisedCents: number;
  refundedCents: number;
}

/**
 * The sums of one part. What was refunded before the invoice was complete was paid again since: it
 * counts neither as charged nor as given back. A charge that pays all of an invoice completes it, so
 * that only what is a part of one can have been refunded before.
 */
export function sumsOf(
  { charge, refunds }: Part,
  { told, hasOthers }: { told: Told | null; hasOthers: boolean },
): PartSums {
  const standing = standingRefunds(charge, refunds);
  const charged = charge ? chargedCentsOf(charge) : 0;
  const isPart = charge ? charged < (told?.chargedCents ?? 0) : hasOthers;
  const before =
    isPart && told?.completedAt
      ? Math.min(standing, refundedBefore({ charge, refunds }, told.completedAt))
      : 0;
  const off = charge ? before : 0;
  return {
    chargedCents: charged - off,
    authorisedCents: (charge ? Math.max(charge.amountCents, charged) : 0) - off,
    refundedCents: standing - before,
  };
}

function refundedBefore({ charge, refunds }: Part, at: string): number {
  const isBefore = ({ toldAt, failedAt }: RefundFact): boolean => (toldAt ?? failedAt ?? at) < at;
  const shown = charge && { ...charge, snapshots: charge.snapshots.filter((one) => one.at < at) };
  return standingRefunds(shown, refunds.filter(isBefore));
}

/**
 * How much a payment is in all, with tax: the greatest of what its charges sum to and what it is told
 * to be. What was authorised and never captured is no charge that is still to be told. Null while
 * nothing says how much.
 */
export function wholeOf(parts: PartSums[], told: Told | null): number | null {
  const charged = sum(parts.map(({ chargedCents }) => chargedCents));
  const whole = areAllTold(parts, told) ? charged : Math.max(charged, told?.chargedCents ?? 0);
  return whole || null;
}

/** Whether the charges that are known pay what session or invoice tell. */
export function areAllTold(parts: PartSums[], told: Told | null): boolean {
  return sum(parts.map(({ authorisedCents }) => authorisedCents)) >= (told?.chargedCents ?? 0);
}

function sum(numbers: number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
