import { systemCause } from '../../activities/journal/cause';
import type { Work } from '../../activities/journal/outbox-claims';
import { notifyOfEvents } from '../../activities/notifications/of-events';
import { askStandings } from '../../activities/standings/ask';
import { wakeStreams } from '../../activities/notifications/wake';
import type { Deps } from '../../runtime/process/deps';
import { fanOutEvents } from '../../activities/webhooks/fan-out';
import { transaction } from '../../entities/database/sql';
import type { TopicHandler } from './process-claim';

type EventDeps = Pick<Deps, 'db' | 'redis' | 'clock' | 'config'>;

const eventsAtOnce = 1_000;

/** Events fan out to deliveries, for which receivers wait; a repeat meets their unique key. */
export function deliveriesHandler({ db, clock, config }: EventDeps): TopicHandler {
  const firstDelayMs = config.webhooks.retrySchedule[0] ?? 0;
  const handler = eventHandler((eventIds) =>
    transaction(db, async (tx) => {
      const fanOut = { eventIds, firstDelayMs };
      return (await fanOutEvents(tx, systemCause(clock.now()), fanOut)).lockedEventIds;
    }),
  );
  return { ...handler, isAwaited: true };
}

/** Events lead to notices; a repeat meets their unique key. */
export function noticesHandler({ db, redis, clock }: EventDeps): TopicHandler {
  return eventHandler(async (eventIds) => {
    const cause = { now: clock.now() };
    const { news, lockedEventIds } = await transaction(db, async (tx) => {
      const told = await notifyOfEvents(tx, cause, eventIds);
      const locked = new Set(told.lockedEventIds);
      // The standing of what is told later is asked later.
      await askStandings(
        tx,
        cause,
        eventIds.filter((id) => !locked.has(id)),
      );
      return told;
    });
    await wakeStreams(redis, news);
    return lockedEventIds;
  });
}

/** Does all of it for the events of many workspaces at once, but for those that it gives as locked. */
type Step = (eventIds: string[]) => Promise<string[]>;

function eventHandler(step: Step): TopicHandler {
  return {
    async handle(work, report) {
      const locked = new Set(await inChunks(step, work.flatMap(eventsOf)));
      const isLocked = (item: Work): boolean => eventsOf(item).some((id) => locked.has(id));
      for (const item of work) if (isLocked(item)) report.defer(item.id);
      return work.filter((item) => !isLocked(item)).map(({ id }) => id);
    },
  };
}

async function inChunks(step: Step, eventIds: string[]): Promise<string[]> {
  const locked: string[] = [];
  for (let start = 0; start < eventIds.length; start += eventsAtOnce) {
    locked.push(...(await step(eventIds.slice(start, start + eventsAtOnce))));
  }
  return locked;
}

/** The events of one commit travel together. */
function eventsOf({ ref, payload }: Work): string[] {
  const { others = [] } = payload as { others?: string[] };
  return [ref, ...others];
}
