import { isPaid, mayHaveCheckout, paymentFactsOf } from '../../../entities/rules/stripe/classify';
import { idAt, isJson } from '../../../entities/rules/stripe/json';
import {
  known,
  linksOfSession,
  readSession,
  type PaymentFact,
} from '../../../entities/rules/stripe/payment-fact';
import type { StripeFacts } from '../../../entities/rules/stripe/read-event';
import type { StripeObject } from '../../../entities/rules/stripe/settlement';
import type { Asker } from './asker';

/**
 * The checkout that made a subscription's first invoice, when its own event has not come yet: what
 * the buyer did there comes before what the subscription carries. That there is none is remembered.
 */
export async function withCheckout(
  asker: Asker,
  { facts, stored }: { facts: StripeFacts; stored: StripeObject[] },
): Promise<StripeFacts> {
  const found = facts.objects.find(isPaidInvoice);
  if (found?.fact?.kind !== 'invoice' || !found.fact.subscriptionId) return facts;
  if (!mayHaveCheckout(paymentFactsOf([...stored, ...facts.objects]))) return facts;

  const invoice: PaymentFact = found.fact;
  const subscription = found.fact.subscriptionId;
  const sessions = await asker.ask('checkout sessions', (client) =>
    client.checkout.sessions.list({ subscription, limit: 1 }),
  );
  if (!sessions) return facts;

  const [session] = sessions.data as unknown[];
  const id = idAt(session, 'id');
  const itsInvoice = idAt(session, 'invoice') ?? found.id;
  if (!isJson(session) || id === null || itsInvoice !== found.id) {
    const alone = { id: found.id, fact: { ...invoice, withoutCheckout: true } };
    return { ...facts, objects: facts.objects.map((one) => (one === found ? alone : one)) };
  }
  // When the buyer went through it only its event says; it was paid with its invoice.
  const fact = readSession(session, invoice.paidAt, false);
  return {
    ...facts,
    ids: known([...facts.ids, id, ...linksOfSession(session)]),
    objects: [...facts.objects, { id, fact }],
  };
}

function isPaidInvoice({ fact }: StripeObject): boolean {
  return fact?.kind === 'invoice' && isPaid(fact);
}
