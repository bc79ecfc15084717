import {
  beginChange,
  withEvent,
  withFields,
} from '../../../activities/commissions/commission-change';
import { lockCommission } from '../../../activities/commissions/records';
import { withoutFlag } from '../../../activities/commissions/review-flags';
import { writeChanges } from '../../../activities/commissions/write';
import type { Tx } from '../../../entities/database/sql';
import { withReason, type ReviewReason } from '../../../entities/rules/commissions/review-reasons';

interface Flag {
  commissionId: string;
  reason: ReviewReason;
}

/** Flags a commission as something that is found after its sale would. */
export async function flagCommission(tx: Tx, flag: Flag, now: Date): Promise<void> {
  const record = await lockCommission(tx, flag.commissionId);
  if (!record) throw new Error('no such commission');
  const reviewReasons = withReason(record.reviewReasons, flag.reason);
  const change = withFields(beginChange(record, { now }), { reviewReasons });
  const announced = withEvent(change, 'commission.updated', record.reviewReasons);
  await writeChanges(tx, [{ ...announced, signalsLifecycle: true }]);
}

/** Clears the flag again; with the last one the automatic approval may follow. */
export async function clearFlag(tx: Tx, flag: Flag, now: Date): Promise<void> {
  const record = await lockCommission(tx, flag.commissionId);
  if (record) await writeChanges(tx, [withoutFlag(record, flag.reason, now)]);
}
