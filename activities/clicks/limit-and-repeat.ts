import { LRUCache } from 'lru-cache';
import { uuidTime } from '../../entities/ids';
import { isRepeat, repeatWindowMs } from '../../entities/rules/clicks/click';
import type { Bucket, LimitState, RateLimiter } from '../../runtime/load/rate-limiter';

/** A visitor's click on a link, under the id that it gets unless there is an earlier one. */
export interface Reservation {
  visitorId: string;
  linkId: string;
  clickId: string;
  /** The visitor brought a token of ours: equal clicks may be on their way. */
  isReturning: boolean;
  now: Date;
}

export interface Entry {
  /** Undefined when the limit is off. */
  allowance: LimitState | undefined;
  /** The id under which the click is to be stored: the reserved one, or that of an earlier click. */
  clickId: string | undefined;
}

/**
 * Counts a request against its key's limit and finds the click that it repeats, both in one round
 * trip to Redis, shared by the requests of one moment. While Redis is away this process counts and
 * remembers alone: every click is still recorded, a repeat elsewhere may count again.
 */
export interface LimitAndRepeat {
  enter(apiKeyId: string, reservation?: Reservation): Promise<Entry>;
  /** The same without counting, for a click that is known only after its request was counted. */
  reserve(reservation: Reservation): Promise<string>;
}

const limitWindowMs = 60_000;
const maxRemembered = 20_000;

export function createLimitAndRepeat(rates: RateLimiter, limitPerMinute: number): LimitAndRepeat {
  return new LimitsAndRepeats(rates, limitPerMinute);
}

class LimitsAndRepeats implements LimitAndRepeat {
  private readonly remembered = new LRUCache<string, Promise<string | undefined>>({
    max: maxRemembered,
  });

  constructor(
    private readonly rates: RateLimiter,
    private readonly limitPerMinute: number,
  ) {}

  enter(apiKeyId: string, reservation?: Reservation): Promise<Entry> {
    return this.take(this.bucketOf(apiKeyId), reservation);
  }

  async reserve(reservation: Reservation): Promise<string> {
    return (await this.take(undefined, reservation)).clickId ?? reservation.clickId;
  }

  private take(counted?: Bucket, reservation?: Reservation): Promise<Entry> {
    return reservation?.isReturning
      ? this.takeAgain(counted, reservation)
      : this.ask(counted, reservation);
  }

  private bucketOf(apiKeyId: string): Bucket | undefined {
    const limit = this.limitPerMinute;
    if (limit === 0) return undefined;
    return { key: `limit:tracking:key:${apiKeyId}`, limit, windowMs: limitWindowMs };
  }

  private async ask(counted?: Bucket, reservation?: Reservation): Promise<Entry> {
    const answer = await this.rates.ask({
      counted,
      kept: reservation && {
        key: `click:${keyOf(reservation)}`,
        value: reservation.clickId,
        forMs: repeatWindowMs,
      },
    });
    const allowance = answer.counted;
    if (!reservation || allowance?.exceeded) return { allowance, clickId: undefined };

    const clickId = earlierClick(answer.kept, reservation);
    if (answer.kept === undefined) {
      this.remembered.set(keyOf(reservation), Promise.resolve(clickId));
    }
    return { allowance, clickId };
  }

  /** Equal clicks that arrive together get one id, even when Redis answers too late to be of use. */
  private async takeAgain(counted: Bucket | undefined, reservation: Reservation): Promise<Entry> {
    const key = keyOf(reservation);
    const earlier = this.remembered.get(key);
    if (!earlier) {
      const entry = this.ask(counted, reservation);
      this.remembered.set(
        key,
        entry.then(({ clickId }) => clickId).catch(() => undefined),
      );
      return entry;
    }
    const { allowance } = await this.ask(counted);
    const clickId = await earlier;
    if (allowance?.exceeded) return { allowance, clickId: undefined };
    if (clickId && isRepeat(uuidTime(clickId), reservation.now)) return { allowance, clickId };
    return { allowance, clickId: (await this.ask(undefined, reservation)).clickId };
  }
}

function keyOf({ visitorId, linkId }: Reservation): string {
  return `${visitorId}:${linkId}`;
}

function earlierClick(found: string | undefined, { clickId, now }: Reservation): string {
  return found && isRepeat(uuidTime(found), now) ? found : clickId;
}
