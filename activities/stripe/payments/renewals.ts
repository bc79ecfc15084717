import { RowsLockedError } from '../../../entities/database/errors';
import { execute, query, queryOne, rowsAtOnce, type Tx } from '../../../entities/database/sql';
import { stripePrecisionMs } from '../../../entities/rules/attribution/attribute';
import type { Scope } from '../../../entities/rules/values/mode';
import type { CommandContext } from '../../journal/cause';
import { enqueueSql } from '../../journal/outbox';
import { decisiveBy, refusals, type Party } from './earlier-payments';
import { enqueueFollowUp, followUpOf } from './enqueue-follow-ups';
import { lockStripeIds } from './payments';

/** Before every id. */
const fromTheStart = '00000000-0000-0000-0000-000000000000';

/**
 * Up to which time a payment is the first to say whose the payments of its subscription and of its
 * customer are, as text of SQL; null when an earlier one said so.
 */
export type Reach = Record<Party, string | null>;

const wholeReach: Reach = { subscription: 'infinity', customer: 'infinity' };

const isDecisive = decisiveBy('$4');

const decisive = (party: Party): string => `
  FROM stripe_payments AS p JOIN conversions AS v ON v.id = p.conversion_id
 WHERE p.workspace_id = $1 AND p.mode = $2 AND p.${party}_id = first.${party}_id
   AND p.id <> first.id AND v.participant_id IS NOT NULL AND ${isDecisive[party]}`;

// Each look-up ends at the first row of an index, whatever number of payments the party has.
const reachOf = (party: Party): string => `
  CASE WHEN NOT first.of_${party}
         OR (SELECT true ${decisive(party)} AND p.paid_at <= first.at
              ORDER BY p.paid_at DESC LIMIT 1)
         OR EXISTS (SELECT 1 ${decisive(party)} AND p.paid_at IS NULL AND v.occurred_at <= first.at)
       THEN NULL
       ELSE coalesce(least(
         (SELECT p.paid_at ${decisive(party)} AND p.paid_at > first.at ORDER BY p.paid_at LIMIT 1),
         (SELECT min(v.occurred_at) ${decisive(party)} AND p.paid_at IS NULL)), 'infinity')
   END::text AS ${party}`;

const reachSql = `
  WITH first AS (
    SELECT p.id, p.subscription_id, p.customer_id, coalesce(p.paid_at, v.occurred_at) AS at,
           p.subscription_id IS NOT NULL AND ${isDecisive.subscription} AS of_subscription,
           p.customer_id IS NOT NULL AND ${isDecisive.customer} AS of_customer
      FROM stripe_payments AS p JOIN conversions AS v ON v.id = p.conversion_id
     WHERE p.workspace_id = $1 AND p.mode = $2 AND p.id = $3 AND v.participant_id IS NOT NULL
  )
  SELECT ${reachOf('subscription')}, ${reachOf('customer')} FROM first`;

/** Payments of the same subscription or customer that are no conversion, in the order of their ids. */
const enqueueOpenSql = enqueueSql({
  ...followUpOf('open'),
  availableAt: '$4',
  from: `stripe_payments AS first
       JOIN conversions AS v ON v.id = first.conversion_id
       JOIN stripe_payments AS open ON open.workspace_id = $1 AND open.mode = $2
        AND ((open.subscription_id = first.subscription_id AND open.paid_at < $6::timestamptz)
          OR (open.customer_id = first.customer_id AND open.paid_at < $7::timestamptz))
      WHERE first.id = $3 AND v.participant_id IS NOT NULL
        AND open.conversion_id IS NULL
        AND open.paid_at >= coalesce(first.paid_at, v.occurred_at)
        AND open.id > $5
      ORDER BY open.id LIMIT ${rowsAtOnce}`,
});

/**
 * A first payment is known now: what was paid by its subscription or customer since, and seemed to
 * be nothing of ours, may be a renewal. Each is work of its own, so that a customer with thousands
 * of invoices delays no other work. Each is queued once for its subscription and once for its
 * customer, by the first payment that says whose they are: a renewal of that one queues none of
 * them again. Expects subscription and customer to be locked.
 */
