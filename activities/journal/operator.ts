import { activityInfo } from '@temporalio/activity';
import type { OperatorNote } from '../../entities/rules/values/operator-note';
import { operatorActor } from '../../entities/rules/values/actor';
import { query, type Tx } from '../../entities/database/sql';
import type { Cause } from './cause';

/**
 * The cause of what an operator orders in Temporal Web. The order has a request id of its own, the
 * same for each attempt of its activity.
 */
export function operatorCause(note: OperatorNote, now: Date): Cause {
  return { actor: { ...operatorActor, note }, requestId: infoOf()?.requestId, now };
}

/** Whether an attempt before this one may have been committed, and its answer lost. */
export function isRepeat(): boolean {
  return (infoOf()?.attempt ?? 1) > 1;
}

/** An activity is tried again for some seconds; its clock and the database's differ a little. */
const tooOldMs = 3_600_000;

/** Whether an attempt before this one did what was ordered. Its row is locked by the caller. */
export async function isDone(
  tx: Tx,
  { requestId, now }: Cause,
  { action, workspaceId }: { action: string; workspaceId: string | null },
): Promise<boolean> {
  if (!isRepeat()) return false;
  const lines = await query(
    tx,
    `SELECT 1 FROM audit_log
      WHERE workspace_id IS NOT DISTINCT FROM $1 AND created_at > $2
        AND action = $3 AND request_id = $4 LIMIT 1`,
    [workspaceId, new Date(now.getTime() - tooOldMs), action, requestId],
  );
  return lines.length > 0;
}

/** Undefined outside of an activity. */
function infoOf(): { requestId: string; attempt: number } | undefined {
  try {
    const { workflowExecution, activityId, attempt } = activityInfo();
    return { requestId: `${workflowExecution?.runId ?? ''}:${activityId}`, attempt };
  } catch {
    return undefined;
  }
}
