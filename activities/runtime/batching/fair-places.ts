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

/**
 * Owners are served in rotation: however much one of them asks for, another waits for a place to come free and
 * not for a queue. Whoever waits too long, or behind too many of their own, gets
 * SERVICE_UNAVAILABLE.
 */
export function createFairPlaces(options: FairPlacesOptions): FairPlaces {
  return new Places(options);
}

class Places implements FairPlaces {
  private readonly held = new Map<string, number>();
  /** Who was served last stands last. */
  private readonly queues = new Map<string, (() => void)[]>();
  private heldInAll = 0;
  private waiting = 0;

  constructor(private readonly options: FairPlacesOptions) {}

  enter(owner: string): Promise<() => void> {
    const { waitingInAll, waitingPerOwner } = this.options;
    const queue = this.queues.get(owner);
    if (!queue && this.hasPlace(owner)) return Promise.resolve(this.take(owner));
    const isFull = this.waiting >= waitingInAll || (queue?.length ?? 0) >= waitingPerOwner;
    return isFull ? Promise.reject(unavailable(this.options)) : this.wait(owner);
  }

  async run<T>(owner: string, work: () => Promise<T>): Promise<T> {
    const leave = await this.enter(owner);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  private hasPlace(owner: string): boolean {
    const { places, perOwner } = this.options;
    return this.heldInAll < places && (this.held.get(owner) ?? 0) < perOwner;
  }

  private take(owner: string): () => void {
    this.heldInAll += 1;
    this.held.set(owner, (this.held.get(owner) ?? 0) + 1);
    let isLeft = false;
    return () => {
      if (isLeft) return;
      isLeft = true;
      this.heldInAll -= 1;
      const left = (this.held.get(owner) ?? 1) - 1;
      if (left > 0) this.held.set(owner, left);
      else this.held.delete(owner);
      this.serveNext();
    };
  }

  private serveNext(): void {
    for (const [owner, queue] of this.queues) {
      if (!this.hasPlace(owner)) continue;
      const next = queue.shift();
      this.queues.delete(owner);
      if (queue.length > 0) this.queues.set(owner, queue);
      next?.();
      return;
    }
  }

  private wait(owner: string): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.forget(owner, enter);
        this.waiting -= 1;
        reject(unavailable(this.options));
      }, this.options.patienceMs);
      const enter = (): void => {
        clearTimeout(timer);
        this.waiting -= 1;
        resolve(this.take(owner));
      };
      this.waiting += 1;
      const queue = this.queues.get(owner);
      if (queue) queue.push(enter);
      else this.queues.set(owner, [enter]);
    });
  }

  private forget(owner: string, waiter: () => void): void {
    const queue = (this.queues.get(owner) ?? []).filter((one) => one !== waiter);
    if (queue.length > 0) this.queues.set(owner, queue);
    else this.queues.delete(owner);
  }
}

function unavailable({ retryAfterSeconds = 2 }: FairPlacesOptions): AppError {
  const headers = { 'Retry-After': String(retryAfterSeconds) };
  return new AppError('SERVICE_UNAVAILABLE', { headers });
}
