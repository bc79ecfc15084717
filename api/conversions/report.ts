import type { ConversionReport } from '../../activities/conversions/report';
import type { Vault } from '../../runtime/crypto/vault';
import { validationError } from '../../entities/errors';
import { cutSignal } from '../../entities/rules/attribution/conversion';
import type { ConversionBody } from './conversions.dto';

/**
 * A body as a report: null means absent, and so does "" in a signal. What concerns several fields
 * is checked here.
 */
export function reportOf(
  body: ConversionBody,
  vault: Pick<Vault, 'contactHash'>,
): ConversionReport {
  const amountCents = body.amount_cents ?? 0;
  const currency = body.currency ?? null;
  if (amountCents > 0 && currency === null) {
    throw validationError('currency', 'is required when amount_cents is more than 0');
  }
  const email = body.prospect_email ?? null;
  return {
    source: 'api',
    externalTransactionId: body.external_transaction_id,
    aliases: [],
    eventType: body.event_type,
    amountCents,
    currency,
    occurredAt: typeof body.occurred_at === 'string' ? new Date(body.occurred_at) : null,
    clickId: signalOf(body.click_id),
    promoCode: signalOf(body.promo_code),
    prospect: email === null ? null : { email, hash: vault.contactHash(email) },
    customerId: body.customer_id ?? null,
    metadata: body.metadata ?? null,
    feeCents: null,
    credit: null,
  };
}

function signalOf(value: string | null | undefined): string | null {
  return value ? cutSignal(value) : null;
}
