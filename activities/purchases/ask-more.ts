import { boundedTransaction, type Db } from '../../entities/database/sql';
import type { CreditFact } from '../../entities/rules/attribution/conversion';
import type { Scope } from '../../entities/rules/values/mode';
import { askAgain } from '../credit/ask';
import type { Cause } from '../journal/cause';
import { billerOf } from '../billing/payments/biller';
import { enqueueOfRejected } from '../billing/payments/enqueue-follow-ups';
import type { ProspectVault } from '../billing/payments/prospect';

/** What one transaction has left to do of a customer with many payments. */
export interface MoreToAsk {
  workspaceId: string;
  mode: Scope['mode'];
  customers: string[];
  payments: string[];
  /** The commission that a person rejected; nothing else is asked then. */
  rejected?: string;
  /** The fact that led to it; absent in work that an earlier release left. */
  fact?: CreditFact;
}

/** Goes on with them: the work that `enqueueAsking` leaves, until nothing is left of it. */
export function askMore(
  { db, vault }: { db: Db; vault: ProspectVault },
  cause: Cause,
  { workspaceId, mode, customers, payments, rejected, fact = 'payment' }: MoreToAsk,
): Promise<void> {
  const context = { ...cause, scope: { workspaceId, mode }, biller: billerOf(vault, null), fact };
  return boundedTransaction(db, async (tx) => {
    if (rejected !== undefined) return enqueueOfRejected(tx, context, rejected);
    await askAgain(tx, context, { customers, payments });
  });
}
