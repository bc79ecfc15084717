import { listAt, textAt } from '../../../entities/rules/billing/json';
import {
  hasUnreadCode,
  promotionsOf,
  type PaymentFact,
  type Promotion,
} from '../../../entities/rules/stripe/payment-fact';
import type { StripeFacts } from '../../../entities/rules/stripe/read-event';
import type { StripeObject } from '../../../entities/rules/stripe/settlement';
import type { Asker } from './asker';

/**
 * Puts the text of promotion codes into the payments that name them by id, or not at all. One that
 * the key may not read stays unread, so that a good key finds it.
 */
export async function withCodes(asker: Asker, facts: StripeFacts): Promise<StripeFacts> {
  const objects: StripeObject[] = [];
  for (const { id, fact } of facts.objects) {
    const isPayment = fact?.kind === 'session' || fact?.kind === 'invoice';
    const isUnread = isPayment && hasUnreadCode(fact);
    objects.push({ id, fact: isUnread ? await withCode(asker, id, fact) : fact });
  }
  return { ...facts, objects };
}

async function withCode(asker: Asker, id: string, fact: PaymentFact): Promise<PaymentFact> {
  const shown = fact.hidesPromotions ? await hiddenPromotions(asker, id, fact) : fact.promotions;
  if (!shown) return fact;
  const promotions: Promotion[] = [];
  for (const promotion of shown) promotions.push(await withText(asker, promotion));
  return { ...fact, promotions, hidesPromotions: false };
}

async function withText(asker: Asker, promotion: Promotion): Promise<Promotion> {
  const { id, code } = promotion;
  if (code !== null || id === null) return promotion;
  const found = await asker.ask('promotion codes', (client) => client.promotionCodes.retrieve(id));
  if (!found && asker.refused.has('promotion codes')) return promotion;
  return { id, code: textAt(found, 'code') ?? '' };
}

/**
 * Events hold discounts as bare ids, or not at all; read alone, the object can be expanded. Undefined
 * when the key may not read it.
 */
async function hiddenPromotions(
  asker: Asker,
  id: string,
  { kind }: PaymentFact,
): Promise<Promotion[] | undefined> {
  const expand = ['discounts.promotion_code'];
  const read = kind === 'session' ? 'checkout sessions' : 'invoices';
  const object = await asker.ask<{ discounts?: unknown }>(read, (client) =>
    kind === 'session'
      ? client.checkout.sessions.retrieve(id, { expand })
      : client.invoices.retrieve(id, { expand }),
  );
  if (!object && asker.refused.has(read)) return undefined;
  return promotionsOf(listAt(object, 'discounts'));
}
