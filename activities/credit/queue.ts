import type { Tx } from '../../entities/database/sql';
import { enqueue } from '../journal/outbox';
import type { CreditContext } from './biller';
import type { FoundTimeline } from './timeline';

/** A customer with more payments than one transaction writes: the rest is decided in a transaction of its own. */
export async function enqueueAsking(
  tx: Tx,
  { scope, now, requestId, fact }: CreditContext,
  found: FoundTimeline,
): Promise<void> {
  const { rows } = found;
  const customers = found.customers.map(({ id }) => id);
  const paymentId = rows.find((row) => row.paymentId !== null)?.paymentId;
  const ref = customers[0] ?? paymentId;
  if (ref === undefined || ref === null) return;
  const { workspaceId, mode } = scope;
  const payload = { mode, fact, customers, payments: paymentId ? [paymentId] : [] };
  await enqueue(tx, { topic: 'credit', ref, workspaceId, payload, requestId, availableAt: now });
}
