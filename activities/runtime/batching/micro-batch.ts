import { AppError } from '../../../entities/errors';

export interface MicroBatch<I, O> {
  /** Resolves with the item's own result once the batch that carried it is done. */
  submit(item: I): Promise<O>;
}

export interface MicroBatchOptions<I, O> {
  /** Does a batch; gives one result for each item, in order. A rejection is every item's. */
  commit(items: I[]): Promise<O[]>;
  maxItems: number;
  /** Batches under way at once; while they run, the next one grows. */
  maxInFlight: number;
  /** A queue of this many items leaves all the same, as long as fewer batches than this are under way. */
  surge?: { items: number; maxInFlight: number };
  /** More items than this are refused at once instead of waiting until they time out. */
  maxWaiting: number;
  /**
   * Whose item it is. When more wait than a batch holds, owners take turns, and no owner fills more
   * than a quarter of the queue. Without it, first come, first served.
   */
  ownerOf?: (item: I) => string;
  /**
   * A batch smaller than the one before waits this long for the rest: those who were answered
   * together come back one after the other. A lone item after a lone item never waits. Default 0.
   */
  gatherMs?: number;
  /** An item that is not done after this time is refused; its work may still happen. */
  patienceMs: number;
}

interface Entry<I, O> {
  item: I;
  since: number;
  resolve(result: O): void;
  reject(error: unknown): void;
}

/** With owners, one of them fills the queue no further than if there were this many. */
const ownersAtLeast = 4;

/** Of the batch before: once this share is there, the batch leaves without the rest. */
const completeShare = 0.75;

const unavailable = (): AppError =>
  new AppError('SERVICE_UNAVAILABLE', { headers: { 'Retry-After': '2' } });

/**
 * Makes one commit out of what arrives within a few milliseconds. A batch leaves at the end of the
 * event loop's turn as long as fewer than `maxInFlight` are under way, so a lone request waits for
 * nobody and a burst shares its commits. Where a commit takes long, a queue builds up behind those:
 * a surge lets further batches share the same flush of the disk.
 */
export function createMicroBatch<I, O>(options: MicroBatchOptions<I, O>): MicroBatch<I, O> {
  const { commit, maxItems, maxInFlight, surge, maxWaiting, patienceMs, gatherMs = 0 } = options;
  const owners = options.ownerOf && createOwners(options.ownerOf, maxWaiting / ownersAtLeast);
  let waiting: Entry<I, O>[] = [];
  const underway = new Set<Entry<I, O>[]>();
  let isScheduled = false;
  let watch: NodeJS.Timeout | undefined;

  let lastSize = 1;
  let gathering: NodeJS.Timeout | undefined;
  const hasRoom = (): boolean =>
    underway.size < maxInFlight ||
    (surge !== undefined && waiting.length >= surge.items && underway.size < surge.maxInFlight);

  const schedule = (): void => {
    if (isScheduled || waiting.length === 0 || !hasRoom()) return;
    const isComplete = waiting.length >= lastSize * completeShare;
    if (gatherMs > 0 && !isComplete) gathering ??= setTimeout(leave, gatherMs);
    else leave();
  };

  const leave = (): void => {
    clearTimeout(gathering);
    gathering = undefined;
    if (isScheduled || waiting.length === 0 || !hasRoom()) return;
    isScheduled = true;
    setImmediate(flush);
  };

  const flush = (): void => {
    isScheduled = false;
    const { batch, rest } = nextBatch(waiting, maxItems, owners);
    if (batch.length === 0) return;
    waiting = rest;
    lastSize = batch.length;
    underway.add(batch);
    void settle(batch, commit).finally(() => {
      underway.delete(batch);
      schedule();
    });
    schedule();
  };

  /** One slow watch for all, in place of a timer for each. */
  const refuseOverdue = (): void => {
    const limit = performance.now() - patienceMs;
    const isLate = ({ since }: Entry<I, O>): boolean => since <= limit;
    [waiting, ...underway].flat().filter(isLate).forEach(refuse);
    owners?.left(waiting.filter(isLate));
    waiting = waiting.filter((entry) => !isLate(entry));
    if (waiting.length > 0 || underway.size > 0) return;
    clearInterval(watch);
    watch = undefined;
  };

  return {
    submit(item) {
      const isFull = waiting.length >= maxWaiting || owners?.enter(item) === false;
      if (isFull) return Promise.reject(unavailable());
      watch ??= setInterval(refuseOverdue, Math.max(10, patienceMs / 10)).unref();
      return new Promise<O>((resolve, reject) => {
        waiting.push({ item, since: performance.now(), resolve, reject });
        schedule();
      });
    },
  };
}

function nextBatch<E extends { item: I }, I>(
  waiting: E[],
  size: number,
  owners: Owners<I> | undefined,
): { batch: E[]; rest: E[] } {
  const isAll = waiting.length <= size;
  const ordered = isAll ? waiting : (owners?.inTurns(waiting, size) ?? waiting);
  const batch = ordered.slice(0, size);
  owners?.left(batch);
  return { batch, rest: isAll ? [] : ordered.slice(size) };
}

function refuse({ reject }: { reject(error: unknown): void }): void {
  reject(unavailable());
}

async function settle<I, O>(
  batch: Entry<I, O>[],
  commit: (items: I[]) => Promise<O[]>,
): Promise<void> {
  try {
    const results = await commit(batch.map(({ item }) => item));
    batch.forEach((entry, index) => entry.resolve(results[index] as O));
  } catch (error) {
    batch.forEach((entry) => entry.reject(error));
  }
}

/** Whose items wait, and whose turn it is. */
interface Owners<I> {
  inTurns<E extends { item: I }>(entries: E[], size: number): E[];
  /** False when the item's owner has enough in the queue. */
  enter(item: I): boolean;
  left(entries: readonly { item: I }[]): void;
}

function createOwners<I>(ownerOf: (item: I) => string, most: number): Owners<I> {
  const counts = new Map<string, number>();
  return {
    inTurns: (entries, size) => inTurns(entries, ownerOf, size),
    enter(item) {
      const owner = ownerOf(item);
      const count = counts.get(owner) ?? 0;
      if (count >= most) return false;
      counts.set(owner, count + 1);
      return true;
    },
    left(entries) {
      for (const { item } of entries) {
        const owner = ownerOf(item);
        const count = counts.get(owner) ?? 0;
        if (count > 1) counts.set(owner, count - 1);
        else counts.delete(owner);
      }
    },
  };
}

/** The next `most` are chosen owner by owner, one of each a round; all others keep their order. */
function inTurns<I, E extends { item: I }>(
  entries: E[],
  ownerOf: (item: I) => string,
  most: number,
): E[] {
  const queues = new Map<string, E[]>();
  for (const entry of entries) {
    const owner = ownerOf(entry.item);
    const queue = queues.get(owner);
    if (queue) queue.push(entry);
    else queues.set(owner, [entry]);
  }
  if (queues.size === 1) return entries;
  const chosen = new Set<E>();
  for (let round = 0; chosen.size < most; round += 1) {
    for (const queue of queues.values()) {
      const entry = queue[round];
      if (entry && chosen.size < most) chosen.add(entry);
    }
  }
  return [...chosen, ...entries.filter((entry) => !chosen.has(entry))];
}
