import type { Scope } from '../../../entities/rules/values/mode';
import { query, type Tx } from '../../../entities/database/sql';
import { enqueue } from '../../journal/outbox';

/** So many payments are put to work by one statement. */
const mostAtOnce = 500;

/**
 * A first payment is known now: what was paid by its subscription or customer since, and seemed to
 * be nothing of ours, may be a renewal. Each is work of its own, so that a customer with thousands
 * of invoices holds up nobody.
 */
export async function enqueueRenewals(
  tx: Tx,
  scope: Scope,
  { paymentId, after = null, now }: { paymentId: string; after?: string | null; now: Date },
): Promise<void> {
  const rows = await query<{ ref: string }>(
    tx,
    `INSERT INTO outbox (topic, ref, workspace_id, available_at)
     SELECT 'stripe_payment', open.id, $1, $4
       FROM stripe_payments AS first
       JOIN conversions AS v ON v.id = first.conversion_id
       JOIN stripe_payments AS open ON open.workspace_id = $1 AND open.mode = $2
        AND (open.subscription_id = first.subscription_id OR open.customer_id = first.customer_id)
      WHERE first.id = $3 AND v.participant_id IS NOT NULL
        AND open.conversion_id IS NULL AND open.subscription_id IS NOT NULL
        AND open.paid_at >= coalesce(first.paid_at, v.occurred_at)
        AND ($5::uuid IS NULL OR open.id > $5)
      ORDER BY open.id LIMIT ${mostAtOnce}
     RETURNING ref::text AS ref`,
    [scope.workspaceId, scope.mode, paymentId, now, after],
  );
  if (rows.length < mostAtOnce) return;
  const last = rows
    .map(({ ref }) => ref)
    .sort()
    .at(-1);
  await enqueueLook(tx, scope, { paymentId, payload: { renewalsAfter: last }, at: now });
}

/** Has a payment looked at once more from then on. */
export async function enqueueLook(
  tx: Tx,
  scope: Scope,
  look: { paymentId: string; payload?: Record<string, unknown>; at: Date },
): Promise<void> {
  const { paymentId, payload = {}, at } = look;
  const { workspaceId } = scope;
  const item = { topic: 'stripe_payment', ref: paymentId, workspaceId, payload } as const;
  await enqueue(tx, { ...item, availableAt: at });
}
