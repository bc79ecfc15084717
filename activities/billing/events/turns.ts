import { isLocked } from '../../../entities/database/errors';
import { KeyedSemaphore } from '../../../runtime/load/keyed-semaphore';
import { retryFor } from '../../../runtime/load/retry';

/** What one workspace may have of a process, so that its events hold up those of no other. */
export interface EventTurns {
  /** One attempt; put off when there are enough of the workspace under way. */
  attempt<T>(workspaceId: string, work: () => Promise<T>): Promise<T>;
  /** Its transaction; tried again for a moment while a lock is in its way, then put off. */
  transact<T>(workspaceId: string, work: () => Promise<T>): Promise<T>;
}

/** Nothing is known to be wrong with the event: it is tried again and was not attempted. */
export class PutOffError extends Error {
  override readonly name = 'PutOffError';
}

/** Attempts of one workspace, of all that the queue's worker has under way. */
const attemptsOfOne = 6;

/** Transactions, by connections of the process, which all of its parts share. */
const transactionsAtOnce = 4;
const transactionsOfOne = 2;

/** Events of one payment come together and wait for each other: a moment, without a connection. */
const whileLocked = { forMs: 500, isWorthIt: isLocked };

export function createEventTurns(): EventTurns {
  const attempts = new KeyedSemaphore({
    permits: Number.POSITIVE_INFINITY,
    permitsPerKey: attemptsOfOne,
    maxWaitingPerKey: 0,
    maxWaitMs: 0,
  });
  const transactions = new KeyedSemaphore({
    permits: transactionsAtOnce,
    permitsPerKey: transactionsOfOne,
    maxWaitingPerKey: attemptsOfOne,
    maxWaitMs: 5_000,
  });
  return {
    attempt: (workspaceId, work) => permitted(attempts, workspaceId, work),
    async transact(workspaceId, work) {
      try {
        return await retryFor(whileLocked, () => permitted(transactions, workspaceId, work));
      } catch (error) {
        throw isLocked(error) ? new PutOffError('its rows are locked', { cause: error }) : error;
      }
    },
  };
}

async function permitted<T>(
  semaphore: KeyedSemaphore,
  workspaceId: string,
  work: () => Promise<T>,
): Promise<T> {
  const release = await semaphore.acquire(workspaceId).catch((cause: unknown) => {
    throw new PutOffError('enough of the workspace is under way', { cause });
  });
  try {
    return await work();
  } finally {
    release();
  }
}
