import type { Scope } from '../../../entities/rules/values/mode';
import { type Db, queryOne, transaction } from '../../../entities/database/sql';
import type { Cause } from '../../journal/cause';
import { applyInTransaction } from './apply';
import { enqueueRenewals } from './enqueue-follow-ups';

export interface FollowUp {
  paymentId: string;
  /** Goes on with the payments that may renew this one, after that id. */
  renewalsAfter?: string | undefined;
}

/** The work that `enqueueRenewals` and `enqueueFollowUp` leave: one payment, one transaction. */
export async function followUpPayment(db: Db, cause: Cause, work: FollowUp): Promise<void> {
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
  const context = { ...cause, scope };
  if (renewalsAfter !== undefined) {
    await transaction(db, (tx) =>
      enqueueRenewals(tx, context, { paymentId, after: renewalsAfter }),
    );
    return;
  }
  const facts = { objects: [], ids: [objectId], email: null };
  await applyInTransaction(db, context, { facts, prospect: null });
}
