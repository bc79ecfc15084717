import {
  checkoutKnownMs,
  isPaid,
  mayHaveCheckout,
  paymentFactsOf,
} from '../../../entities/rules/stripe/classify';
import { idAt, isJson } from '../../../entities/rules/billing/json';
import {
  known,
  linksOfSession,
  readSession,
  type PaymentFact,
} from '../../../entities/rules/stripe/payment-fact';
import type { StripeFacts } from '../../../entities/rules/stripe/read-event';
import type { StripeObject } from '../../../entities/rules/stripe/settlement';
import type { Reader } from './look-up-reader';

/**
 * The checkout that made a subscription's first invoice, when its own event has not come yet: what
 * the buyer did there comes before what the subscription carries. That there is none is remembered,
 * once the invoice is old enough for Stripe to know: it makes the invoice before the checkout is
 * complete.
 */
export async function withCheckout(
  reader: Reader,
  { facts, stored, now }: { facts: StripeFacts; stored: StripeObject[]; now: Date },
): Promise<StripeFacts> {
  const invoice = paidInvoiceOf(facts.objects);
  const subscription = invoice?.fact.subscriptionId;
  if (!invoice || !subscription) return facts;
  if (!mayHaveCheckout(paymentFactsOf([...stored, ...facts.objects]))) return facts;

  const sessions = await reader.ask('checkout sessions', (client) =>
    client.checkout.sessions.list({ subscription, limit: 1 }),
  );
  if (!sessions) return facts;

  const [session] = sessions.data as unknown[];
  const isItsOwn = (idAt(session, 'invoice') ?? invoice.id) === invoice.id;
  const found = isItsOwn && withSession(facts, session, invoice.fact.paidAt);
  if (found) return found;
  const isKnown = now.getTime() - Date.parse(invoice.fact.paidAt) >= checkoutKnownMs;
  return isKnown ? withoutSession(facts, invoice) : facts;
}

/** The checkout that made a charge whose own metadata names a click: its price has no tax in it. */
export async function withCheckoutOfCharge(
  reader: Reader,
  { facts, stored }: { facts: StripeFacts; stored: StripeObject[] },
): Promise<StripeFacts> {
  const ids = [...facts.ids, ...stored.map(({ id }) => id)];
  const [sale] = paymentFactsOf(facts.objects);
  const intent = ids.find((id) => id.startsWith('pi_'));
  if (sale?.kind !== 'direct' || !intent || ids.some((id) => /^(in|cs)_/.test(id))) return facts;

  const sessions = await reader.ask('checkout sessions', (client) =>
    client.checkout.sessions.list({ payment_intent: intent, limit: 1 }),
  );
  const [session] = (sessions?.data ?? []) as unknown[];
  return withSession(facts, session, sale.paidAt) ?? facts;
}

interface PaidInvoice {
  id: string;
  fact: PaymentFact;
}

function paidInvoiceOf(objects: readonly StripeObject[]): PaidInvoice | undefined {
  for (const { id, fact } of objects) {
    if (fact?.kind === 'invoice' && isPaid(fact)) return { id, fact };
  }
  return undefined;
}

/** The facts with the checkout session of a payment that was paid at `paidAt`; null when `session` is none. */
function withSession(facts: StripeFacts, session: unknown, paidAt: string): StripeFacts | null {
  const id = idAt(session, 'id');
  if (!isJson(session) || id === null) return null;
  // When the buyer went through it only its event says.
  const fact = readSession(session, paidAt, false);
  return {
    ...facts,
    ids: known([...facts.ids, id, ...linksOfSession(session)]),
    objects: [...facts.objects, { id, fact }],
  };
}

function withoutSession(facts: StripeFacts, { fact: invoice }: PaidInvoice): StripeFacts {
  const objects = facts.objects.map(({ id, fact }) =>
    fact === invoice ? { id, fact: { ...invoice, withoutCheckout: true } } : { id, fact },
  );
  return { ...facts, objects };
}
