import { query, type Tx } from '../../entities/database/sql';
import { withoutReason, type ReviewReason } from '../../entities/rules/commissions/review-reasons';
import type { CommandContext } from '../journal/cause';
import {
  beginChange,
  withEvent,
  withFields,
  withWhatIsDue,
  type CommissionChange,
} from './commission-change';
import { recordColumns, recordJoins, type CommissionRecord } from './records';
import { writeChanges } from './write';

/**
 * Clears a flag that is over of every commission of a participant, such as PARTNER_SUSPENDED at
 * reinstating; with the last one the automatic approval may follow.
 */
export async function clearFlagsOfParticipant(
  tx: Tx,
  { scope, now }: CommandContext,
  { participantId, reason }: { participantId: string; reason: ReviewReason },
): Promise<void> {
  const records = await query<CommissionRecord>(
    tx,
    `SELECT ${recordColumns} FROM commissions AS c ${recordJoins}
      WHERE c.participant_id = $1 AND c.needs_review AND $2 = ANY(c.review_reasons)
        AND c.workspace_id = $3 AND c.mode = $4
      ORDER BY c.id FOR UPDATE OF c`,
    [participantId, reason, scope.workspaceId, scope.mode],
  );
  await writeChanges(
    tx,
    records.map((record) => withoutFlag(record, reason, now)),
  );
}

/** The commission without the flag, and what its end brings about. */
export function withoutFlag(
  record: CommissionRecord,
  reason: ReviewReason,
  now: Date,
): CommissionChange {
  const reviewReasons = withoutReason(record.reviewReasons, reason);
  const change = withFields(beginChange(record, now), { reviewReasons });
  const announced = withEvent(change, 'commission.updated');
  return withWhatIsDue({ ...announced, signalsLifecycle: true }, record);
}
