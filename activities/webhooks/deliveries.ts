import { AppError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import { insertAll } from '../../entities/database/insert-all';
import { movingSql } from '../../entities/database/moving';
import { countFrom, type Db, execute, transaction, type Tx } from '../../entities/database/sql';
import { isMove } from '../../entities/rules/values/moves';
import { deliveryMoves } from '../../entities/rules/webhooks/delivery-status';
import { WebhookDelivery } from '../../entities/tables/webhooks/webhook-delivery.entity';
import type { CommandContext } from '../journal/cause';
import { wakeDispatchers } from './fan-out';
import { holdEndpoint, lockDelivery, type EndpointRow } from './read';
import { rememberRequeue, type Range } from './requeues';
import { isSubscribedSql } from './unsubscribe';

/** How many dead letters are queued again in the request's own transaction; a workflow takes the rest. */
const batchSize = 1_000;

export interface DeliveryCommand {
  endpointId: string;
  deliveryId: string;
  /** The first wait of the retry schedule, in milliseconds. */
  firstDelayMs: number;
}

const requeue = movingSql(deliveryMoves, { trigger: 'requeue', to: 'pending', of: 'd' });

/**
 * Queues a dead letter again: the same delivery, its attempts counted on, its schedule from the start. Of
 * several at once one succeeds. WEBHOOK_NOT_FOUND, WEBHOOK_DELIVERY_NOT_FOUND,
 * WEBHOOK_DELIVERY_NOT_DEAD_LETTER, WEBHOOK_DEACTIVATED.
 */
export async function retryDelivery(
  db: Db,
  { scope, now }: CommandContext,
  { endpointId, deliveryId, firstDelayMs }: DeliveryCommand,
): Promise<void> {
  await transaction(db, async (tx) => {
    const endpoint = await holdEndpoint(tx, scope, endpointId);
    const { id, status } = await lockDelivery(tx, endpoint, deliveryId);
    if (!isMove(deliveryMoves, { from: status, to: 'pending', trigger: 'requeue' })) {
      throw new AppError('WEBHOOK_DELIVERY_NOT_DEAD_LETTER');
    }
    requireActive(endpoint);
    await execute(
      tx,
      `UPDATE webhook_deliveries AS d
          SET ${requeue.set}, attempts_before = d.attempts, next_attempt_at = $2
        WHERE d.id = $1 AND ${requeue.where}`,
      [id, new Date(now.getTime() + firstDelayMs)],
    );
    await wakeDispatchers(tx);
  });
}

/**
 * Sends a delivery's event once more, as a new delivery, whatever became of the old one. Returns
 * the new one's id. WEBHOOK_NOT_FOUND, WEBHOOK_DELIVERY_NOT_FOUND, WEBHOOK_DEACTIVATED.
 */
export async function replayDelivery(
  db: Db,
  { scope, now }: CommandContext,
  { endpointId, deliveryId, firstDelayMs }: DeliveryCommand,
): Promise<string> {
  const id = newId();
  await transaction(db, async (tx) => {
    const endpoint = await holdEndpoint(tx, scope, endpointId);
    const { eventId, eventType, id: replayOf } = await lockDelivery(tx, endpoint, deliveryId);
    requireActive(endpoint);
    const row = {
      id,
      workspaceId: scope.workspaceId,
      mode: scope.mode,
      endpointId: endpoint.id,
      eventId,
      eventType,
      replayOf,
      status: 'pending',
      nextAttemptAt: new Date(now.getTime() + firstDelayMs),
      createdAt: now,
    } as const;
    await insertAll(tx, { into: WebhookDelivery, rows: [row] });
    await wakeDispatchers(tx);
  });
  return id;
}

function requireActive({ activeSince }: EndpointRow): void {
  if (activeSince === null) throw new AppError('WEBHOOK_DEACTIVATED');
}

export interface RequeueCommand {
  endpointId: string;
  /** Takes only dead letters created at or after this instant. */
  since: Date | null;
  firstDelayMs: number;
}

/**
 * Begins to queue all dead letters of an endpoint again whose kinds it subscribes to, and returns how many they are. What is more
 * than a batch is left to the workflow `webhook-requeue/<endpointId>`. WEBHOOK_NOT_FOUND,
 * WEBHOOK_DEACTIVATED.
 */
export async function beginRequeue(
  db: Db,
  context: CommandContext,
  command: RequeueCommand,
): Promise<number> {
  const range: Range = { ...command, until: context.now };
  return transaction(db, async (tx) => {
    const endpoint = await holdEndpoint(tx, context.scope, command.endpointId);
    requireActive(endpoint);
    const queued = await requeueBatch(tx, context, command);
    if (queued < batchSize) return queued;

    const left = await countDeadLetters(tx, range);
    if (left > 0) await rememberRequeue(tx, context, range);
    return queued + left;
  });
}

/**
 * Queues the oldest dead letters of an endpoint again, at most a batch. `until` leaves those alone
 * that died after the command. Returns how many.
 */
export async function requeueBatch(
  tx: Tx,
  { now }: Pick<CommandContext, 'now'>,
  { endpointId, since, until, firstDelayMs }: RequeueCommand & { until?: Date },
): Promise<number> {
  const queued = await execute(
    tx,
    `WITH dead AS (
       SELECT d.id FROM webhook_deliveries AS d
        WHERE d.endpoint_id = $1 AND ${requeue.where} AND d.created_at >= $2
          AND ($3::timestamptz IS NULL OR d.last_attempt_at <= $3) AND ${isSubscribedSql}
        ORDER BY d.created_at LIMIT $4 FOR UPDATE SKIP LOCKED
     )
     UPDATE webhook_deliveries AS d
        SET ${requeue.set}, attempts_before = d.attempts, next_attempt_at = $5
       FROM dead WHERE d.id = dead.id`,
    [
      endpointId,
      since ?? new Date(0),
      until ?? null,
      batchSize,
      new Date(now.getTime() + firstDelayMs),
    ],
  );
  if (queued > 0) await wakeDispatchers(tx);
  return queued;
}

function countDeadLetters(tx: Tx, { endpointId, since }: Range): Promise<number> {
  return countFrom(
    tx,
    `webhook_deliveries AS d
      WHERE d.endpoint_id = $1 AND ${requeue.where} AND d.created_at >= $2 AND ${isSubscribedSql}`,
    [endpointId, since ?? new Date(0)],
  );
}
