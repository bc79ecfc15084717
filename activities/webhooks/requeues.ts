import { AppError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import { insertAll } from '../../entities/database/insert-all';
import { execute, queryOne, transaction, type Db, type Tx } from '../../entities/database/sql';
import type { Scope } from '../../entities/rules/values/mode';
import type { OperatorNote } from '../../entities/rules/values/operator-note';
import { WebhookRequeue } from '../../entities/tables/webhooks/webhook-requeue.entity';
import type { CommandContext } from '../journal/cause';
import { runCommand, operatorCause } from '../journal/operator';
import { record } from '../journal/record';
import type { Deps } from '../../runtime/process/deps';

/** Dead letters of an endpoint that died until then; those created since, or all. */
export type Range = Pick<WebhookRequeue, 'endpointId' | 'since' | 'until'>;

/** Keeps the range until all of it is queued again, and has the workflow begin. */
export async function rememberRequeue(
  tx: Tx,
  context: CommandContext,
  { endpointId, since, until }: Range,
): Promise<void> {
  const { workspaceId, mode } = context.scope;
  const range = { endpointId, since, until };
  const row = { id: newId(), workspaceId, mode, ...range, createdAt: context.now };
  await insertAll(tx, { into: WebhookRequeue, rows: [row] });
  await queueRequeue(tx, context, range);
}

/** Has the workflow of the endpoint take the range on. */
export async function queueRequeue(tx: Tx, context: CommandContext, range: Range): Promise<void> {
  const { workspaceId, mode } = context.scope;
  const since = range.since?.toISOString() ?? null;
  const payload = { workspaceId, mode, since, until: range.until.toISOString() };
  await record(tx, context, {
    work: [{ topic: 'webhook_requeue', ref: range.endpointId, payload }],
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

/** Nothing of any range of the endpoint is left to do. */
export async function forgetRequeues(db: Db, endpointId: string): Promise<void> {
  await execute(db, 'DELETE FROM webhook_requeues WHERE endpoint_id = $1', [endpointId]);
}

export interface StoppedRequeue {
  endpointId: string;
  note: OperatorNote;
}

/** The same as an operator commands it, with its line in the audit log. WEBHOOK_NOT_FOUND. */
export async function stopRequeues(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { endpointId, note }: StoppedRequeue,
): Promise<void> {
  await transaction(db, async (tx) => {
    const scope = await queryOne<Scope>(
      tx,
      `SELECT workspace_id AS "workspaceId", mode FROM webhook_endpoints
        WHERE id = $1 FOR NO KEY UPDATE`,
      [endpointId],
    );
    if (!scope) throw new AppError('WEBHOOK_NOT_FOUND');
    const context = { scope, ...operatorCause(note, clock.now()) };
    const target = { type: 'webhook_endpoint', id: endpointId };
    const { workspaceId } = scope;
    const command = { action: 'webhook.requeue_stopped', target, workspaceId };
    const effect = (): Promise<void> => forgetRequeues(tx, endpointId);
    await runCommand(tx, context, { command, effect, otherwise: undefined });
  });
}
