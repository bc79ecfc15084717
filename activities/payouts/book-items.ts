import { execute, query, rowsAtOnce, type Tx } from '../../entities/database/sql';
import type { ItemBooking } from '../../entities/rules/payouts/status';
import type { Scope } from '../../entities/rules/values/mode';
import type { Cause, CommandContext } from '../journal/cause';
import {
  beginChange,
  withEvent,
  withFields,
  withHistory,
  withLedger,
  type CommissionChange,
} from '../commissions/commission-change';
import { recordColumns, recordJoins, type CommissionRecord } from '../commissions/records';
import { writeChanges } from '../commissions/write';
import { settleCommissions } from '../settlement/settle';

/** Items of one payout that become the same. */
export interface BookedItems {
  payoutId: string;
  itemIds: readonly string[];
  booking: ItemBooking;
}

interface TakenCommission extends CommissionRecord {
  /** What the payout takes of it; negative for an overpayment that it nets. */
  lineCents: number;
  /** Another payout by which it was paid, and when; the latest of several. */
  paidBy: string | null;
  paidByAt: Date | null;
}

/**
 * The payout's commissions are its own from now on; what it nets is reserved for it. One statement
 * for all: until its commit decisions on them find the rows locked and wait.
 */
export async function reserve(
  tx: Tx,
  { scope, now }: CommandContext,
  { payoutId }: { payoutId: string },
): Promise<void> {
  await execute(
    tx,
    `UPDATE commissions AS c
        SET reserved_cents = c.reserved_cents + l.amount_cents, version = c.version + 1,
            payout_id = CASE WHEN c.status = 'approved' AND c.payout_id IS NULL THEN $1
                             ELSE c.payout_id END,
            updated_at = greatest(c.updated_at, $2)
       FROM payout_lines AS l
      WHERE l.payout_id = $1 AND c.id = l.commission_id AND c.workspace_id = $3 AND c.mode = $4`,
    [payoutId, now, scope.workspaceId, scope.mode],
  );
}

/**
 * Ledger, reservations and statuses of the commissions of items whose rows the caller has locked. What
 * is not simply paid as planned is settled anew: refunds and disputes of meanwhile take effect.
 */
export async function bookItems(
  tx: Tx,
  context: CommandContext,
  items: BookedItems,
): Promise<void> {
  const change = bookings[items.booking];
  const all = await linesOf(tx, items);
  for (let from = 0; from < all.length; from += rowsAtOnce) {
    const ids = all.slice(from, from + rowsAtOnce);
    const taken = await takenOf(tx, context.scope, { payoutId: items.payoutId, ids });
    await writeChanges(
      tx,
      taken.map((one) => change(one, items.payoutId, context)),
    );
    if (items.booking !== 'pay') await settleCommissions(tx, context, { commissionIds: ids });
  }
}

type Book = (taken: TakenCommission, payoutId: string, cause: Cause) => CommissionChange;

const bookings: Readonly<Record<ItemBooking, Book>> = { pay, free, reverse, pay_late: payLate };

/** One `payout` entry; the payout's own commission becomes paid. */
function pay(taken: TakenCommission, payoutId: string, cause: Cause): CommissionChange {
  const change = withLedger(unreserved(taken, cause), {
    type: 'payout',
    amountCents: -taken.lineCents,
    payoutId,
  });
  return isOwn(taken, payoutId) ? paid(change, cause, { payoutId, paidAt: cause.now }) : change;
}

/** Nothing was paid: the payout lets go of its own, unless it was paid by another one meanwhile. */
function free(taken: TakenCommission, payoutId: string, cause: Cause): CommissionChange {
  const change = unreserved(taken, cause);
  if (!isOwn(taken, payoutId)) return change;
  const other = paidByAnother(taken);
  return other ? paid(change, cause, other) : withFields(change, { payoutId: null });
}

