import type { StoredSale } from '../payments/sale';
import {
  baseOf,
  isInvoiceOnly,
  isPaid,
  mayHaveCheckout,
  paymentFactsOf,
  paysFlat,
  signalsOf,
  transactionIdOf,
} from './classify';
import { isStripesOwn, type PaymentFact } from './payment-fact';
import { settlementOf, type StripeObject } from './settlement';

/** What the objects of a payment at Stripe say for its credit; null while none of them is a payment. */
export function saleOf(objects: StripeObject[]): StoredSale | null {
  const facts = paymentFactsOf(objects);
  const [first] = facts;
  const aliases = paymentIdsOf(objects);
  const externalId = transactionIdOf(aliases);
  if (!first || externalId === undefined) return null;
  const paid = facts.find(isPaid);
  const main = paid ?? first;
  const base = baseOf(facts) ?? main;
  return {
    externalId,
    toldBy: toldBy(facts),
    paidAt: paid ? paid.paidAt : null,
    madeAt: madeAtOf(facts, main),
    periodAt: periodOf(facts),
    amountCents: paid ? base.amountCents : 0,
    grossCents: base.chargedCents,
    currency: main.currency,
    begins: facts.some(({ begins }) => begins === true),
    isPart: !paysFlat(facts),
    mayHaveCheckout: isBareCharge(facts) || mayHaveCheckout(facts),
    hasCheckout: facts.some(({ kind }) => kind === 'session'),
    signals: signalsOf(facts),
    aliases,
    feeCents: settlementOf(objects).feeCents,
    ...soldOf(facts),
  };
}

/** The session's own before the invoice's, and that before its subscription's. */
function soldOf(facts: PaymentFact[]): Pick<StoredSale, 'items' | 'metadata'> {
  const inOrder = facts.toSorted((a, b) => rankOf(a) - rankOf(b));
  const items = inOrder.find((fact) => fact.items)?.items;
  const own = inOrder.find((fact) => fact.metadata)?.metadata;
  const metadata = own ?? inOrder.find((fact) => fact.subscriptionMetadata)?.subscriptionMetadata;
  return { ...(items ? { items } : {}), ...(metadata ? { metadata } : {}) };
}

function rankOf({ kind }: PaymentFact): number {
  return ['session', 'invoice', 'direct'].indexOf(kind);
}

/** The ids that a payment itself is known by, not those of its refunds and disputes. */
export function paymentIdsOf(objects: StripeObject[]): string[] {
  return objects
    .filter(({ fact }) => fact?.kind !== 'refund' && fact?.kind !== 'dispute')
    .map(({ id }) => id)
    .filter(isStripesOwn);
}

/** An invoice of a subscription continues something; what a checkout made is a sale of its own. */
function toldBy(facts: PaymentFact[]): StoredSale['toldBy'] {
  if (isInvoiceOnly(facts)) return 'invoice';
  return isBareCharge(facts) ? 'charge' : 'checkout';
}

function isBareCharge(facts: PaymentFact[]): boolean {
  return facts.every(({ kind }) => kind === 'direct');
}

/** The moment of the checkout, else the day on which the invoice was made, else that of the payment. */
function madeAtOf(facts: PaymentFact[], main: PaymentFact): string {
  const [completedAt] = facts.flatMap((fact) => fact.completedAt ?? []).sort();
  const [createdAt] = facts.flatMap((fact) => fact.createdAt ?? []).sort();
  const madeAt = completedAt ?? createdAt ?? main.paidAt;
  return madeAt < main.paidAt ? madeAt : main.paidAt;
}

function periodOf(facts: PaymentFact[]): string | null {
  const [periodStart] = facts.flatMap((fact) => fact.periodStart ?? []);
  return periodStart ?? null;
}
