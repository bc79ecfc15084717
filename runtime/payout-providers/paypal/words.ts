import { ownOf } from '../../../entities/rules/values/look-up';
import type { Meaning, PayoutProvider } from '../provider';

/** It is on its way, or held; PayPal will say more. */
const open = new Set(['NEW', 'PENDING', 'ONHOLD', 'ON_HOLD']);
/** It did not go, or has come back. */
const over = new Set(['FAILED', 'DENIED', 'CANCELED', 'RETURNED', 'REVERSED']);
/** Words of payments that did not go for a reason that may be the merchant's own. */
const refused = new Set(['FAILED', 'DENIED']);
/** The whole batch was not paid. */
const batchRefused = new Set(['DENIED', 'CANCELED']);

/**
 * Errors of an item that are the merchant's own, or PayPal's: the next try may well succeed, and the partner has
 * nothing to mend (docs/paying-partners.md).
 */
const ours = new Set([
  'INSUFFICIENT_FUNDS',
  'ACCOUNT_RESTRICTED',
  'ACCOUNT_UNCONFIRMED_EMAIL',
  'APPROVER_DENIED',
  'NON_HOLDING_CURRENCY',
  'SENDER_STATE_RESTRICTED',
  'SENDER_RESTRICTED',
  'SENDER_LOCKED',
  'SPENDING_LIMIT_EXCEEDED',
  'TRANSACTION_LIMIT_EXCEEDED',
  'INTERNAL_ERROR',
  'UNDEFINED',
]);

/** Words of which each has one meaning, whatever its batch says. */
const plain: Readonly<Record<string, Meaning>> = {
  SUCCESS: { kind: 'paid' },
  UNCLAIMED: { kind: 'unclaimed' },
  BLOCKED: { kind: 'attention', reason: 'blocked' },
  REFUNDED: { kind: 'attention', reason: 'refunded' },
};

/** What PayPal's words say of the money of one item: its own word comes before that of its batch. */
export const meaningOf: PayoutProvider['meaningOf'] = ({ item, batch, error }) => {
  if (item === null || open.has(item))
    return { kind: isReleased(item, batch) ? 'released' : 'open' };
  if (!over.has(item)) return ownOf(plain, item) ?? { kind: 'attention', reason: 'word' };
  const isOurs = refused.has(item) && error !== null && ours.has(error);
  return { kind: 'failed', isOurs };
};

/** Nothing was done with it yet, and the batch says that nothing will be. */
function isReleased(item: string | null, batch: string | null): boolean {
  const isLoose = item === null || item === 'NEW' || item === 'PENDING';
  return isLoose && batch !== null && batchRefused.has(batch);
}
