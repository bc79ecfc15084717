import type { Scope } from '../../../entities/rules/values/mode';
import { type Db, queryOne, transaction } from '../../../entities/database/sql';
import { applyInTransaction } from './apply';
import { enqueueRenewals } from './enqueue-looks';

export interface FollowUp {
  paymentId: string;
  /** Goes on with the payments that may renew this one, after that id. */
  renewalsAfter?: string | undefined;
}

/** The work that `enqueueRenewals` and `enqueueLook` left: one payment, one transaction. */
export async function followUpPayment(db: Db, work: FollowUp, now: Date): Promise<void> {
  const { paymentId, renewalsAfter } = work;
  const payment = await queryOne<Scope & { objectId: string }>(
    db,
    `SELECT p.workspace_id AS "workspaceId", p.mode, o.object_id AS "objectId"
       FROM stripe_payments p JOIN stripe_objects o ON o.payment_id = p.id
      WHERE p.id = $1 ORDER BY o.object_id LIMIT 1`,
    [paymentId],
  );
  if (!payment) return;
  const { objectId, ...scope } = payment;
  if (renewalsAfter !== undefined) {
    await transaction(db, (tx) =>
      enqueueRenewals(tx, scope, { paymentId, after: renewalsAfter, now }),
    );
    return;
  }
  const facts = { objects: [], ids: [objectId], email: null };
  await applyInTransaction(db, scope, { facts, prospect: null, now });
}
