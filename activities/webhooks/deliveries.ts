import { AppError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import type { Scope } from '../../entities/rules/values/mode';
import { countFrom, type Db, execute, transaction, type Tx } from '../../entities/database/sql';
import { wakeDispatchers } from './fan-out';
import { holdEndpoint, lockDelivery } from './read';
import { rememberRequeue } from './requeues';

/** How many dead letters are queued again in the request's own transaction; a workflow takes the rest. */
const requeueBatch = 1_000;

export interface DeliveryCommand {
  endpointId: string;
  deliveryId: string;
  now: Date;
  /** The first wait of the retry schedule, in milliseconds. */
  firstDelayMs: number;
}

/**
 * Queues a dead letter again: the same delivery, its attempts counted on, its schedule from the start. Of
 * several at once one succeeds. WEBHOOK_NOT_FOUND, WEBHOOK_DELIVERY_NOT_FOUND,
 * WEBHOOK_DELIVERY_NOT_DEAD_LETTER, WEBHOOK_DEACTIVATED.
 */
export async function retryDelivery(db: Db, scope: Scope, command: DeliveryCommand): Promise<void> {
  await transaction(db, async (tx) => {
    const endpoint = await holdEndpoint(tx, scope, command.endpointId);
    const delivery = await lockDelivery(tx, endpoint, command.deliveryId);
    if (delivery.status !== 'dead_letter') throw new AppError('WEBHOOK_DELIVERY_NOT_DEAD_LETTER');
    if (endpoint.activeSince === null) throw new AppError('WEBHOOK_DEACTIVATED');
    await execute(
      tx,
      `UPDATE webhook_deliveries
          SET status = 'pending', attempts_before = attempts, next_attempt_at = $2
        WHERE id = $1 AND status = 'dead_letter'`,
      [delivery.id, new Date(command.now.getTime() + command.firstDelayMs)],
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
  scope: Scope,
  command: DeliveryCommand,
): Promise<string> {
  const id = newId();
  await transaction(db, async (tx) => {
    const endpoint = await holdEndpoint(tx, scope, command.endpointId);
    const delivery = await lockDelivery(tx, endpoint, command.deliveryId);
    if (endpoint.activeSince === null) throw new AppError('WEBHOOK_DEACTIVATED');
    await execute(
      tx,
      `INSERT INTO webhook_deliveries (id, workspace_id, mode, endpoint_id, event_id, event_type,
         replay_of, status, next_attempt_at, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, 'pending', $8, $9)`,
      [
        id,
        scope.workspaceId,
        scope.mode,
        endpoint.id,
        delivery.eventId,
        delivery.eventType,
        delivery.id,
        new Date(command.now.getTime() + command.firstDelayMs),
        command.now,
      ],
    );
    await wakeDispatchers(tx);
  });
  return id;
}

export interface RequeueCommand {
  endpointId: string;
  /** Only dead letters created at or after this instant. */
  since: Date | null;
  now: Date;
  firstDelayMs: number;
}

/**
 * Queues all dead letters of an endpoint again, and returns how many they are. What is more than a
 * batch is left to the workflow `webhook-requeue/<endpointId>`. WEBHOOK_NOT_FOUND,
 * WEBHOOK_DEACTIVATED.
 */
export async function requeueDeadLetters(
  db: Db,
  scope: Scope,
  command: RequeueCommand,
): Promise<number> {
  return transaction(db, async (tx) => {
    const endpoint = await holdEndpoint(tx, scope, command.endpointId);
    if (endpoint.activeSince === null) throw new AppError('WEBHOOK_DEACTIVATED');
    const queued = await requeueSome(tx, command);
    if (queued < requeueBatch) return queued;

    const left = await countDeadLetters(tx, command);
    if (left > 0) {
      await rememberRequeue(tx, scope, { ...command, until: command.now });
    }
    return queued + left;
  });
}

/**
 * Queues the oldest dead letters again, at most a batch. `until` leaves those alone that died after
 * the command. Returns how many.
 */
export async function requeueSome(
  tx: Tx,
  { endpointId, since, now, firstDelayMs, until }: RequeueCommand & { until?: Date },
): Promise<number> {
  const queued = await execute(
    tx,
    `WITH dead AS (
       SELECT id FROM webhook_deliveries
        WHERE endpoint_id = $1 AND status = 'dead_letter' AND created_at >= $2
          AND ($3::timestamptz IS NULL OR last_attempt_at <= $3)
        ORDER BY created_at LIMIT $4 FOR UPDATE SKIP LOCKED
     )
     UPDATE webhook_deliveries d
        SET status = 'pending', attempts_before = d.attempts, next_attempt_at = $5
       FROM dead WHERE d.id = dead.id`,
    [
      endpointId,
      since ?? new Date(0),
      until ?? null,
      requeueBatch,
      new Date(now.getTime() + firstDelayMs),
    ],
  );
  if (queued > 0) await wakeDispatchers(tx);
  return queued;
}

function countDeadLetters(
  tx: Tx,
  { endpointId, since }: Pick<RequeueCommand, 'endpointId' | 'since'>,
): Promise<number> {
  return countFrom(
    tx,
    `webhook_deliveries
      WHERE endpoint_id = $1 AND status = 'dead_letter' AND created_at >= $2`,
    [endpointId, since ?? new Date(0)],
  );
}
