import type { Scope } from '../../../entities/rules/values/mode';
import { boundedTransaction, type Db, queryOne, type Tx } from '../../../entities/database/sql';
import type { Cause } from '../../journal/cause';
import { applyInTransaction } from './apply';
import { askForCheckout } from '../events/progress';
import type { Vault } from '../../../runtime/crypto/vault';
import { storedProspect } from './prospect';
import { waitsUntil } from './report-of';
import { enqueueFurtherRenewals, type Reach } from './renewals';

export interface FollowUp {
  paymentId: string;
  /** Goes on with the payments that may renew this one, after that id. */
  renewalsAfter?: string | undefined;
  reach?: Reach | undefined;
}

/** The work that `enqueueRenewals` and `enqueueFollowUp` leave: one payment, one transaction. */
export async function followUpPayment(
  { db, vault }: { db: Db; vault: Pick<Vault, 'decrypt' | 'contactHash'> },
  cause: Cause,
  work: FollowUp,
): Promise<void> {
  const { paymentId, renewalsAfter: after, reach } = work;
  const payment = await queryOne<Scope & { objectId: string; createdAt: Date }>(
    db,
    `SELECT p.workspace_id AS "workspaceId", p.mode, p.created_at AS "createdAt",
            o.object_id AS "objectId"
       FROM stripe_payments p JOIN stripe_objects o ON o.payment_id = p.id
      WHERE p.id = $1 ORDER BY o.object_id LIMIT 1`,
    [paymentId],
  );
  if (!payment) return;
  const { objectId, workspaceId, mode } = payment;
  const context = { ...cause, scope: { workspaceId, mode } };
  if (after !== undefined) {
    const enqueue = (tx: Tx): Promise<void> =>
      enqueueFurtherRenewals(tx, context, { paymentId, after, reach });
    return boundedTransaction(db, enqueue);
  }
  if (cause.now < waitsUntil(payment)) {
    const ask = (tx: Tx): Promise<boolean> => askForCheckout(tx, context, paymentId);
    const isAsked = await boundedTransaction(db, ask);
    if (isAsked) return;
  }
  const facts = { objects: [], ids: [objectId], email: null };
  const prospect = await storedProspect({ db, vault }, paymentId);
  await applyInTransaction(db, context, { facts, prospect, isFollowUp: true });
}
