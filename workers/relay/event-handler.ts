import { systemCause } from '../../activities/journal/cause';
import type { Work } from '../../activities/journal/outbox-claims';
import { notifyOfEvents } from '../../activities/notifications/of-events';
import { wakeStreams } from '../../activities/notifications/wake';
import { createApart, type Apart } from '../../runtime/load/apart';
import { groupBy } from '../../runtime/load/group-by';
import { inParallel } from '../../runtime/load/in-parallel';
import type { Deps } from '../../runtime/process/deps';
import { fanOutEvents } from '../../activities/webhooks/fan-out';
import { hasMetLock, isHeldUp } from '../../entities/database/errors';
import { boundedTransaction, type LockWait } from '../../entities/database/sql';
import type { Report, TopicHandler } from './carry-work';

type FanOutDeps = Pick<Deps, 'db' | 'redis' | 'clock' | 'config'>;

const eventsAtOnce = 1_000;

/** Workspaces that have met a lock, side by side, after all the others. */
const apartAtOnce = 2;
const apartForMs = 10_000;

/** The work of one workspace. */
interface Part {
  workspaceId: string;
  work: Work[];
}

/**
 * Events fan out to deliveries, for which receivers wait, and then lead to notices; a repeat meets
 * their unique keys.
 */
export function eventHandler(deps: FanOutDeps): TopicHandler {
  // The parts lock different rows: feeds of partners are those of many workspaces.
  const [apart, apartByFeeds] = [createApart(apartForMs), createApart(apartForMs)];
  return {
    handle: (work, report) => carryAll({ deps, apart, report, carry: fanOut }, work),
    finish: (work, report) =>
      carryAll({ deps, apart: apartByFeeds, report, carry: notifyOf }, work),
  };
}

interface Step {
  deps: FanOutDeps;
  apart: Apart;
  report: Report;
  carry(deps: FanOutDeps, eventIds: string[], wait: LockWait): Promise<void>;
}

interface Carrying extends Step {
  done: number[];
}

/**
 * All that a claim holds goes together and hardly waits for a lock. When it meets one the workspaces
 * are divided until the one is found whose rows are locked: its events are tried again in a moment.
 * Returns the ids of the rows that are done.
 */
async function carryAll(step: Step, work: readonly Work[]): Promise<number[]> {
  const carrying: Carrying = { ...step, done: [] };
  const parts = partsOf(work);
  const isApart = ({ workspaceId }: Part): boolean => step.apart.has(workspaceId);
  const alone = parts.filter(isApart);
  const together = parts.filter((part) => !isApart(part));
  await carryOn(carrying, together, together.length === 1 ? 'own' : 'shared');
  await inParallel(alone, { atOnce: apartAtOnce }, (part) => carryOn(carrying, [part], 'shared'));
  return carrying.done;
}

async function carryOn(carrying: Carrying, parts: Part[], wait: LockWait): Promise<void> {
  const work = parts.flatMap((part) => part.work);
  const eventIds = work.flatMap(eventsOf);
  try {
    for (let start = 0; start < eventIds.length; start += eventsAtOnce) {
      await carrying.carry(carrying.deps, eventIds.slice(start, start + eventsAtOnce), wait);
    }
    carrying.done.push(...work.map(({ id }) => id));
  } catch (error) {
    if (!isHeldUp(error)) throw error;
    const [first, ...others] = parts;
    if (first && others.length === 0) putOff(carrying, first, error);
    else await divide(carrying, parts, error);
  }
}

/** In halves while locks are in the way; a statement that takes too long may be any part's fault. */
async function divide(carrying: Carrying, parts: Part[], error: unknown): Promise<void> {
  if (!hasMetLock(error)) {
    for (const part of parts) await carryOn(carrying, [part], 'own');
    return;
  }
  const middle = Math.ceil(parts.length / 2);
  for (const half of [parts.slice(0, middle), parts.slice(middle)]) {
    await carryOn(carrying, half, half.length === 1 ? 'own' : 'shared');
  }
}

/** A lock says nothing against the rows; a statement that takes too long may be their own fault. */
function putOff({ apart, report }: Carrying, { workspaceId, work }: Part, error: unknown): void {
  apart.add(workspaceId);
  for (const { id } of work) {
    if (hasMetLock(error)) report.putOff(id);
    else report.refused(id, error);
  }
}

async function fanOut(
  { db, clock, config }: FanOutDeps,
  eventIds: string[],
  wait: LockWait,
): Promise<void> {
  const firstDelayMs = config.webhooks.retrySchedule[0] ?? 0;
  await boundedTransaction(db, wait, (tx) =>
    fanOutEvents(tx, systemCause(clock.now()), { eventIds, firstDelayMs }),
  );
}

async function notifyOf(
  { db, redis, clock }: FanOutDeps,
  eventIds: string[],
  wait: LockWait,
): Promise<void> {
  const news = await boundedTransaction(db, wait, (tx) =>
    notifyOfEvents(tx, { now: clock.now() }, eventIds),
  );
  await wakeStreams(redis, news);
}

/** The events of one commit travel together. */
function eventsOf({ ref, payload }: Work): string[] {
  const { others = [] } = payload as { others?: string[] };
  return [ref, ...others];
}

function partsOf(work: readonly Work[]): Part[] {
  const parts = groupBy(work, ({ workspaceId }) => workspaceId);
  return [...parts].map(([workspaceId, own]) => ({ workspaceId, work: own }));
}
