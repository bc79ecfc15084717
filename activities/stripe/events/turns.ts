import { isLocked } from '../../../entities/database/errors';
import { createFairPlaces, type FairPlaces } from '../../../runtime/load/fair-places';
import { retry, type RetryPolicy } from '../../../runtime/load/retry';

/** What one workspace may have of a process, so that its events hold up those of no other. */
export interface EventTurns {
  /** One attempt; put off when there are enough of the workspace under way. */
  attempt<T>(workspaceId: string, work: () => Promise<T>): Promise<T>;
  /** Its transaction; tried again for a moment while a lock is in its way, then put off. */
  transact<T>(workspaceId: string, work: () => Promise<T>): Promise<T>;
  /** How long one that was put off stays away. */
  restMs(workspaceId: string): number;
}

/** Nothing is known to be wrong with the event: it is tried again and was not attempted. */
export class PutOffError extends Error {
  override readonly name = 'PutOffError';
}

/** Of the attempts that the worker of the queue has under way. */
const attemptsOfOne = 6;

/** Of the connections of the process, which all of its parts share. */
const transactionsAtOnce = 4;
const transactionsOfOne = 2;

/** Events of one payment come together and wait for each other: a moment, without a connection. */
const whileLocked: RetryPolicy = { waitsMs: [50, 100, 200, 400], isWorthIt: isLocked };

const leastRestMs = 1_000;
const mostRestMs = 60_000;
/** Between two of one workspace that come back. */
const spacingMs = 30;
const mostRemembered = 10_000;

export function createEventTurns(): EventTurns {
  const attempts = createFairPlaces({
    places: Number.POSITIVE_INFINITY,
    perOwner: attemptsOfOne,
    waitingPerOwner: 0,
    waitingInAll: 0,
    patienceMs: 0,
  });
  const transactions = createFairPlaces({
    places: transactionsAtOnce,
    perOwner: transactionsOfOne,
    waitingPerOwner: attemptsOfOne,
    waitingInAll: 1_000,
    patienceMs: 5_000,
  });
  return {
    attempt: (workspaceId, work) => inPlace(attempts, workspaceId, work),
    async transact(workspaceId, work) {
      try {
        return await retry(whileLocked, () => inPlace(transactions, workspaceId, work));
      } catch (error) {
        throw isLocked(error) ? new PutOffError('its rows are locked', { cause: error }) : error;
      }
    },
    restMs: createRests(),
  };
}

async function inPlace<T>(places: FairPlaces, owner: string, work: () => Promise<T>): Promise<T> {
  const leave = await places.enter(owner).catch((cause: unknown) => {
    throw new PutOffError('no place is free', { cause });
  });
  try {
    return await work();
  } finally {
    leave();
  }
}

/** Those of one workspace come back one after the other, however many there are. */
function createRests(): EventTurns['restMs'] {
  const lastBack = new Map<string, number>();
  return (workspaceId) => {
    const now = performance.now();
    const soonest = Math.max(now + leastRestMs, (lastBack.get(workspaceId) ?? 0) + spacingMs);
    const back = Math.min(soonest, now + mostRestMs);
    if (lastBack.size >= mostRemembered) lastBack.clear();
    lastBack.set(workspaceId, back);
    return Math.round(back - now);
  };
}
