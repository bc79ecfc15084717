import type { ConversionReport } from '../../activities/conversions/report';
import type { Vault } from '../../runtime/crypto/vault';
import { validationError } from '../../entities/errors';
import { cutSignal, type ConversionItem } from '../../entities/rules/attribution/conversion';
import type { ConversionBody } from './conversions.dto';

type Hasher = Pick<Vault, 'contactHash'>;

/** A body as a report. What concerns several fields is checked here. */
export function reportOf(body: ConversionBody, vault: Hasher): ConversionReport {
  const amountCents = body.amount_cents ?? 0;
  const currency = body.currency ?? null;
  if (amountCents > 0 && currency === null) {
    throw validationError('currency', 'is required when amount_cents is more than 0');
  }
  return {
    ...signalsOf(body, vault),
    source: 'api',
    externalTransactionId: body.external_transaction_id,
    aliases: [],
    eventType: body.event_type,
    amountCents,
    currency,
    customerId: body.customer_id ?? null,
    metadata: body.metadata ?? null,
    items: itemsOf(body),
    feeCents: null,
    credit: null,
  };
}

/** A list of nothing tells nothing. */
function itemsOf({ items }: ConversionBody): ConversionItem[] | null {
  if (!items || items.length === 0) return null;
  return items.map((item) => ({
    product_id: item.product_id,
    price_id: item.price_id ?? null,
    amount_cents: item.amount_cents ?? null,
    quantity: item.quantity ?? null,
  }));
}

type Signals = Pick<ConversionBody, 'click_id' | 'promo_code' | 'occurred_at' | 'prospect_email'>;

/** What a sale or a sign-up is attributed by: null means absent, and so does "" in a signal. */
export function signalsOf(body: Signals, vault: Hasher) {
  const email = body.prospect_email ?? null;
  return {
    occurredAt: typeof body.occurred_at === 'string' ? new Date(body.occurred_at) : null,
    clickId: body.click_id ? cutSignal(body.click_id) : null,
    promoCode: body.promo_code ? cutSignal(body.promo_code) : null,
    prospect: email === null ? null : { email, hash: vault.contactHash(email) },
  };
}
