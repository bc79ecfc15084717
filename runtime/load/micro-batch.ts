import { AppError } from '../../entities/errors';

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
   * A batch smaller than the one before waits this long for the rest: those who were answered
   * together come back one after the other. An item that is alone, as the one before it was, never waits. Default 0.
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

/** The share of the batch before, with which a batch leaves without the rest. */
const completeShare = 0.75;

const unavailable = (): AppError =>
  new AppError('SERVICE_UNAVAILABLE', { headers: { 'Retry-After': '2' } });

/**
 * Makes one commit out of what arrives within a few milliseconds. A batch leaves at the end of the
 * event loop's iteration as long as fewer than `maxInFlight` are under way, so a lone request waits for
 * nothing and a burst shares its commits. Where a commit takes long, a queue builds up behind those:
 * a surge lets further batches share the same flush of the disk.
 */
export class MicroBatch<I, O> {
  private readonly underway = new Set<Entry<I, O>[]>();
  private waiting: Entry<I, O>[] = [];
  private isScheduled = false;
  private lastSize = 1;
  private gathering: NodeJS.Timeout | undefined;
  private watch: NodeJS.Timeout | undefined;

  constructor(private readonly options: MicroBatchOptions<I, O>) {}

  /** Resolves with the item's own result once the batch that carried it is done. */
  submit(item: I): Promise<O> {
    const { maxWaiting, patienceMs } = this.options;
    if (this.waiting.length >= maxWaiting) return Promise.reject(unavailable());
    this.watch ??= setInterval(this.refuseOverdue, Math.max(10, patienceMs / 10)).unref();
    return new Promise<O>((resolve, reject) => {
      this.waiting.push({ item, since: performance.now(), resolve, reject });
      this.schedule();
    });
  }

  private get canLeave(): boolean {
    return !this.isScheduled && this.waiting.length > 0 && this.hasRoom;
  }

  private get hasRoom(): boolean {
    const { maxInFlight, surge } = this.options;
    if (this.underway.size < maxInFlight) return true;
    if (!surge || this.waiting.length < surge.items) return false;
    return this.underway.size < surge.maxInFlight;
  }

  private schedule(): void {
    if (!this.canLeave) return;
    const { gatherMs = 0 } = this.options;
    const isComplete = this.waiting.length >= this.lastSize * completeShare;
    if (gatherMs > 0 && !isComplete) this.gathering ??= setTimeout(this.leave, gatherMs);
    else this.leave();
  }

  private readonly leave = (): void => {
    clearTimeout(this.gathering);
    this.gathering = undefined;
    if (!this.canLeave) return;
    this.isScheduled = true;
    setImmediate(this.flush);
  };

  private readonly flush = (): void => {
    const { maxItems, commit } = this.options;
    this.isScheduled = false;
    const batch = this.waiting.splice(0, maxItems);
    if (batch.length === 0) return;
    this.lastSize = batch.length;
    this.underway.add(batch);
    void settle(batch, commit).finally(() => {
      this.underway.delete(batch);
      this.schedule();
    });
    this.schedule();
  };

  /** One slow watch for all, in place of a timer for each. */
  private readonly refuseOverdue = (): void => {
    const limit = performance.now() - this.options.patienceMs;
    const isLate = ({ since }: Entry<I, O>): boolean => since <= limit;
    [this.waiting, ...this.underway]
      .flat()
      .filter(isLate)
      .forEach(({ reject }) => reject(unavailable()));
    this.waiting = this.waiting.filter((entry) => !isLate(entry));
    if (this.waiting.length > 0 || this.underway.size > 0) return;
    clearInterval(this.watch);
    this.watch = undefined;
  };
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

/** What became of one item of a shared commit: its record, or why there is none. */
export type Outcome<Record> = { record: Record } | { error: unknown };

/** The record, or the refusal as a throw. */
export function recordOf<Record>(outcome: Outcome<Record> | undefined): Record {
  if (!outcome) throw new Error('an item without an outcome');
  if ('error' in outcome) throw outcome.error;
  return outcome.record;
}
