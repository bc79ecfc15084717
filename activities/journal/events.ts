import { newId } from '../../entities/ids';
import type { Scope } from '../../entities/rules/values/mode';
import { execute, type Tx } from '../../entities/database/sql';
import { enqueueSql } from './outbox';

export interface NewEvent {
  /** Kind, such as `commission.approved` (docs/webhooks.md). */
  type: string;
  objectId: string;
  /** The record as it is now, snake_case; frozen for ever. No e-mail address. */
  object: Record<string, unknown>;
  /** What led to it, where the kind leaves that open; for notifications only. */
  cause?: string;
  at: Date;
}

/**
 * Writes an event in the transaction of its cause, with the relay's work for it.
 * Returns the event's id (without the `evt_` prefix that receivers see).
 */
export async function recordEvent(tx: Tx, scope: Scope, event: NewEvent): Promise<string> {
  const id = newId();
  await execute(
    tx,
    `WITH event AS (
       INSERT INTO events (id, workspace_id, mode, type, object_id, object, occurred_at, cause)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8))
     ${enqueueSql({ topic: "'event'", ref: '$1::uuid', workspaceId: '$2::uuid', availableAt: '$7::timestamptz' })}`,
    [
      id,
      scope.workspaceId,
      scope.mode,
      event.type,
      event.objectId,
      JSON.stringify(event.object),
      event.at,
      event.cause ?? null,
    ],
  );
  return id;
}
