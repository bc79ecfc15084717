import { AppError } from '../../entities/errors';

/** Gives a permit back, once however often it is called. */
export type Release = () => void;

interface KeyedSemaphoreOptions {
  permits: number;
  /** Permits that one key may hold at once. */
  permitsPerKey: number;
  /** More than these of one key are refused at once. */
  maxWaitingPerKey: number;
  /** How many of all keys may wait; no bound when left out. */
  maxWaiting?: number;
  /** Longest wait for a permit, in milliseconds. */
  maxWaitMs: number;
  /** Whether the key holds permits itself is told. Default: SERVICE_UNAVAILABLE with Retry-After: 2. */
  refusal?: (own: { isBusy: boolean }) => Error;
}

export const unavailable = (): Error =>
  new AppError('SERVICE_UNAVAILABLE', { headers: { 'Retry-After': '2' } });

type Waiter = (permit: Release) => void;

/**
 * A bounded number of permits for something scarce. Keys are served in rotation: however much one of
 * them asks for, another waits for a permit to come free and not for a queue.
 */
export class KeyedSemaphore {
  private readonly held = new Map<string, number>();
  /** Who waits, by key; the key that was served last stands last. */
  private readonly queues = new Map<string, Set<Waiter>>();
  private heldInAll = 0;
  private waiting = 0;

  constructor(private readonly options: KeyedSemaphoreOptions) {}

  /** Waits for a permit; rejects with the refusal when it may not wait, or has waited too long. */
  async acquire(key: string): Promise<Release> {
    this.assertRoom(key);
    return this.isFree(key) ? this.take(key) : this.wait(key);
  }

  /** Does work with a permit. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const release = await this.acquire(key);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Throws what `acquire` would be refused with by now, before anything is done for it. */
  assertRoom(key: string): void {
    const { maxWaitingPerKey, maxWaiting = Infinity } = this.options;
    const own = this.queues.get(key)?.size ?? 0;
    const hasRoom = own < maxWaitingPerKey && this.waiting < maxWaiting;
    if (!this.isFree(key) && !hasRoom) throw this.refusal(key);
  }

  private refusal(key: string): Error {
    const isBusy = (this.held.get(key) ?? 0) > 0;
    return (this.options.refusal ?? unavailable)({ isBusy });
  }

  private isFree(key: string): boolean {
    const { permits, permitsPerKey } = this.options;
    return this.heldInAll < permits && (this.held.get(key) ?? 0) < permitsPerKey;
  }

  private take(key: string): Release {
    this.heldInAll += 1;
    this.held.set(key, (this.held.get(key) ?? 0) + 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.heldInAll -= 1;
      const left = (this.held.get(key) ?? 1) - 1;
      if (left > 0) this.held.set(key, left);
      else this.held.delete(key);
      this.serveNext();
    };
  }

  private wait(key: string): Promise<Release> {
    return new Promise((resolve, reject) => {
      const queue = this.queues.get(key) ?? new Set();
      const leave = (): void => {
        clearTimeout(timer);
        this.waiting -= 1;
        queue.delete(serve);
        if (queue.size === 0) this.queues.delete(key);
      };
      const serve: Waiter = (permit) => {
        leave();
        resolve(permit);
      };
      const timer = setTimeout(() => {
        leave();
        reject(this.refusal(key));
      }, this.options.maxWaitMs);
      this.queues.set(key, queue.add(serve));
      this.waiting += 1;
    });
  }

  /** One release is room for one: whoever else waits is at the bound of its key. */
  private serveNext(): void {
    for (const [key, queue] of this.queues) {
      const [next] = queue;
      if (!next || !this.isFree(key)) continue;
      this.queues.delete(key);
      this.queues.set(key, queue);
      next(this.take(key));
      return;
    }
  }
}
