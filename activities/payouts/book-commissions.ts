import { execute, query, type Tx } from '../../entities/database/sql';
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

/** Commissions of a payout that one statement changes: each fills a processor for some 50 ms. */
const batchSize = 500;

interface BookedPayout {
  payoutId: string;
}

interface TakenCommission extends CommissionRecord {
  /** What the payout takes of it; negative for an overpayment that it nets. */
  lineCents: number;
}

/**
 * The payout's commissions are its own from now on; what it nets is reserved for it. One statement
 * for all: until its commit decisions on them find the rows locked and wait.
 */
export async function reserve(
  tx: Tx,
  { scope, now }: CommandContext,
  { payoutId }: BookedPayout,
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

/** One `payout` entry each; the payout's own commissions become paid. */
export async function markPaid(
  tx: Tx,
  context: CommandContext,
  { payoutId }: BookedPayout,
): Promise<void> {
  const pay = (taken: TakenCommission): CommissionChange => {
    const free = withFields(beginChange(taken, context.now), {
      reservedCents: taken.reservedCents - taken.lineCents,
    });
    const entry = { type: 'payout', amountCents: -taken.lineCents, payoutId } as const;
    const booked = withLedger(free, entry);
    return taken.payoutId === payoutId && taken.status === 'approved'
      ? paid(booked, context)
      : booked;
  };
  await changeEach(tx, context.scope, { payoutId, change: pay });
}

function paid(change: CommissionChange, cause: Cause): CommissionChange {
  const next = withHistory(withFields(change, { status: 'paid', paidAt: cause.now }), {
    from: 'approved',
    to: 'paid',
    trigger: 'payout',
    actor: cause.actor,
  });
  return { ...withEvent(next, 'commission.paid'), signalsLifecycle: true };
}

/** Nothing was paid: frees commissions and debts, then lets what happened meanwhile take effect. */
export async function release(
  tx: Tx,
  context: CommandContext,
  { payoutId }: BookedPayout,
): Promise<void> {
  const change = (taken: TakenCommission): CommissionChange => {
    const free = withFields(beginChange(taken, context.now), {
      reservedCents: taken.reservedCents - taken.lineCents,
    });
    return taken.payoutId === payoutId ? withFields(free, { payoutId: null }) : free;
  };
  await changeEach(tx, context.scope, {
    payoutId,
    change,
    then: (commissionIds) => settleCommissions(tx, context, { commissionIds }),
  });
}

interface Booking extends BookedPayout {
  change: (taken: TakenCommission) => CommissionChange;
  /** With the ids of each batch, once it is written. */
  then?: (ids: string[]) => Promise<void>;
}

async function changeEach(tx: Tx, scope: Scope, booking: Booking): Promise<void> {
  const { payoutId, change, then } = booking;
  let last: string | null = null;
  for (;;) {
    const taken: TakenCommission[] = await takenAfter(tx, scope, { payoutId, after: last });
    const ids = taken.map(({ id }) => id);
    await writeChanges(tx, taken.map(change));
    await then?.(ids);
    if (taken.length < batchSize) return;
    last = ids.at(-1) ?? null;
  }
}

/** The next commissions of the payout, which its caller has locked. */
function takenAfter(
  tx: Tx,
  scope: Scope,
  { payoutId, after }: BookedPayout & { after: string | null },
): Promise<TakenCommission[]> {
  return query<TakenCommission>(
    tx,
    `SELECT ${recordColumns}, l.amount_cents AS "lineCents"
       FROM payout_lines AS l JOIN commissions AS c ON c.id = l.commission_id ${recordJoins}
      WHERE l.payout_id = $1 AND c.workspace_id = $3 AND c.mode = $4
        AND ($2::uuid IS NULL OR c.id > $2)
      ORDER BY c.id LIMIT ${batchSize}`,
    [payoutId, after, scope.workspaceId, scope.mode],
  );
}
