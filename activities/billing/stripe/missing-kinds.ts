import { execute, type Db } from '../../../entities/database/sql';
import { isPaid, paymentFactsOf } from '../../../entities/rules/stripe/classify';
import {
  isInvoicePaid,
  type StripeEventType,
  type StripeFacts,
} from '../../../entities/rules/stripe/read-event';
import type { BillerConnection } from '../../../entities/tables/billing/biller-connection.entity';

type ConnectionRecord = Pick<BillerConnection, 'restrictedKey' | 'invoicePayments'>;

interface TypedEvent {
  connectionId: string;
  type: string;
  invoicePayments: ConnectionRecord['invoicePayments'];
}

/**
 * Remembers whether a connection is sent what joins invoices of the new shape and their charges: such
 * an invoice names neither, and without a key only invoice_payment.paid does.
 */
export async function noteInvoicePayments(
  db: Db,
  event: TypedEvent,
  facts: StripeFacts,
): Promise<void> {
  const seen = seenIn(event, facts);
  if (seen === null || seen === event.invoicePayments || event.invoicePayments === 'sent') return;
  await execute(
    db,
    `UPDATE stripe_connections SET invoice_payments = $2
      WHERE id = $1 AND (invoice_payments IS NULL OR $2 = 'sent')`,
    [event.connectionId, seen],
  );
}

function seenIn({ type }: TypedEvent, facts: StripeFacts): TypedEvent['invoicePayments'] {
  if (type === 'invoice_payment.paid') return 'sent';
  const isJoined = facts.ids.some((id) => /^(pi|ch|py)_/.test(id));
  const isPaidInvoice = isInvoicePaid(type) && paymentFactsOf(facts.objects).some(isPaid);
  return isPaidInvoice && !isJoined ? 'missing' : null;
}

/** What Stripe never sent to the endpoint although an event shows that it belongs; no key, no other way. */
export function missingKindsOf({
  restrictedKey,
  invoicePayments,
}: ConnectionRecord): StripeEventType[] {
  return restrictedKey === null && invoicePayments === 'missing' ? ['invoice_payment.paid'] : [];
}

const withoutJoins =
  'Refunds and disputes of subscriptions cannot be told to their sales: have Stripe send invoice_payment.paid to this endpoint, or put a restricted key.';
const withoutCodes =
  'Sales by promotion codes of partners cannot be told: put a restricted key that may read promotion codes.';

/** What is wrong with a connection that has a secret; null for nothing. */
export function stripeProblem(
  connection: ConnectionRecord,
  { hasCodes }: { hasCodes: boolean },
): string | null {
  if (connection.restrictedKey !== null) return null;
  if (missingKindsOf(connection).length > 0) return withoutJoins;
  return hasCodes ? withoutCodes : null;
}
