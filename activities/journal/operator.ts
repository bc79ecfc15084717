import type { OperatorNote } from '../../entities/rules/values/operator-note';
import { operatorActor } from '../../entities/rules/values/actor';
import { query, type Tx } from '../../entities/database/sql';
import { firstIdAt } from '../../entities/ids';
import { activityRequest } from './activity-request';
import type { Cause } from './cause';
import { record } from './record';
import { hourMs } from '../../entities/rules/values/duration';

/**
 * The cause of what an operator orders in Temporal Web. The order has a request id of its own, the
 * same for each attempt of its activity.
 */
export function operatorCause(note: OperatorNote, now: Date): Cause {
  return { actor: { ...operatorActor, note }, requestId: activityRequest()?.requestId, now };
}

/** Whether an attempt before this one may have been committed, and its answer lost. */
export function isRepeat(): boolean {
  return (activityRequest()?.attempt ?? 1) > 1;
}

/** What an operator orders, for the audit log. */
interface Order {
  /** `<thing>.<past tense>`. */
  action: string;
  target: { type: string; id: string };
  workspaceId: string | null;
}

interface Ordered<T> {
  order: Order;
  effect: () => Promise<T>;
  /** The answer where an attempt before this one had the effect. */
  otherwise: T;
}

/**
 * Does what an operator orders, with its line in the audit log: once, however often the activity is
 * tried. What it is about is locked by the caller.
 */
export async function asOrdered<T>(
  tx: Tx,
  context: Cause,
  { order, otherwise, effect }: Ordered<T>,
): Promise<T> {
  if (await isDone(tx, context, order)) return otherwise;
  await record(tx, context, { audit: order });
  return effect();
}

/** Whether an attempt before this one did what was ordered. */
async function isDone(
  tx: Tx,
  { requestId, now }: Cause,
  { action, workspaceId }: Order,
): Promise<boolean> {
  if (!isRepeat()) return false;
  const lines = await query(
    tx,
    `SELECT 1 FROM audit_log
      WHERE id >= $2 AND (workspace_id = $1 OR $1::uuid IS NULL AND workspace_id IS NULL)
        AND action = $3 AND request_id = $4 LIMIT 1`,
    [workspaceId, firstIdAt(new Date(now.getTime() - hourMs)), action, requestId],
  );
  return lines.length > 0;
}
