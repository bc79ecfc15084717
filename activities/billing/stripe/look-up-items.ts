import type { Json } from '../../../entities/rules/billing/json';
import { isPaid } from '../../../entities/rules/stripe/classify';
import type { PaymentFact } from '../../../entities/rules/stripe/payment-fact';
import type { StripeFacts } from '../../../entities/rules/stripe/read-event';
import type { StripeObject } from '../../../entities/rules/stripe/settlement';
import { itemsOf } from '../../../entities/rules/stripe/sold';
import type { Reader } from './look-up-reader';

/**
 * What was sold, of a session, whose event has no lines, or of an invoice that has more than its event
 * holds. Not asked where anything tells it already.
 */
export async function withItems(
  reader: Reader,
  { facts, stored }: { facts: StripeFacts; stored: readonly StripeObject[] },
): Promise<StripeFacts> {
  if ([...stored, ...facts.objects].some(({ fact }) => isSold(fact) && fact.items)) return facts;
  const objects: StripeObject[] = [];
  for (const { id, fact } of facts.objects) {
    const items = isSold(fact) && isPaid(fact) ? await linesOf(reader, { id, fact }) : undefined;
    objects.push(items && isSold(fact) ? { id, fact: { ...fact, items } } : { id, fact });
  }
  return { ...facts, objects };
}

type Sold = PaymentFact & { kind: 'session' | 'invoice' };

function isSold(fact: StripeObject['fact']): fact is Sold {
  return fact?.kind === 'session' || fact?.kind === 'invoice';
}

async function linesOf(
  reader: Reader,
  { id, fact }: { id: string; fact: Sold },
): Promise<PaymentFact['items']> {
  const all = { limit: 100 };
  const lines =
    fact.kind === 'session'
      ? await reader.ask('checkout sessions', (client) =>
          client.checkout.sessions.listLineItems(id, all),
        )
      : await reader.ask('invoices', (client) => client.invoices.listLineItems(id, all));
  return lines && itemsOf(lines as unknown as Json, fact.currency);
}
