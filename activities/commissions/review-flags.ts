import { execute, query, rowsAtOnce, type Tx } from '../../entities/database/sql';
import { withoutReason, type ReviewReason } from '../../entities/rules/commissions/review-reasons';
import type { CommandContext } from '../journal/cause';
import { enqueueSql } from '../journal/outbox';
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
 * Clears PARTNER_SUSPENDED of the commissions of a participant who was reinstated in this
 * transaction; with the last flag the automatic approval may follow. Those beyond the oldest few
 * hundred follow through their lifecycles.
 */
export async function clearSuspensionFlags(
  tx: Tx,
  { scope, now }: CommandContext,
  { participantId }: { participantId: string },
): Promise<void> {
  const reason = 'PARTNER_SUSPENDED';
  const key = [participantId, reason, scope.workspaceId, scope.mode];
  const records = await query<CommissionRecord>(
    tx,
    `SELECT ${recordColumns} FROM commissions AS c ${recordJoins} WHERE ${isFlagged}
      ORDER BY c.id LIMIT ${rowsAtOnce} FOR UPDATE OF c`,
    key,
  );
  await writeChanges(
    tx,
    records.map((record) => withoutFlag(record, reason, now)),
  );
  if (records.length < rowsAtOnce) return;
  await execute(
    tx,
    enqueueSql({
      topic: 'commission',
      ref: 'c.id',
      workspaceId: 'c.workspace_id',
      availableAt: '$5',
      from: `commissions AS c WHERE ${isFlagged} AND c.status = 'pending'`,
    }),
    [...key, now],
  );
}

const isFlagged = `c.participant_id = $1 AND c.needs_review AND $2 = ANY(c.review_reasons)
  AND c.workspace_id = $3 AND c.mode = $4`;

/** The commission without the flag, and what its end brings about. */
export function withoutFlag(
  record: CommissionRecord,
  reason: ReviewReason,
  now: Date,
): CommissionChange {
  const reviewReasons = withoutReason(record.reviewReasons, reason);
  const change = withFields(beginChange(record, { now }), { reviewReasons });
  const announced = withEvent(change, 'commission.updated');
  return withWhatIsDue({ ...announced, signalsLifecycle: true }, record);
}
