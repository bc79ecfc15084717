import { listAt, textAt } from '../../../entities/rules/billing/json';
import {
  hasUnreadCode,
  promotionsOf,
  type PaymentFact,
  type Promotion,
} from '../../../entities/rules/stripe/payment-fact';
import type { StripeFacts } from '../../../entities/rules/stripe/read-event';
import type { StripeObject } from '../../../entities/rules/stripe/settlement';
import type { Reader } from './look-up-reader';

/**
 * Puts the text of promotion codes into the payments that name them by id, or not at all. One that
 * the key may not read stays unread, so that a good key finds it.
 */
export async function withCodes(reader: Reader, facts: StripeFacts): Promise<StripeFacts> {
  const objects: StripeObject[] = [];
  for (const { id, fact } of facts.objects) {
    const isPayment = fact?.kind === 'session' || fact?.kind === 'invoice';
    const isUnread = isPayment && hasUnreadCode(fact);
    objects.push({ id, fact: isUnread ? await withCode(reader, id, fact) : fact });
  }
  return { ...facts, objects };
}

async function withCode(reader: Reader, id: string, fact: PaymentFact): Promise<PaymentFact> {
  const shown = fact.hidesPromotions ? await hiddenPromotions(reader, id, fact) : fact.promotions;
  if (!shown) return fact;
  const promotions: Promotion[] = [];
  for (const promotion of shown) promotions.push(await withText(reader, promotion));
  return { ...fact, promotions, hidesPromotions: false };
}

async function withText(reader: Reader, promotion: Promotion): Promise<Promotion> {
  const { id, code } = promotion;
  if (code !== null || id === null) return promotion;
  const found = await reader.ask('promotion codes', (client) => client.promotionCodes.retrieve(id));
  if (!found && reader.refused.has('promotion codes')) return promotion;
  return { id, code: textAt(found, 'code') ?? '' };
}

/**
 * Events hold discounts as bare ids, or not at all; read alone, the object can be expanded. Undefined
 * when the key may not read it.
 */
async function hiddenPromotions(
  reader: Reader,
  id: string,
  { kind }: PaymentFact,
): Promise<Promotion[] | undefined> {
  const expand = ['discounts.promotion_code'];
  const read = kind === 'session' ? 'checkout sessions' : 'invoices';
  const object = await reader.ask<{ discounts?: unknown }>(read, (client) =>
    kind === 'session'
      ? client.checkout.sessions.retrieve(id, { expand })
      : client.invoices.retrieve(id, { expand }),
  );
  if (!object && reader.refused.has(read)) return undefined;
  return promotionsOf(listAt(object, 'discounts'));
}
