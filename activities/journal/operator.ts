import type { OperatorNote } from '../../entities/rules/values/operator-note';
import { operatorActor } from '../../entities/rules/values/actor';
import { query, type Tx } from '../../entities/database/sql';
import { firstIdAt } from '../../entities/ids';
import { activityRequest } from './activity-request';
import type { Cause } from './cause';
import { record } from './record';
import { hourMs } from '../../entities/rules/values/duration';

/**
 * The cause of an operator's command from Temporal Web. The command has a request id of its own, the
 * same for each attempt of its activity.
 */
export function operatorCause(note: OperatorNote, now: Date): Cause {
  return { actor: { ...operatorActor, note }, requestId: activityRequest()?.requestId, now };
}

/** Whether an attempt before this one may have been committed, and its answer lost. */
export function isRepeat(): boolean {
  return (activityRequest()?.attempt ?? 1) > 1;
}

/** An operator's command, for the audit log. */
interface Command {
  /** `<thing>.<past tense>`. */
  action: string;
  target: { type: string; id: string };
  workspaceId: string | null;
}

interface Run<T> {
  command: Command;
  effect: () => Promise<T>;
  /** The answer where an attempt before this one had the effect. */
  otherwise: T;
}

/**
 * Runs an operator's command, with its line in the audit log: once, however often the activity is
 * tried. What it is about is locked by the caller.
 */
export async function runCommand<T>(
  tx: Tx,
  context: Cause,
  { command, otherwise, effect }: Run<T>,
): Promise<T> {
  if (await isDone(tx, context, command)) return otherwise;
  await record(tx, context, { audit: command });
  return effect();
}

/** Whether an attempt before this one ran the command. */
async function isDone(
  tx: Tx,
  { requestId, now }: Cause,
  { action, workspaceId }: Command,
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
