import { newId } from '../../entities/ids';
import type { Scope } from '../../entities/rules/values/mode';
import { insertAll } from '../../entities/database/insert-all';
import type { EventContent } from '../../entities/rules/webhooks/objects';
import type { Tx } from '../../entities/database/sql';
import { Event } from '../../entities/tables/journal/event.entity';
import { enqueueAll, eventTopics } from './outbox';

/** What happened, with the record as it is now; frozen for ever. */
export type EventDraft = EventContent & {
  objectId: string;
  /** What led to it, where the kind leaves that open; for notifications only. */
  cause?: string;
};

export type NewEvent = EventDraft & { at: Date; requestId?: string | undefined };

/**
 * Writes an event in the transaction of its cause, with the relay's work for it.
 * Returns the event's id (without the `evt_` prefix that receivers see).
 */
export async function recordEvent(tx: Tx, scope: Scope, event: NewEvent): Promise<string> {
  const id = newId();
  const { workspaceId, mode } = scope;
  const { type, objectId, object, at, cause = null, requestId = null } = event;
  const row = { id, workspaceId, mode, type, objectId, object, occurredAt: at, cause, requestId };
  await insertAll(tx, { into: Event, rows: [row] });
  await enqueueAll(
    tx,
    eventTopics.map((topic) => ({ topic, ref: id, workspaceId, requestId, availableAt: at })),
  );
  return id;
}
