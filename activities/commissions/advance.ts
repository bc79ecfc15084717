import { selectList } from '../../entities/database/columns';
import { isLocked } from '../../entities/database/errors';
import { Commission } from '../../entities/tables/commissions/commission.entity';
import { systemActor } from '../../entities/rules/values/actor';
import {
  boundedTransaction,
  query,
  transaction,
  type Db,
  type Tx,
} from '../../entities/database/sql';
import type { Cause } from '../journal/cause';
import { beginChange, withWhatIsDue, type CommissionChange } from './commission-change';
import { lockCommission, lockFreeCommission, type CommissionRecord } from './records';
import { writeChanges } from './write';

/**
 * Does what is due by now, under lock. The lifecycle asks for this again and again, so a lost or
 * repeated call does no harm. The system's own: any workspace and mode. Undefined for a commission
 * that is gone.
 */
export async function advanceCommission(
  db: Db,
  { now, onHoldEnd }: Asking,
  { commissionId }: { commissionId: string },
): Promise<Commission | undefined> {
  const [record, after] = await transaction(db, async (tx) => {
    const record = await lockCommission(tx, commissionId);
    if (!record) return [];
    const change = whatIsDueOf(record, now);
    // It is the lifecycle that asks.
    if (change) await writeChanges(tx, [{ ...change, signalsLifecycle: false }]);
    return [record, change?.commission ?? record];
  });
  const late = record && after && lateness(record, after, now);
  if (late !== undefined) onHoldEnd?.(late);
  return after;
}

type Asking = Pick<Cause, 'now'> & {
  /** Called with the seconds by which a hold was ended after its time. */
  onHoldEnd?: ((seconds: number) => void) | undefined;
};

/** Undefined where no hold ended. */
function lateness(
  before: Pick<Commission, 'holdElapsed' | 'holdUntil'>,
  { holdElapsed }: Pick<Commission, 'holdElapsed'>,
  now: Date,
): number | undefined {
  if (before.holdElapsed || !holdElapsed || before.holdUntil === null) return undefined;
  return Math.max(0, now.getTime() - before.holdUntil.getTime()) / 1_000;
}

/** Null when nothing is due. */
function whatIsDueOf(record: CommissionRecord, now: Date): CommissionChange | null {
  const begun = beginChange(record, { now });
  const change = withWhatIsDue(begun, record);
  if (change === begun) return null;
  if (change.commission.status !== 'approved') return change;
  return { ...change, audit: { actor: systemActor, action: 'commission.approved' } };
}

export interface OverdueBatch {
  /** Where the next batch goes on; null when nothing more is overdue. */
  cursor: string | null;
  advanced: number;
  /** The commissions that could not be advanced: left for the next round, where they delay no others. */
  failed: { commissionId: string; error: unknown }[];
}

const overdueAtOnce = 200;

/**
 * Does what has been due since before `since`, without any lifecycle: oldest first, a batch in one
 * transaction with a savepoint for each. What another transaction holds it passes over: that one does
 * it, or the next round from the beginning. The first batch takes those besides that were flagged while
 * their partner was being reinstated. Their lifecycles are signalled.
 */
export function advanceOverdue(
  db: Db,
  { now, onHoldEnd }: Asking,
  { since, cursor }: { since: Date; cursor: string | null },
): Promise<OverdueBatch> {
  return boundedTransaction(db, async (tx) => {
    const due = await overdueAfter(tx, since, cursor);
    const flagged = cursor === null ? await flaggedForNothing(tx) : [];
    const failed: OverdueBatch['failed'] = [];
    let advanced = 0;
    for (const { id } of [...due, ...flagged]) {
      try {
        advanced += await advanceOne(tx, { now, onHoldEnd }, id);
      } catch (error) {
        if (!tx.isOpen) throw error;
        if (!isLocked(error)) failed.push({ commissionId: id, error });
      }
    }
    return { cursor: due.length < overdueAtOnce ? null : cursorOf(due.at(-1)), advanced, failed };
  });
}

type Due = Pick<Commission, 'id' | 'holdUntil'>;

function cursorOf(due: Due | undefined): string | null {
  return due?.holdUntil ? `${due.holdUntil.toISOString()} ${due.id}` : null;
}

function overdueAfter(tx: Tx, since: Date, cursor: string | null): Promise<Due[]> {
  const [at = null, id = null] = cursor?.split(' ') ?? [];
  return query<Due>(
    tx,
    `SELECT ${selectList(Commission, 'c', ['id', 'holdUntil'])} FROM commissions AS c
      WHERE c.status = 'pending' AND NOT c.hold_elapsed AND c.hold_until < $1
        AND ($2::timestamptz IS NULL OR (c.hold_until, c.id) > ($2, $3::uuid))
      ORDER BY c.hold_until, c.id LIMIT ${overdueAtOnce}`,
    [since, at, id],
  );
}

/**
 * Flagged for a suspension that is over. The end of a hold and a reinstatement that commit beside each
 * other may both miss what the other wrote, and then no signal comes any more.
 */
function flaggedForNothing(tx: Tx): Promise<Pick<Commission, 'id'>[]> {
  return query(
    tx,
    `SELECT c.id FROM commissions AS c JOIN participants AS p ON p.id = c.participant_id
      WHERE c.status = 'pending' AND 'PARTNER_SUSPENDED' = ANY (c.review_reasons)
        AND p.status <> 'suspended'
      LIMIT ${overdueAtOnce}`,
  );
}

/** How many were advanced: one, or none when nothing is due. */
async function advanceOne(tx: Tx, { now, onHoldEnd }: Asking, id: string): Promise<0 | 1> {
  const ended = await transaction(tx, async (savepoint) => {
    const record = await lockFreeCommission(savepoint, id);
    const change = record ? whatIsDueOf(record, now) : null;
    if (!record || !change) return undefined;
    await writeChanges(savepoint, [{ ...change, signalsLifecycle: true }]);
    return { late: lateness(record, change.commission, now) };
  });
  if (ended?.late !== undefined) onHoldEnd?.(ended.late);
  return ended ? 1 : 0;
}