export async function enqueueRenewals(
  tx: Tx,
  context: CommandContext,
  { paymentId }: { paymentId: string },
): Promise<void> {
  const reach = await findReach(tx, context.scope, paymentId);
  if (reach) await enqueuePage(tx, context, { paymentId, reach, after: fromTheStart });
}

/**
 * The same where subscription and customer are not locked: what is applied beside, and does not see
 * this payment yet, is found once this is committed.
 */
export async function enqueueRenewalsLater(
  tx: Tx,
  context: CommandContext,
  { paymentId }: { paymentId: string },
): Promise<void> {
  const reach = await findReach(tx, context.scope, paymentId);
  if (!reach) return;
  await enqueueFollowUp(tx, context, {
    paymentId,
    payload: { renewalsAfter: fromTheStart, reach },
  });
}

const enqueueOfCustomerSql = enqueueSql({
  ...followUpOf('open'),
  availableAt: '$4',
  from: `customers AS u
       JOIN customer_aliases AS a ON a.customer = u.id
       JOIN stripe_payments AS open ON open.workspace_id = $1 AND open.mode = $2
        AND open.customer_id = a.alias
        AND open.paid_at >= u.bound_at - interval '${stripePrecisionMs} milliseconds'
      WHERE u.id = $3 AND open.conversion_id IS NULL
      ORDER BY open.paid_at LIMIT ${rowsAtOnce}`,
});

/**
 * A customer is bound, or known by a further id, now: what they paid since they are, and seemed to be
 * nothing of ours, may be a sale. Expects the names to be locked, and the row where this binds: a payment
 * that is applied holds them as well.
 */
export async function enqueueOfCustomer(
  tx: Tx,
  { scope, now }: Pick<CommandContext, 'scope' | 'now'>,
  customer: string,
): Promise<void> {
  await execute(tx, enqueueOfCustomerSql, [scope.workspaceId, scope.mode, customer, now]);
}

interface Further {
  paymentId: string;
  after: string;
  reach?: Reach | undefined;
}

/** Goes on after that id, in a transaction of its own. */
export async function enqueueFurtherRenewals(
  tx: Tx,
  context: CommandContext,
  { paymentId, after, reach = wholeReach }: Further,
): Promise<void> {
  const parties = await queryOne<Record<Party, string | null>>(
    tx,
    'SELECT subscription_id AS subscription, customer_id AS customer FROM stripe_payments WHERE id = $1',
    [paymentId],
  );
  const ids = Object.values(parties ?? {}).filter((id) => id !== null);
  await lockStripeIds(tx, context.scope, ids);
  const isThere = await queryOne(tx, 'SELECT 1 FROM stripe_payments WHERE id = $1', [paymentId]);
  if (!isThere) throw new RowsLockedError('the payment became part of another one');
  await enqueuePage(tx, context, { paymentId, reach, after });
}

/** Undefined when there is nothing to look for. */
async function findReach(tx: Tx, scope: Scope, paymentId: string): Promise<Reach | undefined> {
  const values = [scope.workspaceId, scope.mode, paymentId, refusals];
  const reach = await queryOne<Reach>(tx, reachSql, values);
  const isEmpty = !reach || (reach.subscription === null && reach.customer === null);
  return isEmpty ? undefined : reach;
}

async function enqueuePage(
  tx: Tx,
  context: CommandContext,
  { paymentId, reach, after }: { paymentId: string; reach: Reach; after: string },
): Promise<void> {
  const { scope, now } = context;
  const rows = await query<{ ref: string }>(tx, `${enqueueOpenSql} RETURNING ref::text AS ref`, [
    scope.workspaceId,
    scope.mode,
    paymentId,
    now,
    after,
    reach.subscription,
    reach.customer,
  ]);
  if (rows.length < rowsAtOnce) return;
  const last = rows
    .map(({ ref }) => ref)
    .sort()
    .at(-1);
  await enqueueFollowUp(tx, context, { paymentId, payload: { renewalsAfter: last, reach } });
}
