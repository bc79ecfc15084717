import { newId } from '../../entities/ids';
import type { Scope } from '../../entities/rules/values/mode';
import { execute, type Db, type Tx } from '../../entities/database/sql';
import { enqueue } from '../journal/outbox';

/** Dead letters of an endpoint that died until then; those created since, or all. */
export interface Range {
  endpointId: string;
  since: Date | null;
  until: Date;
}

/** Keeps the range until all of it is queued again, and has the workflow begin. */
export async function rememberRequeue(tx: Tx, scope: Scope, range: Range): Promise<void> {
  const { endpointId, since, until } = range;
  await execute(
    tx,
    `INSERT INTO webhook_requeues (id, workspace_id, mode, endpoint_id, since, until, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6)`,
    [newId(), scope.workspaceId, scope.mode, endpointId, since, until],
  );
  await queueRequeue(tx, scope, { range, now: until });
}

/** Has the workflow of the endpoint take the range on. */
export async function queueRequeue(
  tx: Tx,
  { workspaceId, mode }: Scope,
  { range, now }: { range: Range; now: Date },
): Promise<void> {
  const since = range.since?.toISOString() ?? null;
  await enqueue(tx, {
    topic: 'webhook_requeue',
    ref: range.endpointId,
    payload: { workspaceId, mode, since, until: range.until.toISOString() },
    availableAt: now,
  });
}

/** Nothing of the range is left. */
export async function forgetRequeue(db: Db, { endpointId, since, until }: Range): Promise<void> {
  await execute(
    db,
    `DELETE FROM webhook_requeues
      WHERE endpoint_id = $1 AND until = $2 AND since IS NOT DISTINCT FROM $3::timestamptz`,
    [endpointId, until, since],
  );
}
