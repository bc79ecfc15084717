import { queryOne, type Db } from '../../../entities/database/sql';
import { paymentFactsOf, signalsOf } from '../../../entities/rules/stripe/classify';
import type { PaymentFact } from '../../../entities/rules/stripe/payment-fact';
import type { StripeObject } from '../../../entities/rules/stripe/settlement';
import type { Scope } from '../../../entities/rules/values/mode';
import { findPayingCustomer } from '../payments/customer-of';
import { findUnpaidOfSubscription } from '../payments/payments';
import { resolveSignals } from '../payments/signals';

/**
 * Whether a payment may be a partner's: by a signal of its own or of its trial, because its
 * subscription or customer has a conversion, or because a partner brought the customer. All else is the merchant's own business, of which
 * Stripe is asked nothing.
 */
export async function mayBeOurs(
  db: Db,
  scope: Scope,
  objects: readonly StripeObject[],
): Promise<boolean> {
  const facts = paymentFactsOf([...objects]);
  const subscriptionId = facts.find((fact) => fact.subscriptionId)?.subscriptionId ?? null;
  const customerId = facts.find((fact) => fact.customerId)?.customerId ?? null;
  if (await isKnownParty(db, scope, { subscriptionId, customerId })) return true;
  const customer = await findPayingCustomer(db, scope, facts);
  if (customer?.participantId) return true;

  const unpaid =
    subscriptionId === null
      ? []
      : await findUnpaidOfSubscription(db, scope, { id: '', subscriptionId });
  const trial = unpaid.flatMap((payment) => paymentFactsOf(payment.objects));
  const signals = await resolveSignals(db, scope, signalsOf([...facts, ...trial]));
  return signals !== null && signals !== 'api';
}

type Parties = Pick<PaymentFact, 'subscriptionId' | 'customerId'>;

async function isKnownParty(
  db: Db,
  { workspaceId, mode }: Scope,
  { subscriptionId, customerId }: Parties,
): Promise<boolean> {
  const row = await queryOne<{ isKnown: boolean }>(
    db,
    `SELECT EXISTS (SELECT 1 FROM stripe_payments AS p
                     WHERE p.workspace_id = $1 AND p.mode = $2 AND p.subscription_id = $3
                       AND p.conversion_id IS NOT NULL)
         OR EXISTS (SELECT 1 FROM stripe_payments AS p
                     WHERE p.workspace_id = $1 AND p.mode = $2 AND p.customer_id = $4
                       AND p.conversion_id IS NOT NULL) AS "isKnown"`,
    [workspaceId, mode, subscriptionId, customerId],
  );
  return row?.isKnown === true;
}

/** Whether a partner of the workspace has a promo code, so that the text of a discount matters. */
export async function hasPromoCodes(db: Db, { workspaceId, mode }: Scope): Promise<boolean> {
  const row = await queryOne<{ hasCodes: boolean }>(
    db,
    `SELECT EXISTS (SELECT 1 FROM promo_codes WHERE workspace_id = $1 AND mode = $2) AS "hasCodes"`,
    [workspaceId, mode],
  );
  return row?.hasCodes === true;
}
