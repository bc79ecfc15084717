import { AppError } from '../../entities/errors';
import { createApart, type Apart } from './apart';

/** A bounded number of places at something scarce, shared fairly by those who ask for them. */
export interface FairPlaces {
  /** Waits for a place; the result gives it back, once however often it is called. */
  enter(owner: string): Promise<() => void>;
  /** Does work in a place. */
  run<T>(owner: string, work: (outside: Outside) => Promise<T>): Promise<T>;
  /** Refuses as a request for a place would be by now, before anything is done for it. */
  assertRoom(owner: string): void;
}

/** Does a part of the work without the place, for which it waits again afterwards. */
export type Outside = <T>(part: () => Promise<T>) => Promise<T>;

export interface FairPlacesOptions {
  places: number;
  /** Places that one owner may hold at once. */
  perOwner: number;
  /** The last places, which only an owner that holds none may take; none when left out. */
  forNewcomers?: number;
  /** Owners that are held up hold only some of the places together. */
  heldUp?: HeldUp;
  /** More than this of one owner, or of all, are refused at once. */
  waitingPerOwner: number;
  waitingInAll: number;
  /** Longest wait for a place. */
  patienceMs: number;
  retryAfterSeconds?: number;
}

export interface HeldUp {
  /** An error of an owner's work after which it is one of them. */
  isShownBy(error: unknown): boolean;
  forMs: number;
  /** Places that they leave to all others. */
  forOthers: number;
}

/**
 * Owners are served in rotation: however much one of them asks for, another waits for a place to come free and
 * not for a queue. Whoever waits too long, or behind too many of their own, gets
 * SERVICE_UNAVAILABLE. A full queue makes room for an owner with less in it than another one has.
 */
export function createFairPlaces(options: FairPlacesOptions): FairPlaces {
  return new Places(options);
}

interface Waiter {
  enter(): void;
  refuse(): void;
}

class Places implements FairPlaces {
  private readonly held = new Map<string, number>();
  /** Who was served last stands last. */
  private readonly queues = new Map<string, Waiter[]>();
  private heldInAll = 0;
  private waiting = 0;
  private readonly apart: Apart;

  constructor(private readonly options: FairPlacesOptions) {
    this.apart = createApart(options.heldUp?.forMs ?? 0);
  }

  enter(owner: string): Promise<() => void> {
    if (!this.queues.has(owner) && this.hasPlace(owner)) return Promise.resolve(this.take(owner));
    if (!this.hasRoom(owner)) return Promise.reject(unavailable(this.options));
    if (this.isFull()) this.greediest()?.at(-1)?.refuse();
    return this.wait(owner);
  }

  async run<T>(owner: string, work: (outside: Outside) => Promise<T>): Promise<T> {
    let leave = await this.enter(owner);
    try {
      return await work(async (part) => {
        leave();
        const result = await part();
        leave = await this.enter(owner);
        return result;
      });
    } catch (error) {
      if (this.options.heldUp?.isShownBy(error)) this.apart.add(owner);
      throw error;
    } finally {
      leave();
    }
  }

  assertRoom(owner: string): void {
    if (!this.hasPlace(owner) && !this.hasRoom(owner)) throw unavailable(this.options);
  }

  private isFull(): boolean {
    return this.waiting >= this.options.waitingInAll;
  }

  private hasRoom(owner: string): boolean {
    const own = this.queues.get(owner)?.length ?? 0;
    if (own >= this.options.waitingPerOwner) return false;
    return !this.isFull() || (this.greediest()?.length ?? 0) > own + 1;
  }

  /** The longest of the queues. */
  private greediest(): Waiter[] | undefined {
    let longest: Waiter[] | undefined;
    for (const queue of this.queues.values()) {
      if (queue.length > (longest?.length ?? 0)) longest = queue;
    }
    return longest;
  }

  private hasPlace(owner: string): boolean {
    const { places, perOwner, forNewcomers = 0 } = this.options;
    const held = this.held.get(owner) ?? 0;
    if (held >= perOwner || this.heldInAll + (held > 0 ? forNewcomers : 0) >= places) return false;
    return !this.apart.has(owner) || this.heldApart() < this.placesApart();
  }

  private placesApart(): number {
    const { places, heldUp } = this.options;
    return Math.max(1, places - (heldUp?.forOthers ?? 0));
  }

  private heldApart(): number {
    let held = 0;
    for (const [owner, count] of this.held) if (this.apart.has(owner)) held += count;
    return held;
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
      this.serve();
    };
  }

  /** A place given back may be one for another owner, and make its own owner a newcomer. */
  private serve(): void {
    while (this.serveNext());
  }

  private serveNext(): boolean {
    for (const [owner, queue] of this.queues) {
      if (!this.hasPlace(owner)) continue;
      const next = queue.shift();
      this.queues.delete(owner);
      if (queue.length > 0) this.queues.set(owner, queue);
      next?.enter();
      return true;
    }
    return false;
  }

  private wait(owner: string): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        enter: () => {
          clearTimeout(timer);
          this.waiting -= 1;
          resolve(this.take(owner));
        },
        refuse: () => {
          clearTimeout(timer);
          this.waiting -= 1;
          this.forget(owner, waiter);
          reject(unavailable(this.options));
        },
      };
      const timer = setTimeout(() => waiter.refuse(), this.options.patienceMs);
      this.waiting += 1;
      const queue = this.queues.get(owner);
      if (queue) queue.push(waiter);
      else this.queues.set(owner, [waiter]);
    });
  }

  private forget(owner: string, waiter: Waiter): void {
    const queue = (this.queues.get(owner) ?? []).filter((one) => one !== waiter);
    if (queue.length > 0) this.queues.set(owner, queue);
    else this.queues.delete(owner);
  }
}

function unavailable({ retryAfterSeconds = 2 }: FairPlacesOptions): AppError {
  const headers = { 'Retry-After': String(retryAfterSeconds) };
  return new AppError('SERVICE_UNAVAILABLE', { headers });
}
