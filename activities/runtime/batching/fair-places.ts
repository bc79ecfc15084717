import { AppError } from '../../../entities/errors';

/** A bounded number of places at something scarce, shared fairly by those who ask for them. */
export interface FairPlaces {
  /** Waits for a place; the result gives it back, once however often it is called. */
  enter(owner: string): Promise<() => void>;
  /** Does work in a place. */
  run<T>(owner: string, work: () => Promise<T>): Promise<T>;
}

export interface FairPlacesOptions {
  places: number;
  /** Places that one owner may hold at once. */
  perOwner: number;
  /** More than this of one owner, or of all, are refused at once. */
  waitingPerOwner: number;
  waitingInAll: number;
  /** Longest wait for a place. */
  patienceMs: number;
  retryAfterSeconds?: number;
}

interface Waiter {
  enter(): void;
}

/**
 * Owners take turns: however much one of them asks for, another waits for a place to come free and
 * not for a queue. Whoever waits too long, or behind too many of their own, gets
 * SERVICE_UNAVAILABLE.
 */
export function createFairPlaces(options: FairPlacesOptions): FairPlaces {
  const { places, perOwner, waitingPerOwner, waitingInAll, patienceMs } = options;
  const held = new Map<string, number>();
  // In the order of turns: who was served last stands last.
  const queues = new Map<string, Waiter[]>();
  let heldInAll = 0;
  let waiting = 0;

  const hasPlace = (owner: string): boolean =>
    heldInAll < places && (held.get(owner) ?? 0) < perOwner;

  const take = (owner: string): (() => void) => {
    heldInAll += 1;
    held.set(owner, (held.get(owner) ?? 0) + 1);
    let isLeft = false;
    return () => {
      if (isLeft) return;
      isLeft = true;
      heldInAll -= 1;
      const left = (held.get(owner) ?? 1) - 1;
      if (left > 0) held.set(owner, left);
      else held.delete(owner);
      serveNext();
    };
  };

  const serveNext = (): void => {
    for (const [owner, queue] of queues) {
      if (!hasPlace(owner)) continue;
      const next = queue.shift();
      queues.delete(owner);
      if (queue.length > 0) queues.set(owner, queue);
      next?.enter();
      return;
    }
  };

  const forget = (owner: string, waiter: Waiter): void => {
    const queue = (queues.get(owner) ?? []).filter((one) => one !== waiter);
    if (queue.length > 0) queues.set(owner, queue);
    else queues.delete(owner);
  };

  const wait = (owner: string): Promise<() => void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        forget(owner, waiter);
        waiting -= 1;
        reject(unavailable(options));
      }, patienceMs);
      const waiter: Waiter = {
        enter() {
          clearTimeout(timer);
          waiting -= 1;
          resolve(take(owner));
        },
      };
      waiting += 1;
      const queue = queues.get(owner);
      if (queue) queue.push(waiter);
      else queues.set(owner, [waiter]);
    });

  const enter = (owner: string): Promise<() => void> => {
    if (hasPlace(owner) && !queues.has(owner)) return Promise.resolve(take(owner));
    const isFull = waiting >= waitingInAll || (queues.get(owner)?.length ?? 0) >= waitingPerOwner;
    return isFull ? Promise.reject(unavailable(options)) : wait(owner);
  };

  return {
    enter,
    async run(owner, work) {
      const leave = await enter(owner);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}

function unavailable({ retryAfterSeconds = 2 }: FairPlacesOptions): AppError {
  const headers = { 'Retry-After': String(retryAfterSeconds) };
  return new AppError('SERVICE_UNAVAILABLE', { headers });
}
