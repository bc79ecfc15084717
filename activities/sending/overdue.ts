import { execute, rowsAtOnce, type Db } from '../../entities/database/sql';
import { minuteMs } from '../../entities/rules/values/duration';
import { enqueueSql, isNotQueued } from '../journal/outbox';

/** A workflow looks at the moment that is due, so after this long it was lost. */
const lateMs = 5 * minuteMs;

/** Wakes the workflows of batches that are overdue, which may be lost. Gives how many. */
export function wakeOverdueBatches(db: Db, now: Date): Promise<number> {
  return execute(
    db,
    enqueueSql({
      topic: 'payout_batch',
      ref: 'b.id',
      payload: `jsonb_build_object('mode', b.mode)`,
      workspaceId: 'b.workspace_id',
      availableAt: '$1::timestamptz',
      from: `(SELECT id, mode, workspace_id FROM payout_batches AS b
               WHERE next_at < $2 AND (lease_until IS NULL OR lease_until < $1)
                 AND ${isNotQueued('payout_batch', 'b.id')}
               ORDER BY next_at LIMIT ${rowsAtOnce}) AS b`,
    }),
    [now, new Date(now.getTime() - lateMs)],
  );
}
