import { LRUCache } from 'lru-cache';
import { uuidTime } from '../../entities/ids';
import { isRepeat, repeatWindowMs } from '../../entities/rules/clicks/click';
import type {
  Bucket,
  LimitState,
  RateLimiter,
  Share,
} from '../../runtime/connections/rate-limiter';
import { minuteMs } from '../../entities/rules/values/duration';

/** The one against whose limit a request counts. */
export interface Caller {
  apiKeyId: string;
  /**
   * The key of a visitor's address. Many visitors share the API key: each may use a part of it
   * only. Undefined where one caller has the API key for itself, or the address stands for many
   * visitors.
   */
  address: string | undefined;
}

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

type Counted = Bucket & { share: Share | undefined };

/**
 * Counts a request against its key's limit and finds the click that it repeats, both in one round
 * trip to Redis, shared by the requests of one moment. While Redis is away this process counts and
 * remembers alone: every click is still recorded, a repeat elsewhere may count again.
 */
export class LimitAndRepeat {
  private readonly remembered = new LRUCache<string, Promise<string | undefined>>({
    max: 20_000,
  });

  constructor(
    private readonly rates: RateLimiter,
    private readonly limitPerMinute: number,
  ) {}

  enter(caller: Caller, reservation?: Reservation): Promise<Entry> {
    return this.take(this.bucketOf(caller), reservation);
  }

  /** Reserves as `enter` does, without counting, for a click that is known only after its request was counted. */
  async reserve(reservation: Reservation): Promise<string> {
    return (await this.take(undefined, reservation)).clickId ?? reservation.clickId;
  }

  private take(counted?: Counted, reservation?: Reservation): Promise<Entry> {
    return reservation?.isReturning
      ? this.takeAgain(counted, reservation)
      : this.ask(counted, reservation);
  }

  private bucketOf({ apiKeyId, address }: Caller): Counted | undefined {
    const limit = this.limitPerMinute;
    if (limit === 0) return undefined;
    const key = `limit:tracking:key:${apiKeyId}`;
    const share = address === undefined ? undefined : shareOf(limit, `${key}:${address}`);
    return { key, limit, windowMs: minuteMs, share };
  }

  private async ask(counted?: Counted, reservation?: Reservation): Promise<Entry> {
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
  private async takeAgain(counted: Counted | undefined, reservation: Reservation): Promise<Entry> {
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

/** The share of one address: a tenth, once half of a key's minute is used, so that no machine uses up a shop's key. */
function shareOf(limit: number, key: string): Share {
  return { key, from: Math.floor(limit / 2), limit: Math.max(1, Math.floor(limit / 10)) };
}

function keyOf({ visitorId, linkId }: Reservation): string {
  return `${visitorId}:${linkId}`;
}

function earlierClick(found: string | undefined, { clickId, now }: Reservation): string {
  return found && isRepeat(uuidTime(found), now) ? found : clickId;
}
