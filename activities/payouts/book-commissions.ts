import type { Scope } from '../../entities/rules/values/mode';
import { query, type Tx } from '../../entities/database/sql';
import type { Cause } from '../journal/cause';
import {
  beginChange,
  withEvent,
  withFields,
  withHistory,
  withLedger,
} from '../commissions/commission-change';
import type { CommissionChange } from '../commissions/commission-change';
import { recordColumns, recordJoins } from '../commissions/records';
import type { CommissionRecord } from '../commissions/records';
import { writeChanges } from '../commissions/write';
import { settleCommissions } from '../settlement/settle';

/** Commissions of a payout that one statement changes. */
const batchSize = 500;

interface TakenCommission extends CommissionRecord {
  /** What the payout takes of it; negative for an overpayment that it nets. */
  lineCents: number;
}

/** The payout's commissions are its own from now on; what it nets is reserved for it. */
export async function reserve(tx: Tx, payout: { payoutId: string; now: Date }): Promise<void> {
  const take = (taken: TakenCommission): CommissionChange => {
    const reservedCents = taken.reservedCents + taken.lineCents;
    const change = withFields(beginChange(taken, payout.now), { reservedCents });
    return taken.status === 'approved' && taken.payoutId === null
      ? withFields(change, { payoutId: payout.payoutId })
      : change;
  };
  await changeEach(tx, payout.payoutId, { change: take });
}

/** One `payout` entry each; the payout's own commissions become paid. */
export async function markPaid(
  tx: Tx,
  payout: { scope: Scope; payoutId: string },
  cause: Cause,
): Promise<void> {
  const { payoutId } = payout;
  const pay = (taken: TakenCommission): CommissionChange => {
    const free = withFields(beginChange(taken, cause.now), {
      reservedCents: taken.reservedCents - taken.lineCents,
    });
    const entry = { type: 'payout', amountCents: -taken.lineCents, payoutId } as const;
    const booked = withLedger(free, entry);
    return taken.payoutId === payoutId && taken.status === 'approved'
      ? paid(booked, cause)
      : booked;
  };
  await changeEach(tx, payoutId, { change: pay });
}

function paid(change: CommissionChange, cause: Cause): CommissionChange {
  const next = withHistory(withFields(change, { status: 'paid', paidAt: cause.now }), {
    from: 'approved',
    to: 'paid',
    trigger: 'payout',
    actor: cause.actor,
  });
  return { ...withEvent(next, 'commission.paid'), wakes: true };
}

/** Nothing was paid: frees commissions and debts, then lets what happened meanwhile take effect. */
export async function release(
  tx: Tx,
  payout: { scope: Scope; payoutId: string },
  cause: Cause,
): Promise<void> {
  const { payoutId } = payout;
  const change = (taken: TakenCommission): CommissionChange => {
    const free = withFields(beginChange(taken, cause.now), {
      reservedCents: taken.reservedCents - taken.lineCents,
    });
    return taken.payoutId === payoutId ? withFields(free, { payoutId: null }) : free;
  };
  await changeEach(tx, payoutId, { change, then: (ids) => settleCommissions(tx, ids, cause) });
}

interface Booking {
  change: (taken: TakenCommission) => CommissionChange;
  /** With the ids of each batch, once it is written. */
  then?: (ids: string[]) => Promise<void>;
}

async function changeEach(tx: Tx, payoutId: string, { change, then }: Booking): Promise<void> {
  let last: string | null = null;
  for (;;) {
    const taken: TakenCommission[] = await takenAfter(tx, payoutId, last);
    const ids = taken.map(({ id }) => id);
    await writeChanges(tx, taken.map(change));
    await then?.(ids);
    if (taken.length < batchSize) return;
    last = ids.at(-1) ?? null;
  }
}

/** The next commissions of the payout, which its caller has locked. */
function takenAfter(tx: Tx, payoutId: string, after: string | null): Promise<TakenCommission[]> {
  return query<TakenCommission>(
    tx,
    `SELECT ${recordColumns}, l.amount_cents AS "lineCents"
       FROM payout_lines AS l JOIN commissions AS c ON c.id = l.commission_id ${recordJoins}
      WHERE l.payout_id = $1 AND ($2::uuid IS NULL OR c.id > $2)
      ORDER BY c.id LIMIT ${batchSize}`,
    [payoutId, after],
  );
}
