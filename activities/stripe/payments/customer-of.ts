import { query, type Db, type Tx } from '../../../entities/database/sql';
import { isBoundAt, isByHand, type BindingSource } from '../../../entities/rules/customers/binding';
import { customerNamesOf } from '../../../entities/rules/stripe/classify';
import type { PaymentFact } from '../../../entities/rules/stripe/payment-fact';
import type { Scope } from '../../../entities/rules/values/mode';
import { lockNames } from '../../customers/names';
import { insertAliases, lockCustomers } from '../../customers/write';
import { stripePrecisionMs } from '../../../entities/rules/attribution/attribute';
import type { CommandContext } from '../../journal/cause';
import { enqueueOfCustomer } from './renewals';

/** The customer who paid, as merchant or payments made them known. */
export interface PayingCustomer {
  id: string;
  /** The id that led to them. */
  name: string;
  /** Null while nobody has brought them, and after a member took the binding away. */
  participantId: string | null;
  source: BindingSource | null;
  boundAt: Date | null;
  firstPaidAt: Date | null;
}

/** By the merchant's own id before Stripe's; undefined for one who is not known. */
export async function findPayingCustomer(
  db: Db,
  { workspaceId, mode }: Scope,
  facts: PaymentFact[],
): Promise<PayingCustomer | undefined> {
  const { own, stripes } = customerNamesOf(facts);
  const names = [...own, ...stripes];
  if (names.length === 0) return undefined;
  const [customer] = await query<PayingCustomer>(
    db,
    `SELECT u.id, a.alias AS name, u.participant_id AS "participantId", u.source,
            u.bound_at AS "boundAt", u.first_paid_at AS "firstPaidAt"
       FROM customer_aliases AS a JOIN customers AS u ON u.id = a.customer
      WHERE a.workspace_id = $1 AND a.mode = $2 AND a.alias = ANY ($3::text[])
      ORDER BY array_position($3::text[], a.alias) LIMIT 1`,
    [workspaceId, mode, names],
  );
  return customer;
}

/**
 * The same, and from now on known by Stripe's id too, when the merchant's own led to them: the next
 * payments carry that one only, and so did those before.
 */
export async function joinPayingCustomer(
  tx: Tx,
  { scope, now }: Pick<CommandContext, 'scope' | 'now'>,
  facts: PaymentFact[],
): Promise<PayingCustomer | undefined> {
  const { own, stripes } = customerNamesOf(facts);
  // Whoever names a customer holds the names, and whoever binds one the row as well: a sign-up at this
  // moment finds the payment, or the payment finds it. Shared commits need not wait for an index then.
  await lockNames(tx, scope, stripes);
  const customer = await findLocked(tx, scope, facts);
  if (!customer || !own.includes(customer.name)) return customer;
  const named = stripes.map((alias) => ({ customer: customer.id, alias }));
  const added = await insertAliases(tx, scope, named);
  if (added > 0) await enqueueOfCustomer(tx, { scope, now }, customer.id);
  return customer;
}

async function findLocked(
  tx: Tx,
  scope: Scope,
  facts: PaymentFact[],
): Promise<PayingCustomer | undefined> {
  const customer = await findPayingCustomer(tx, scope, facts);
  if (!customer || customer.participantId !== null) return customer;
  await lockCustomers(tx, [customer.id], { waits: true });
  return findPayingCustomer(tx, scope, facts);
}

/** Whether a member or an import said whose the customer is, before this was paid. */
export function isDecidedByHand({ source, boundAt }: PayingCustomer, paidAt: Date): boolean {
  return source !== null && isByHand(source) && boundAt !== null && boundAt <= paidAt;
}

/** Whether the customer was somebody's when this was paid. */
export function isBoundWhenPaid({ source, boundAt, ...customer }: PayingCustomer, paidAt: Date) {
  if (customer.participantId === null || source === null || boundAt === null) return false;
  return isBoundAt({ source, boundAt }, { until: new Date(paidAt.getTime() + stripePrecisionMs) });
}
