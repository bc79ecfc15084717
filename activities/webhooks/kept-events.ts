import { partitionRules } from '../../entities/rules/retention/retention';

export const eventsKeptDays = Number(
  partitionRules.find(({ table }) => table === 'events')?.keptDays,
);

/** What happened before this may be gone; what happened since is there. */
export const eventsKeptSince = (now: Date): Date =>
  new Date(now.getTime() - eventsKeptDays * 86_400_000);

/**
 * An event that may be gone, and is. Only old ones are looked up, one by one: as NOT EXISTS the planner
 * might read all events instead.
 */
export const isGone = (eventId: string, keptSince: string): string =>
  `(${eventId} < first_id_at(${keptSince})
    AND (SELECT v.id FROM events v WHERE v.id = ${eventId} LIMIT 1) IS NULL)`;
