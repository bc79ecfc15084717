import { checkoutWaitMs } from '../../../entities/rules/payments/sale';
import type { Biller } from '../../../entities/rules/billing/biller';
import type { Scope } from '../../../entities/rules/values/mode';
import { boundedTransaction, type Db, queryOne, type Tx } from '../../../entities/database/sql';
import type { Cause } from '../../journal/cause';
import { applyInTransaction } from './apply';
import { askForCheckout } from '../events/progress';
import type { ProspectVault } from './prospect';
import { lockStripeIds } from './payments';

export interface FollowUp {
  workspaceId: string;
  /** Gone when the payment has become part of another one. */
  paymentId: string;
  mode?: Scope['mode'] | undefined;
  /** A name of the payment, which leads to whatever it is part of; work of release 0.1.0 has none. */
  objectId?: string | undefined;
}

/**
 * The work that `enqueueFollowUp` leaves: one payment, one transaction. Nothing when a reset of test data took
 * the payment.
 */
export async function followUpPayment(
  { db, vault }: { db: Db; vault: ProspectVault },
  cause: Cause,
  work: FollowUp,
): Promise<void> {
  const payment = await findFollowed(db, work);
  if (!payment) return;
  const { biller, objectId } = payment;
  const context = { ...cause, scope: { workspaceId: work.workspaceId, mode: payment.mode } };
  if (cause.now.getTime() < payment.createdAt.getTime() + checkoutWaitMs) {
    const ask = async (tx: Tx): Promise<boolean> => {
      // It becomes part of no other payment meanwhile, with its events.
      await lockStripeIds(tx, context.scope, [objectId]);
      const locked = await findFollowed(tx, work);
      return locked !== undefined && askForCheckout(tx, context, locked.paymentId);
    };
    const isAsked = await boundedTransaction(db, ask);
    if (isAsked) return;
  }
  const facts = { objects: [], ids: [objectId], email: null };
  await applyInTransaction(db, context, { biller, facts, prospect: null, vault, isFollowUp: true });
}

interface Followed extends Pick<Scope, 'mode'> {
  biller: Biller;
  paymentId: string;
  objectId: string;
  createdAt: Date;
}

function findFollowed(
  db: Db,
  { workspaceId, mode, objectId, paymentId }: FollowUp,
): Promise<Followed | undefined> {
  return queryOne<Followed>(
    db,
    `SELECT p.id AS "paymentId", p.biller, p.mode, p.created_at AS "createdAt", o.object_id AS "objectId"
       FROM stripe_payments p JOIN stripe_objects o ON o.payment_id = p.id
      WHERE p.workspace_id = $1
        AND p.id = coalesce((SELECT n.payment_id FROM stripe_objects n
                              WHERE n.workspace_id = $1 AND n.mode = $2 AND n.object_id = $3), $4)
      ORDER BY o.object_id = $3 DESC, o.object_id LIMIT 1`,
    [workspaceId, mode, objectId, paymentId],
  );
}
