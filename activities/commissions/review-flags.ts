import { withReason, withoutReason } from '../../entities/rules/commissions/review-reasons';
import type { ReviewReason } from '../../entities/rules/commissions/review-reasons';
import { query, type Tx } from '../../entities/database/sql';
import { beginChange, withEvent, withFields, withWhatIsDue } from './commission-change';
import type { CommissionChange } from './commission-change';
import { lockCommission, recordColumns, recordJoins } from './records';
import type { CommissionRecord } from './records';
import { writeChanges } from './write';

/** Flags a commission that can still be held up; any other is left as it is. */
export async function flagCommission(
  tx: Tx,
  flag: { commissionId: string; reason: ReviewReason },
  now: Date,
): Promise<void> {
  const record = await lockCommission(tx, flag.commissionId);
  if (!record || record.reviewReasons.includes(flag.reason)) return;
  if (record.status !== 'pending' && record.status !== 'approved') return;
  const reviewReasons = withReason(record.reviewReasons, flag.reason);
  const change = withFields(beginChange(record, now), { reviewReasons });
  const told = withEvent(change, 'commission.updated', record.reviewReasons);
  await writeChanges(tx, [{ ...told, wakes: true }]);
}

/** Clears a flag that went by itself; with the last one the automatic approval may follow. */
export async function clearFlag(
  tx: Tx,
  flag: { commissionId: string; reason: ReviewReason },
  now: Date,
): Promise<void> {
  const record = await lockCommission(tx, flag.commissionId);
  if (record) await writeChanges(tx, cleared([record], flag.reason, now));
}

/** Clears the flag of every commission of a participant, such as PARTNER_SUSPENDED at reinstating. */
export async function clearFlagsOfParticipant(
  tx: Tx,
  flag: { participantId: string; reason: ReviewReason },
  now: Date,
): Promise<void> {
  const records = await query<CommissionRecord>(
    tx,
    `SELECT ${recordColumns} FROM commissions AS c ${recordJoins}
      WHERE c.participant_id = $1 AND c.needs_review AND $2 = ANY(c.review_reasons)
      ORDER BY c.id FOR UPDATE OF c`,
    [flag.participantId, flag.reason],
  );
  await writeChanges(tx, cleared(records, flag.reason, now));
}

function cleared(
  records: readonly CommissionRecord[],
  reason: ReviewReason,
  now: Date,
): CommissionChange[] {
  return records
    .filter((record) => record.reviewReasons.includes(reason))
    .map((record) => {
      const reviewReasons = withoutReason(record.reviewReasons, reason);
      const change = withFields(beginChange(record, now), { reviewReasons });
      const told = { ...withEvent(change, 'commission.updated'), wakes: true };
      return withWhatIsDue(told, record);
    });
}