/** What was paid is owed again; the payout's own commission is approved, as before it. */
function reverse(taken: TakenCommission, payoutId: string, cause: Cause): CommissionChange {
  const change = withLedger(beginChange(taken, cause), {
    type: 'payout_reversal',
    amountCents: taken.lineCents,
    payoutId,
  });
  if (taken.payoutId !== payoutId) return change;
  const other = paidByAnother(taken);
  if (other) return withFields(change, other);
  const unpaid = withFields(change, { payoutId: null, paidAt: null });
  if (taken.statusBeforeRefund === 'paid') {
    return withFields(unpaid, { statusBeforeRefund: 'approved' });
  }
  if (taken.status !== 'paid') return change;
  const next = withHistory(withFields(unpaid, { status: 'approved' }), {
    from: 'paid',
    to: 'approved',
    trigger: 'payout_returned',
    actor: cause.actor,
  });
  return { ...withEvent(next, 'commission.updated'), signalsLifecycle: true };
}

/** Books a payment though nothing is reserved for it: what another payout takes of it besides is a debt. */
function payLate(taken: TakenCommission, payoutId: string, cause: Cause): CommissionChange {
  const change = withLedger(beginChange(taken, cause), {
    type: 'payout',
    amountCents: -taken.lineCents,
    payoutId,
  });
  // An adjustment alone can still be open when it is netted; a debt is of a payment that was made before.
  const isOpen = taken.lineCents >= 0 || taken.amountCents < 0;
  if (!isOpen || taken.payoutId !== null) return change;
  const by = { payoutId, paidAt: cause.now };
  if (taken.status === 'approved') return paid(change, cause, by);
  // A commission whose refund fails later becomes what it would have been: paid.
  return taken.statusBeforeRefund === 'approved'
    ? withFields(change, { ...by, statusBeforeRefund: 'paid' })
    : change;
}

function unreserved(taken: TakenCommission, cause: Cause): CommissionChange {
  const reservedCents = taken.reservedCents - taken.lineCents;
  return withFields(beginChange(taken, cause), { reservedCents });
}

/** Approved, and this payout's to pay; others are only netted by it. */
function isOwn(taken: TakenCommission, payoutId: string): boolean {
  return taken.payoutId === payoutId && taken.status === 'approved';
}

interface PaidBy {
  payoutId: string;
  paidAt: Date;
}

function paidByAnother({ paidBy, paidByAt }: TakenCommission): PaidBy | undefined {
  return paidBy && paidByAt ? { payoutId: paidBy, paidAt: paidByAt } : undefined;
}

function paid(change: CommissionChange, cause: Cause, by: PaidBy): CommissionChange {
  const next = withHistory(withFields(change, { status: 'paid', ...by }), {
    from: 'approved',
    to: 'paid',
    trigger: 'payout',
    actor: cause.actor,
  });
  return { ...withEvent(next, 'commission.paid'), signalsLifecycle: true };
}

/** The commissions of the items, in the order of their ids. */
async function linesOf(
  tx: Tx,
  { payoutId, itemIds }: Pick<BookedItems, 'payoutId' | 'itemIds'>,
): Promise<string[]> {
  const rows = await query<{ id: string }>(
    tx,
    `SELECT commission_id AS id FROM payout_lines
      WHERE payout_id = $1 AND item_id = ANY($2) ORDER BY commission_id`,
    [payoutId, itemIds],
  );
  return rows.map(({ id }) => id);
}

/** These commissions of the payout, which the caller has locked. */
function takenOf(
  tx: Tx,
  scope: Scope,
  { payoutId, ids }: { payoutId: string; ids: readonly string[] },
): Promise<TakenCommission[]> {
  return query<TakenCommission>(
    tx,
    `SELECT ${recordColumns}, l.amount_cents AS "lineCents", other.payout_id AS "paidBy",
            other.paid_at AS "paidByAt"
       FROM payout_lines AS l JOIN commissions AS c ON c.id = l.commission_id ${recordJoins}
       LEFT JOIN LATERAL (
         SELECT i.payout_id, i.paid_at
           FROM payout_lines AS k JOIN payout_items AS i ON i.id = k.item_id
          WHERE k.commission_id = c.id AND k.payout_id <> l.payout_id
            AND (k.amount_cents >= 0 OR c.amount_cents < 0)
            AND i.status = 'paid'
          ORDER BY i.paid_at DESC, i.id DESC LIMIT 1) AS other ON true
      WHERE l.payout_id = $1 AND c.workspace_id = $2 AND c.mode = $3 AND l.commission_id = ANY($4)
      ORDER BY c.id`,
    [payoutId, scope.workspaceId, scope.mode, ids],
  );
}
