import type { Deps } from '../../../runtime/process/deps';
import { notifyOfEvents } from '../../../activities/notifications/of-events';
import { wakeStreams } from '../../../activities/notifications/wake';
import type { FeedNews } from '../../../activities/notifications/notify';
import { recordEvent } from '../../../activities/journal/events';
import { newId } from '../../../entities/ids';
import type { Scope } from '../../../entities/rules/values/mode';
import type { WebhookEventKind } from '../../../entities/rules/webhooks/events';
import { exampleObject } from '../../../entities/rules/webhooks/examples';
import type { EventContent } from '../../../entities/rules/webhooks/objects';
import { query, transaction } from '../../../entities/database/sql';

/** Carries what waits for the relay as far as notifications need it. Gives the ids of the events. */
export async function carryEvents(deps: Pick<Deps, 'db' | 'clock' | 'redis'>): Promise<string[]> {
  const [events, news] = await transaction(deps.db, async (tx) => {
    const work = await query<{ ref: string; payload: { others?: string[] } }>(
      tx,
      `DELETE FROM outbox WHERE topic = 'event_notices' RETURNING id, ref, payload`,
    );
    const ids = work.flatMap(({ ref, payload }) => [ref, ...(payload.others ?? [])]);
    return [ids, (await notifyOfEvents(tx, { now: deps.clock.now() }, ids)).news] as const;
  });
  await wakeStreams(deps.redis, news);
  await carryFeeds(deps);
  return events;
}

/** Wakes the streams as the relay does. */
export async function carryFeeds(deps: Pick<Deps, 'db' | 'redis'>): Promise<void> {
  const changes = await query<FeedNews>(
    deps.db.manager,
    `DELETE FROM outbox WHERE topic = 'feed' RETURNING ref AS "feedId", payload->>'mode' AS mode`,
  );
  await wakeStreams(deps.redis, changes);
}

/** Writes an event and carries it on: as if it had happened in this scope. */
export async function happen(
  deps: Pick<Deps, 'db' | 'clock' | 'redis'>,
  scope: Scope,
  event: { type: WebhookEventKind; object?: Record<string, unknown>; cause?: string },
): Promise<string> {
  const object = { ...exampleObject(event.type), id: newId(), ...event.object };
  const { workspaceId, mode } = scope;
  await transaction(deps.db, (tx) =>
    recordEvent(
      tx,
      { workspaceId, mode },
      {
        ...({ type: event.type, object } as EventContent),
        objectId: String(object.id),
        ...(event.cause === undefined ? {} : { cause: event.cause }),
        at: deps.clock.now(),
      },
    ),
  );
  await carryEvents(deps);
  return String(object.id);
}

/** A conversion of the workspace, attributed to no one. */
export function convert(deps: Pick<Deps, 'db' | 'clock' | 'redis'>, scope: Scope): Promise<string> {
  const attribution = { program_id: null, participant_id: null };
  return happen(deps, scope, { type: 'conversion.created', object: { attribution } });
}
