import type { Deps } from '../../../activities/runtime/process/deps';
import { notifyOfEvents } from '../../../activities/notifications/of-events';
import { wakeStreams } from '../../../activities/notifications/wake';
import type { FeedNews } from '../../../activities/notifications/notify';
import { query, transaction } from '../../../entities/database/sql';

/** Carries what waits for the relay as far as notifications need it. Gives the ids of the events. */
export async function carryEvents(deps: Pick<Deps, 'db' | 'clock' | 'redis'>): Promise<string[]> {
  const [events, news] = await transaction(deps.db, async (tx) => {
    const work = await query<{ ref: string; payload: { others?: string[] } }>(
      tx,
      `DELETE FROM outbox WHERE topic IN ('event', 'events') RETURNING id, ref, payload`,
    );
    const ids = work.flatMap(({ ref, payload }) => [ref, ...(payload.others ?? [])]);
    return [ids, await notifyOfEvents(tx, ids, deps.clock.now())] as const;
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
