import { isHeldUp } from '../../entities/database/errors';
import type { LockWait } from '../../entities/database/sql';
import { AppError } from '../../entities/errors';
import { createFairPlaces, type FairPlaces } from './fair-places';
import { groupBy } from './group-by';
import { retry, rising, type RetryPolicy } from './retry';
import { createMicroBatch, type MicroBatch, type MicroBatchOptions } from './micro-batch';

export interface FairBatchOptions<I, O> extends Omit<
  MicroBatchOptions<I, O>,
  'commit' | 'ownerOf'
> {
  /** As of a micro-batch; it fails when a lock is not free within the wait. */
  commit(items: I[], wait: LockWait): Promise<O[]>;
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

/** An owner whose rows were locked goes apart from the others until it has met no lock for this long. */
const apartForMs = 10_000;
const mostApart = 10_000;

const heldUpForMs = 8_000;

/** An owner that commits apart: its items share commits with each other only. */
interface Apart<I, O> {
  until: number;
  batch: MicroBatch<I, Part<O>>;
}

/**
 * A group commit that several owners share and none of them can hold up. The shared commit hardly
 * waits for a lock; when it meets one, each owner's items are committed apart, and those that still
 * meet it are tried again one by one, with a longer wait, beside the shared places.
 */
export function createFairBatch<I, O>(options: FairBatchOptions<I, O>): MicroBatch<I, O> {
  return new FairBatching(options);
}

class FairBatching<I, O> implements MicroBatch<I, O> {
  private readonly parts: FairPlaces;
  private readonly slow: FairPlaces;
  private readonly shared: MicroBatch<I, Promise<Part<O>> | Part<O>>;
  private readonly apart = new Map<string, Apart<I, O>>();

  constructor(private readonly options: FairBatchOptions<I, O>) {
    const { patienceMs } = options;
    const bounds = { perOwner: 1, waitingPerOwner, waitingInAll, patienceMs };
    this.parts = createFairPlaces({ ...bounds, places: partsAtOnce });
    this.slow = createFairPlaces({ ...bounds, places: slowAtOnce });
    this.shared = createMicroBatch({ ...options, commit: (items) => this.commitShared(items) });
  }

  async submit(item: I): Promise<O> {
    const { ownerOf, errorIn } = this.options;
    const owner = ownerOf(item);
    const part = await (this.apartOf(owner)?.batch ?? this.shared).submit(item);
    const isDone = 'result' in part && !isHeldUp(errorIn(part.result));
    return isDone ? part.result : this.commitAlone(owner, item);
  }

  private async commitShared(items: I[]): Promise<(Promise<Part<O>> | Part<O>)[]> {
    const { commit, ownerOf } = this.options;
    try {
      return (await commit(items, 'shared')).map((result) => ({ result }));
    } catch (error) {
      if (!isHeldUp(error)) throw error;
      // The place is free again at once: each owner's part goes on by itself.
      return byOwner(items, ownerOf, (owner, own) => this.commitPart(owner, own));
    }
  }

  private async commitPart(owner: string, items: I[]): Promise<Part<O>[]> {
    try {
      const results = await this.parts.run(owner, () => this.options.commit(items, 'shared'));
      return results.map((result) => ({ result }));
    } catch (error) {
      if (!isHeldUp(error)) throw error;
      this.putApart(owner);
      return items.map(() => ({ heldUp: true }));
    }
  }

  private commitAlone(owner: string, item: I): Promise<O> {
    const { commit, errorIn } = this.options;
    return whileHeldUp(async () => {
      try {
        const [result] = (await this.slow.run(owner, () => commit([item], 'own'))) as [O];
        const error = errorIn(result);
        if (isHeldUp(error)) throw error;
        return result;
      } catch (error) {
        if (isHeldUp(error)) this.putApart(owner);
        throw error;
      }
    });
  }

  private putApart(owner: string): void {
    const until = performance.now() + apartForMs;
    const known = this.apart.get(owner);
    if (known) {
      known.until = until;
      return;
    }
    if (this.apart.size >= mostApart) this.apart.clear();
    const batch = createMicroBatch<I, Part<O>>({
      ...this.options,
      maxInFlight: 1,
      commit: (items) => this.commitPart(owner, items),
    });
    this.apart.set(owner, { until, batch });
  }

  private apartOf(owner: string): Apart<I, O> | undefined {
    const apart = this.apart.get(owner);
    if (!apart || apart.until > performance.now()) return apart;
    this.apart.delete(owner);
    return undefined;
  }
}

/** One promise for each item, in order; the items of an owner go together. */
function byOwner<I, P>(
  items: readonly I[],
  ownerOf: (item: I) => string,
  commitPart: (owner: string, items: I[]) => Promise<P[]>,
): Promise<P>[] {
  const results = new Map<I, Promise<P>>();
  for (const [owner, group] of groupBy(items, ownerOf)) {
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
