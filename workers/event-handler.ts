import { systemCause } from '../activities/journal/cause';
import type { Work } from '../activities/journal/outbox-claims';
import { notifyOfEvents } from '../activities/notifications/of-events';
import { wakeStreams } from '../activities/notifications/wake';
import { groupBy } from '../activities/runtime/batching/group-by';
import { inParallel } from '../activities/runtime/batching/in-parallel';
import type { Deps } from '../activities/runtime/process/deps';
import { fanOutEvents } from '../activities/webhooks/fan-out';
import { hasMetLock, isHeldUp } from '../entities/database/errors';
import { boundedTransaction, type LockWait } from '../entities/database/sql';
import type { Report, TopicHandler } from './carry-work';

type FanOutDeps = Pick<Deps, 'db' | 'redis' | 'clock' | 'config'>;

const eventsAtOnce = 1_000;

/** Workspaces that have met a lock, side by side, after all the others. */
const apartAtOnce = 2;
const apartForMs = 10_000;
const mostApart = 10_000;

/** The work of one workspace. */
interface Part {
  workspaceId: string;
  work: Work[];
}

/**
 * Events fan out to deliveries and notifications; a repeat meets their unique keys. All that a claim
 * holds goes together and hardly waits for a lock. When it meets one the workspaces are divided until
 * the one is found whose rows are locked: its events are tried again in a moment.
 */
export function eventHandler(deps: FanOutDeps): TopicHandler {
  const apart = createApart();
  return {
    async handle(work, report) {
      const carrying = { deps, apart, report, done: [] };
      const parts = partsOf(work);
      const isApart = ({ workspaceId }: Part): boolean => apart.has(workspaceId);
      const alone = parts.filter(isApart);
      const together = parts.filter((part) => !isApart(part));
      await carryOn(carrying, together, together.length === 1 ? 'own' : 'shared');
      await inParallel(alone, { atOnce: apartAtOnce }, (part) =>
        carryOn(carrying, [part], 'shared'),
      );
      return carrying.done;
    },
  };
}

interface Carrying {
  deps: FanOutDeps;
  apart: Apart;
  report: Report;
  done: number[];
}

async function carryOn(carrying: Carrying, parts: Part[], wait: LockWait): Promise<void> {
  const work = parts.flatMap((part) => part.work);
  if (work.length === 0) return;
  try {
    await fanOut(carrying.deps, work, wait);
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

async function fanOut(deps: FanOutDeps, work: readonly Work[], wait: LockWait): Promise<void> {
  const { db, redis, clock, config } = deps;
  const now = clock.now();
  const firstDelayMs = config.webhooks.retrySchedule[0] ?? 0;
  const eventIds = work.flatMap(eventsOf);
  for (let start = 0; start < eventIds.length; start += eventsAtOnce) {
    const some = eventIds.slice(start, start + eventsAtOnce);
    // Receivers need not wait for the notices, and their dispatchers hear of a commit only.
    await boundedTransaction(db, wait, (tx) =>
      fanOutEvents(tx, systemCause(now), { eventIds: some, firstDelayMs }),
    );
    const news = await boundedTransaction(db, wait, (tx) => notifyOfEvents(tx, { now }, some));
    await wakeStreams(redis, news);
  }
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

interface Apart {
  has(workspaceId: string): boolean;
  add(workspaceId: string): void;
}

/** Workspaces that have just met a lock, and may meet it again. */
function createApart(): Apart {
  const until = new Map<string, number>();
  return {
    has: (workspaceId) => (until.get(workspaceId) ?? 0) > performance.now(),
    add(workspaceId) {
      if (until.size >= mostApart) until.clear();
      until.set(workspaceId, performance.now() + apartForMs);
    },
  };
}
