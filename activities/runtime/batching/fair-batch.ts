import { isHeldUp } from '../../../entities/database/errors';
import { AppError } from '../../../entities/errors';
import { createFairPlaces } from './fair-places';
import { retry, rising, type RetryPolicy } from './retry';
import { createMicroBatch, type MicroBatch, type MicroBatchOptions } from './micro-batch';

export interface FairBatchOptions<I, O> extends Omit<MicroBatchOptions<I, O>, 'ownerOf'> {
  /** Whose item it is: what one owner's items meet is no other owner's business. */
  ownerOf: (item: I) => string;
  /** The error that a result stands for, if any: an item that was held up is tried again. */
  errorIn: (result: O) => unknown;
}

type Part<O> = { result: O } | { heldUp: true };

/** Places for what one owner's locks hold up: few, so that most of the pool stays for the others. */
const partsAtOnce = 3;
const slowAtOnce = 2;
const waitingPerOwner = 200;
const waitingInAll = 2_000;

/** An owner whose rows were locked goes apart from the others for this long. */
const apartForMs = 10_000;
const mostApart = 10_000;

const heldUpForMs = 8_000;

/**
 * A group commit that several owners share and none of them can hold up. The shared commit waits
 * for locks only briefly; when it meets one, each owner's items are committed apart, and those that
 * still meet it are tried again one by one beside the shared places.
 */
export function createFairBatch<I, O>(options: FairBatchOptions<I, O>): MicroBatch<I, O> {
  const { commit, ownerOf, errorIn, patienceMs } = options;
  const bounds = { perOwner: 1, waitingPerOwner, waitingInAll, patienceMs };
  const parts = createFairPlaces({ ...bounds, places: partsAtOnce });
  const slow = createFairPlaces({ ...bounds, places: slowAtOnce });
  const apart = new Map<string, number>();

  const putApart = (owner: string): void => {
    if (apart.size >= mostApart) apart.clear();
    apart.set(owner, performance.now() + apartForMs);
  };
  const isApart = (owner: string): boolean => {
    const until = apart.get(owner);
    if (until === undefined || until > performance.now()) return until !== undefined;
    apart.delete(owner);
    return false;
  };

  const commitPart = async (owner: string, items: I[]): Promise<Part<O>[]> => {
    try {
      const results = await parts.run(owner, () => commit(items));
      return results.map((result) => ({ result }));
    } catch (error) {
      if (!isHeldUp(error)) throw error;
      putApart(owner);
      return items.map(() => ({ heldUp: true }));
    }
  };

  const shared = createMicroBatch<I, Promise<Part<O>> | Part<O>>({
    ...options,
    commit: async (items) => {
      try {
        return (await commit(items)).map((result) => ({ result }));
      } catch (error) {
        if (!isHeldUp(error)) throw error;
        // The place is free again at once: each owner's part goes on by itself.
        return byOwner(items, ownerOf, commitPart);
      }
    },
  });

  const alone = (owner: string, item: I): Promise<O> =>
    whileHeldUp(async () => {
      const commitOne = (): Promise<O[]> => commit([item]);
      try {
        const [result] = (await slow.run(owner, commitOne)) as [O];
        const error = errorIn(result);
        if (isHeldUp(error)) throw error;
        return result;
      } catch (error) {
        if (isHeldUp(error)) putApart(owner);
        throw error;
      }
    });

  return {
    async submit(item) {
      const owner = ownerOf(item);
      if (isApart(owner)) return alone(owner, item);
      const part = await shared.submit(item);
      const isDone = 'result' in part && !isHeldUp(errorIn(part.result));
      return isDone ? part.result : alone(owner, item);
    },
  };
}

/** One promise for each item, in order; the items of an owner go together. */
function byOwner<I, P>(
  items: readonly I[],
  ownerOf: (item: I) => string,
  commitPart: (owner: string, items: I[]) => Promise<P[]>,
): Promise<P>[] {
  const groups = new Map<string, I[]>();
  for (const item of items) {
    const group = groups.get(ownerOf(item));
    if (group) group.push(item);
    else groups.set(ownerOf(item), [item]);
  }
  const results = new Map<I, Promise<P>>();
  for (const [owner, group] of groups) {
    const all = commitPart(owner, group);
    group.forEach((item, index) => {
      const part = all.then((done) => done[index] as P);
      // An item that was refused for its wait does not look at its part any more.
      part.catch(() => undefined);
      results.set(item, part);
    });
  }
  return items.map((item) => results.get(item) as Promise<P>);
}

/**
 * Does work again for as long as another transaction's locks are in its way. It waits without a
 * connection, and gives up with SERVICE_UNAVAILABLE after some seconds.
 */
export async function whileHeldUp<T>(work: () => Promise<T>): Promise<T> {
  const until = performance.now() + heldUpForMs;
  const policy: RetryPolicy = {
    waitsMs: rising([20, 50, 100, 200, 400]),
    isWorthIt: (error) => isHeldUp(error) && performance.now() <= until,
  };
  try {
    return await retry(policy, work);
  } catch (error) {
    throw isHeldUp(error) ? stillHeldUp(error) : error;
  }
}

function stillHeldUp(cause: unknown): AppError {
  return new AppError('SERVICE_UNAVAILABLE', { headers: { 'Retry-After': '5' }, cause });
}
