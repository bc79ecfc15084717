import { query, type Tx } from '../../../entities/database/sql';
import { baseOf, paymentFactsOf } from '../../../entities/rules/stripe/classify';
import type { Scope } from '../../../entities/rules/values/mode';
import type { StripePaymentRecord } from './payments';
import type { KnownConversion } from './settle';

interface Priced {
  payment: StripePaymentRecord;
  conversions: KnownConversion[];
}

/**
 * Brings the conversion of a payment to the one base that its objects give, whichever of them came
 * first: the invoice of a checkout leaves out what credit covered. A merchant's own report keeps the
 * sum that it named. The commission follows when the conversion is settled.
 */
export async function withBase(
  tx: Tx,
  { workspaceId, mode }: Scope,
  { payment, conversions }: Priced,
): Promise<KnownConversion[]> {
  const base = baseOf(paymentFactsOf(payment.objects));
  if (!base || conversions.every(({ amountCents }) => amountCents === base.amountCents)) {
    return conversions;
  }
  const rows = await query<{ id: string }>(
    tx,
    `UPDATE conversions SET amount_cents = $4
      WHERE id = ANY ($1::uuid[]) AND workspace_id = $2 AND mode = $3 AND source = 'stripe'
        AND currency = $5 AND amount_cents <> $4 RETURNING id`,
    [conversions.map(({ id }) => id), workspaceId, mode, base.amountCents, base.currency],
  );
  const corrected = new Set(rows.map(({ id }) => id));
  return conversions.map((one) =>
    corrected.has(one.id) ? { ...one, amountCents: base.amountCents } : one,
  );
}
