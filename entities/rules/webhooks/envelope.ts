import type { Mode } from '../values/mode';
import type { WebhookEventKind } from './events';

export const apiVersion = 'v1';

/** What is stored of an event. */
export interface StoredEvent {
  id: string;
  seq: number;
  type: WebhookEventKind;
  mode: Mode;
  object: Record<string, unknown>;
  occurredAt: Date;
}

/** What a receiver gets (docs/reference/webhooks.md, Kinds and envelope). */
export interface EventEnvelope {
  id: string;
  type: WebhookEventKind;
  api_version: typeof apiVersion;
  mode: Mode;
  created_at: string;
  sequence: number;
  /** A ping's mark: it tells of nothing that happened. */
  test?: true;
  data: { object: Record<string, unknown> };
}

const eventIdPrefix = 'evt_';

/** The event's id as receivers see it, also their `webhook-id`. */
export function publicEventId(id: string): string {
  return `${eventIdPrefix}${id}`;
}

/** The UUID inside a public event id; the text itself when there is no prefix. */
export function storedEventId(publicId: string): string {
  return publicId.startsWith(eventIdPrefix) ? publicId.slice(eventIdPrefix.length) : publicId;
}

/**
 * The one place where an envelope is composed, for first attempts, retries, replays and the event
 * log alike: equal rows give equal bytes when it is serialised.
 */
export function eventEnvelope(event: StoredEvent): EventEnvelope {
  return {
    id: publicEventId(event.id),
    type: event.type,
    api_version: apiVersion,
    mode: event.mode,
    created_at: event.occurredAt.toISOString(),
    sequence: event.seq,
    data: { object: event.object },
  };
}

/** The envelope of a ping: whoever acts on it can tell that nothing happened. */
export function pingEnvelope(event: StoredEvent): EventEnvelope {
  const { data, ...envelope } = eventEnvelope(event);
  return { ...envelope, test: true, data };
}
