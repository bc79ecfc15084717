import { isCurrencyCode } from '../billing/json';
import { paymentOfCharge } from './charge-fact';
import type { PaymentFact } from './payment-fact';
import type { StripeObject } from './settlement';

/** Ids of Stripe's under which a payment can be reported: what an API report may also name. */
const paymentId = /^(pi|ch|py|in|cs)_[A-Za-z0-9_]{1,250}$/;

export function isStripePaymentId(id: string): boolean {
  return paymentId.test(id);
}

/**
 * What the conversion of a payment is called: payment intent, else invoice, else session
 * (docs/reference/payments.md, One payment, one conversion). A payment that only its charge names
 * is called by that.
 */
export function transactionIdOf(paymentIds: string[]): string | undefined {
  for (const prefix of ['pi_', 'in_', 'cs_', 'ch_', 'py_']) {
    const id = paymentIds.filter((candidate) => candidate.startsWith(prefix)).sort()[0];
    if (id !== undefined) return id;
  }
  return [...paymentIds].sort()[0];
}

/** What session, invoice and charge say of a payment, the session's first. */
export function paymentFactsOf(objects: StripeObject[]): PaymentFact[] {
  const facts = objects.flatMap(({ fact }) => {
    if (fact?.kind === 'session' || fact?.kind === 'invoice') return [fact];
    return fact?.kind === 'charge' ? (paymentOfCharge(fact) ?? []) : [];
  });
  return facts.sort((a, b) => rank(a) - rank(b));
}

const byKind: PaymentFact['kind'][] = ['session', 'invoice', 'direct'];

function rank(fact: PaymentFact): number {
  return byKind.indexOf(fact.kind) + (isPaid(fact) ? 0 : byKind.length);
}

/** Which of them says what a commission is computed on, whichever came first. */
const byPrice: PaymentFact['kind'][] = ['invoice', 'session', 'direct'];

/**
 * The base of a payment: its invoice's, which leaves out what credit covered, before its session's.
 * Its amount is 0 where the invoice says that no money came in: credit covered all of it, or there
 * was nothing to pay. Undefined before a payment, or such an invoice, is known.
 */
export function baseOf(facts: PaymentFact[]): PaymentFact | undefined {
  const paid = facts.filter(isPaid);
  const first = byPrice.find((kind) => paid.some((fact) => fact.kind === kind));
  const covered = first === 'invoice' ? undefined : facts.find(isCoveredInvoice);
  return covered ?? paid.find(({ kind }) => kind === first);
}

/** Whether an invoice says that no money came in, so that the base is known and 0. */
export function isCovered(facts: PaymentFact[]): boolean {
  return baseOf(facts)?.amountCents === 0;
}

/** A zero-amount checkout or invoice is no payment, nor is one that is still to be paid. */
export function isPaid(fact: PaymentFact): boolean {
  return fact.amountCents > 0 && isSettled(fact);
}

function isCoveredInvoice(fact: PaymentFact): boolean {
  return fact.kind === 'invoice' && fact.amountCents === 0 && isSettled(fact);
}

function isSettled({ paid, currency }: PaymentFact): boolean {
  return paid && isCurrencyCode(currency);
}

/** When money came in, ISO; null before it did, and when credit covered all. */
export function paidAtOf(objects: StripeObject[]): string | null {
  const facts = paymentFactsOf(objects);
  return isCovered(facts) ? null : (facts.find(isPaid)?.paidAt ?? null);
}

/** What an invoice is made for that a flat commission pays; `subscription` is the oldest versions' one word. */
const flatReasons = new Set([
  'subscription_create',
  'subscription_cycle',
  'subscription',
  'quote_accept',
]);

/**
 * Whether flat terms pay a payment: a checkout, a charge, an invoice that begins or continues a
 * subscription, one whose reason was not stored. Not a proration, a threshold, an invoice by hand.
 */
export function paysFlat(facts: PaymentFact[]): boolean {
  if (facts.some(({ kind }) => kind === 'session')) return true;
  const reasons = facts.flatMap(({ billingReason }) => billingReason ?? []);
  return reasons.every((reason) => flatReasons.has(reason));
}

/** An invoice of a subscription may be a renewal; what a checkout made is judged by itself first. */
export function isInvoiceOnly(facts: PaymentFact[]): boolean {
  return facts.every(({ kind }) => kind !== 'session') && facts.some((fact) => fact.subscriptionId);
}

/** The time for which the checkout of an invoice is waited for, when Stripe cannot be asked. */
export const checkoutWaitMs = 10 * 60_000;

/** An invoice comes a moment before the checkout that made it: that Stripe knows none counts after this. */
export const checkoutKnownMs = 2 * 60_000;

/** Whether a checkout that is not known yet may have made this invoice. */
export function mayHaveCheckout(facts: PaymentFact[]): boolean {
  const isBeginning = facts.some(({ begins }) => begins);
  const isAsked = facts.some(({ withoutCheckout }) => withoutCheckout);
  return isInvoiceOnly(facts) && isBeginning && !isAsked;
}

/** The first time that the buyer went through a checkout of these; null when none says. */
export function checkedOutAt(facts: PaymentFact[]): Date | null {
  const [first] = facts.flatMap(({ completedAt }) => completedAt ?? []).sort();
  return first === undefined ? null : new Date(first);
}

/** All that may lead to a partner, in the order in which it counts. */
export interface PaymentSignals {
  /** Click ids of metadata and client_reference_id, the first before the later. */
  clickIds: string[];
  /** The ids of metadata alone: the merchant meant a click, whatever they are. */
  metadataClickIds: string[];
  codes: string[];
}

/** The signals of all these facts, the first one's first, each once. */
export function signalsOf(facts: PaymentFact[]): PaymentSignals {
  return {
    clickIds: distinct(facts.flatMap((fact) => [...fact.metadataClickIds, fact.clientReferenceId])),
    metadataClickIds: distinct(facts.flatMap((fact) => fact.metadataClickIds)),
    codes: distinct(facts.flatMap(({ promotions }) => promotions.map(({ code }) => code))),
  };
}

/**
 * What the buyer may be known by: the merchant's own ids, which a session may carry, then Stripe's.
 * Whoever follows a Payment Link writes its reference: that names no customer.
 */
export function customerNamesOf(facts: PaymentFact[]): { own: string[]; stripes: string[] } {
  return {
    own: distinct(
      facts.flatMap((fact) => [
        fact.metadataCustomerId ?? null,
        fact.isPaymentLink === true ? null : fact.clientReferenceId,
      ]),
    ),
    stripes: distinct(facts.map(({ customerId }) => customerId)),
  };
}

/** Whether anything may lead to a partner. */
export function hasSignal({ clickIds, codes }: PaymentSignals): boolean {
  return clickIds.length + codes.length > 0;
}

function distinct(values: (string | null)[]): string[] {
  return [...new Set(values.filter((value) => value !== null))];
}
