import type { BillerRules, PaymentSummary } from '../billing/rules';
import { hasUnreadCode } from './payment-fact';
import {
  customerNamesOf,
  isPaid,
  isStripePaymentId,
  paidAtOf,
  paymentFactsOf,
  signalsOf,
} from './classify';
import {
  isReadType,
  mergeFacts,
  readEventHeader,
  readStripeFacts,
  stripeEventTypes,
  whyForeign,
} from './read-event';
import { paymentIdsOf, saleOf } from './sale';
import { settlementOf, type StripeObject } from './settlement';

/** Stripe, as all billers are read: sessions, invoices, payment intents and charges that are one payment. */
export const stripeRules: BillerRules = {
  eventTypes: stripeEventTypes,
  isRead: isReadType,
  isPaymentId: isStripePaymentId,
  headerOf(body) {
    const header = readEventHeader(body);
    if (!header) return null;
    const { stripeEventId: billerEventId, type, apiVersion, objectId } = header;
    const foreign = (mode: 'test' | 'live'): string | null => whyForeign(header, mode);
    return { billerEventId, type, apiVersion, objectId, foreign };
  },
  factsOf: readStripeFacts,
  merge: (stored: StripeObject['fact'], told: StripeObject['fact']) => mergeFacts(stored, told),
  says: (fact) => JSON.stringify(fact),
  summaryOf: (objects: StripeObject[]) => summaryOf(objects),
  settlementOf: (objects: StripeObject[]) => settlementOf(objects),
  paymentIdsOf: (objects: StripeObject[]) => paymentIdsOf(objects),
  tellsSale: (objects: StripeObject[]) =>
    paymentFactsOf(objects).some(({ kind }) => kind !== 'direct'),
  isTold: () => true,
  namesOf: (objects: StripeObject[]) =>
    objects
      .filter(({ fact }) => fact?.kind !== 'refund' && fact?.kind !== 'dispute')
      .map(({ id }) => id),
};

function summaryOf(objects: StripeObject[]): PaymentSummary {
  const facts = paymentFactsOf(objects);
  const { own, stripes } = customerNamesOf(facts);
  return {
    sale: saleOf(objects),
    paidAt: paidAtOf(objects),
    isPaid: facts.some(isPaid),
    tellings: facts.length,
    hidesCode: facts.some(hasUnreadCode),
    signals: signalsOf(facts),
    names: { own, billers: stripes },
    subscriptionId: facts.find((fact) => fact.subscriptionId)?.subscriptionId ?? null,
    customerId: facts.find((fact) => fact.customerId)?.customerId ?? null,
  };
}
