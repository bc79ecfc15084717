import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { uuidTime } from '../../entities/ids';
import { isRepeat, repeatWindowMs } from '../../entities/rules/clicks/click';
import { createFallbackCounts, type Count } from './fallback-counts';
import { createMicroBatch, type MicroBatch } from '../../runtime/load/micro-batch';
import type { RedisLink } from '../../runtime/connections/redis';

/** Where a public key stands in its minute. */
export interface Allowance {
  limit: number;
  remaining: number;
  resetSeconds: number;
  exceeded: boolean;
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
  allowance: Allowance | undefined;
  /** The id under which the click is to be stored: the reserved one, or that of an earlier click. */
  clickId: string | undefined;
}

/**
 * Counts a request against its key's limit and finds the click that it repeats, both in one round
 * trip to Redis, shared by the requests of one moment. While Redis is away this process counts and
 * remembers alone: every click is still recorded, a repeat elsewhere may count again.
 */
export interface LimitAndRepeat {
  enter(subject: string, reservation?: Reservation): Promise<Entry>;
  /** The same without counting, for a click that is known only after its request was counted. */
  reserve(reservation: Reservation): Promise<string>;
}

const limitWindowMs = 60_000;
const mostRemembered = 20_000;

interface Question {
  limitKey: string;
  reserveKey: string;
  clickId: string;
}

interface Answer extends Count {
  clickId: string;
}

/** KEYS: limit key and reservation key of each request, '' for none. ARGV: see `askRedis`. */
const script = `
  local limit, window, kept = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
  local answers = {}
  for i = 1, #KEYS / 2 do
    local limit_key, reserve_key, id = KEYS[2 * i - 1], KEYS[2 * i], ARGV[3 + i]
    local count, ttl = 0, 0
    if limit_key ~= '' then
      count = redis.call('INCR', limit_key)
      ttl = redis.call('PTTL', limit_key)
      if ttl < 0 then
        redis.call('PEXPIRE', limit_key, window)
        ttl = window
      end
    end
    if reserve_key ~= '' and count <= limit then
      if not redis.call('SET', reserve_key, id, 'PX', kept, 'NX') then
        id = redis.call('GET', reserve_key)
      end
    end
    answers[3 * i - 2], answers[3 * i - 1], answers[3 * i] = count, ttl, id
  end
  return answers`;

type Ask = (keyCount: number, ...keysAndArguments: (string | number)[]) => Promise<unknown[]>;

export function createLimitAndRepeat(redis: RedisLink, limitPerMinute: number): LimitAndRepeat {
  return new LimitsAndRepeats(redis, limitPerMinute);
}

class LimitsAndRepeats implements LimitAndRepeat {
  private readonly fallback = createFallbackCounts(limitWindowMs);
  private readonly remembered = new LRUCache<string, Promise<string | undefined>>({
    max: mostRemembered,
  });
  private readonly batch: MicroBatch<Question, Answer | undefined>;
  private readonly limitPrefix: string;
  private readonly clickPrefix: string;

  constructor(
    redis: RedisLink,
    private readonly limitPerMinute: number,
  ) {
    redis.client.defineCommand('enterClicks', { lua: script });
    this.limitPrefix = `${redis.prefix}limit:tracking:`;
    this.clickPrefix = `${redis.prefix}click:`;
    this.batch = createMicroBatch({
      maxItems: 500,
      maxInFlight: 4,
      maxWaiting: 50_000,
      patienceMs: 5_000,
      commit: async (questions: Question[]) => {
        const answers = await redis.attempt((client) =>
          askRedis(client, questions, limitPerMinute),
        );
        return answers ?? questions.map(() => undefined);
      },
    });
  }

  enter(subject: string, reservation?: Reservation): Promise<Entry> {
    return reservation?.isReturning
      ? this.enterAgain(subject, reservation)
      : this.ask(subject, reservation);
  }

  async reserve(reservation: Reservation): Promise<string> {
    return (await this.enter('', reservation)).clickId ?? reservation.clickId;
  }

  private async ask(subject: string, reservation?: Reservation): Promise<Entry> {
    const limitKey = this.limitPerMinute > 0 && subject !== '' ? this.limitPrefix + subject : '';
    const answer = await this.batch.submit({ limitKey, ...this.reservationOf(reservation) });
    const allowance =
      limitKey === ''
        ? undefined
        : toAllowance(this.limitPerMinute, this.fallback.note(subject, answer));
    if (!reservation || allowance?.exceeded) return { allowance, clickId: undefined };

    const clickId = earlierClick(answer?.clickId, reservation);
    if (!answer) this.remembered.set(keyOf(reservation), Promise.resolve(clickId));
    return { allowance, clickId };
  }

  private reservationOf(reservation?: Reservation): Omit<Question, 'limitKey'> {
    if (!reservation) return { reserveKey: '', clickId: '' };
    const { clickId } = reservation;
    return { reserveKey: this.clickPrefix + keyOf(reservation), clickId };
  }

  /** Equal clicks that arrive together get one id, even when Redis answers too late to be of use. */
  private async enterAgain(subject: string, reservation: Reservation): Promise<Entry> {
    const key = keyOf(reservation);
    const earlier = this.remembered.get(key);
    if (!earlier) {
      const entry = this.ask(subject, reservation);
      this.remembered.set(
        key,
        entry.then(({ clickId }) => clickId).catch(() => undefined),
      );
      return entry;
    }
    const { allowance } = await this.ask(subject);
    const clickId = await earlier;
    if (allowance?.exceeded) return { allowance, clickId: undefined };
    if (clickId && isRepeat(uuidTime(clickId), reservation.now)) return { allowance, clickId };
    return { allowance, clickId: (await this.ask('', reservation)).clickId };
  }
}

async function askRedis(client: Redis, questions: Question[], limit: number): Promise<Answer[]> {
  const { enterClicks } = client as unknown as { enterClicks: Ask };
  const replies = await enterClicks.call(
    client,
    questions.length * 2,
    ...questions.flatMap(({ limitKey, reserveKey }) => [limitKey, reserveKey]),
    limit > 0 ? limit : Number.MAX_SAFE_INTEGER,
    limitWindowMs,
    repeatWindowMs,
    ...questions.map(({ clickId }) => clickId),
  );
  return questions.map((_, index) => ({
    count: Number(replies[3 * index]),
    ttlMs: Number(replies[3 * index + 1]),
    clickId: String(replies[3 * index + 2] ?? ''),
  }));
}

function keyOf({ visitorId, linkId }: Reservation): string {
  return `${visitorId}:${linkId}`;
}

function earlierClick(found: string | undefined, { clickId, now }: Reservation): string {
  return found && isRepeat(uuidTime(found), now) ? found : clickId;
}

function toAllowance(limit: number, { count, ttlMs }: Count): Allowance {
  return {
    limit,
    remaining: Math.max(0, limit - count),
    resetSeconds: Math.max(1, Math.ceil(ttlMs / 1_000)),
    exceeded: count > limit,
  };
}
