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
  const invoice = paidInvoiceOf(facts.objects);
  const subscription = invoice?.fact.subscriptionId;
  if (!invoice || !subscription) return facts;
  if (!mayHaveCheckout(paymentFactsOf([...stored, ...facts.objects]))) return facts;

  const sessions = await asker.ask('checkout sessions', (client) =>
    client.checkout.sessions.list({ subscription, limit: 1 }),
  );
  if (!sessions) return facts;

  const [session] = sessions.data as unknown[];
  return withSession(facts, invoice, session) ?? withoutSession(facts, invoice);
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

/** Null when this is no session, or another invoice's. */
function withSession(
  facts: StripeFacts,
  invoice: PaidInvoice,
  session: unknown,
): StripeFacts | null {
  const id = idAt(session, 'id');
  const itsInvoice = idAt(session, 'invoice') ?? invoice.id;
  if (!isJson(session) || id === null || itsInvoice !== invoice.id) return null;
  // When the buyer went through it only its event says; it was paid with its invoice.
  const fact = readSession(session, invoice.fact.paidAt, false);
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
