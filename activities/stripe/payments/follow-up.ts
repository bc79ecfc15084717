import type { Scope } from '../../../entities/rules/values/mode';
import { boundedTransaction, type Db, queryOne, type Tx } from '../../../entities/database/sql';
import type { Cause } from '../../journal/cause';
import { applyInTransaction } from './apply';
import { askForCheckout } from '../events/progress';
import type { Vault } from '../../../runtime/crypto/vault';
import { storedProspect } from './prospect';
import { waitsUntil } from './report-of';
import { enqueueFurtherRenewals, type Reach } from './renewals';

export interface FollowUp extends Scope {
  /** One of the payment's objects. */
  objectId: string;
  /** Goes on with the payments that may renew this one, after that id. */
  renewalsAfter?: string | undefined;
  reach?: Reach | undefined;
}

/** The work that `enqueueRenewals` and `enqueueFollowUp` leave: one payment, one transaction. Nothing when a reset of test data took the payment. */
export async function followUpPayment(
  { db, vault }: { db: Db; vault: Pick<Vault, 'decrypt' | 'contactHash'> },
  cause: Cause,
  work: FollowUp,
): Promise<void> {
  const { workspaceId, mode, objectId, renewalsAfter: after, reach } = work;
  const payment = await queryOne<{ paymentId: string; createdAt: Date }>(
    db,
    `SELECT p.id AS "paymentId", p.created_at AS "createdAt"
       FROM stripe_objects o JOIN stripe_payments p ON p.id = o.payment_id
      WHERE o.workspace_id = $1 AND o.mode = $2 AND o.object_id = $3`,
    [workspaceId, mode, objectId],
  );
  if (!payment) return;
  const { paymentId } = payment;
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
