import type { Redis } from 'ioredis';
import type { RedisLink } from './redis';
import { createLocalCounts, type Count, type LocalCounts } from './local-counts';
import { MicroBatch } from '../load/micro-batch';

/** What one subject may do in a window that begins with its first request. */
export interface Bucket {
  /** Names zone and subject, such as `general:key:…`. */
  key: string;
  limit: number;
  windowMs: number;
}

/** Where a subject stands in its window. */
export interface LimitState {
  limit: number;
  remaining: number;
  resetSeconds: number;
  exceeded: boolean;
}

/** What one of several may use of a bucket that they share. */
export interface Share {
  key: string;
  /** It counts once this much of the bucket is used. */
  from: number;
  limit: number;
}

/** Its parts are done in this order, each only while none before it is over its limit. */
interface Question {
  /** The count as it is, without adding to it. */
  watched?: Bucket | undefined;
  /** One request more. What is over its share is over the limit, and leaves the bucket to others. */
  counted?: (Bucket & { share?: Share | undefined }) | undefined;
  /** A value to keep, unless something is kept under this key already. */
  kept?: { key: string; value: string; forMs: number } | undefined;
}

export interface Answer {
  /** Undefined while nothing was counted. */
  watched: LimitState | undefined;
  /** Undefined when it was not counted, as the first one is over its limit. */
  counted: LimitState | undefined;
  /** What is kept now. Undefined when a limit forbade it, or Redis did not answer. */
  kept: string | undefined;
}

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/** KEYS: watched, counted, its share and kept of each question, '' for none. ARGV: see `argumentsOf`. */
const script = `
  local answers = {}
  for i = 0, #KEYS / 4 - 1 do
    local watched, counted = KEYS[4 * i + 1], KEYS[4 * i + 2]
    local share, kept = KEYS[4 * i + 3], KEYS[4 * i + 4]
    local seen, left, count, ttl, own, value, admitted = 0, 0, 0, 0, 0, '', true
    if watched ~= '' then
      seen = tonumber(redis.call('GET', watched) or '0')
      if seen > 0 then left = redis.call('PTTL', watched) end
      admitted = seen < tonumber(ARGV[7 * i + 1])
    end
    if admitted and counted ~= '' then
      local window = ARGV[7 * i + 3]
      count, ttl = redis.call('INCR', counted), redis.call('PTTL', counted)
      if ttl < 0 then
        redis.call('PEXPIRE', counted, window)
        ttl = tonumber(window)
      end
      admitted = count <= tonumber(ARGV[7 * i + 2])
      if admitted and share ~= '' and count > tonumber(ARGV[7 * i + 4]) then
        own = redis.call('INCR', share)
        if own == 1 then redis.call('PEXPIRE', share, ttl) end
        if own > tonumber(ARGV[7 * i + 5]) then
          count, admitted = redis.call('DECR', counted), false
        end
      end
    end
    if admitted and kept ~= '' then
      value = ARGV[7 * i + 6]
      if not redis.call('SET', kept, value, 'PX', ARGV[7 * i + 7], 'NX') then
        value = redis.call('GET', kept)
      end
    end
    answers[6 * i + 1], answers[6 * i + 2], answers[6 * i + 3] = seen, left, count
    answers[6 * i + 4], answers[6 * i + 5], answers[6 * i + 6] = ttl, own, value
  end
  return answers`;

const nothing: Answer = { watched: undefined, counted: undefined, kept: undefined };

interface Reply {
  watched: Count;
  counted: Count;
  /** How often the share was used since it counts. */
  own: number;
  kept: string | undefined;
}

/** How a request went unanswered: `late`, it may be counted in Redis all the same; `unasked`, it is not. */
type Unanswered = 'late' | 'unasked';

/**
 * The counts of all processes, in Redis: one trip for all that the requests of a moment ask. While
 * Redis is away this process goes on alone from what it knows, and keeps nothing. One per process.
 */
export function createRateLimiter(redis: RedisLink) {
  redis.client.defineCommand('rateLimit', { lua: script });
  const local = createLocalCounts();
  const batch = new MicroBatch<Question, Reply | Unanswered>({
    maxItems: 500,
    maxInFlight: 4,
    maxWaiting: 50_000,
    patienceMs: 5_000,
    commit: async (questions) => {
      const without: Unanswered = redis.available() ? 'late' : 'unasked';
      const replies = await redis.attempt((client) => askRedis(client, redis.prefix, questions));
      return replies ?? questions.map(() => without);
    },
  });

  return {
    async ask(question: Question): Promise<Answer> {
      if (!question.watched && !question.counted && !question.kept) return nothing;
      const reply = await batch.submit(question);
      const watched = watchedState(local, question.watched, reply);
      const counted = watched?.exceeded ? undefined : countedState(local, question.counted, reply);
      return { watched, counted, kept: typeof reply === 'object' ? reply.kept : undefined };
    },
    /** Counts a request in this process only. */
    countHere: (bucket: Bucket): LimitState => toState(bucket.limit, local.note(bucket, 'unasked')),
  };
}

type Ask = (keyCount: number, ...keysAndArguments: (string | number)[]) => Promise<unknown[]>;

async function askRedis(client: Redis, prefix: string, questions: Question[]): Promise<Reply[]> {
  const { rateLimit } = client as unknown as { rateLimit: Ask };
  const keyOf = (part: { key: string } | undefined): string => (part ? prefix + part.key : '');
  const replies = await rateLimit.call(
    client,
    questions.length * 4,
    ...questions.flatMap(({ watched, counted, kept }) =>
      [watched, counted, counted?.share, kept].map(keyOf),
    ),
    ...questions.flatMap(argumentsOf),
  );
  const countAt = (index: number): Count => ({
    count: Number(replies[index]),
    ttlMs: Number(replies[index + 1]),
  });
  return questions.map((_, index) => ({
    watched: countAt(6 * index),
    counted: countAt(6 * index + 2),
    own: Number(replies[6 * index + 4]),
    kept: String(replies[6 * index + 5]) || undefined,
  }));
}

const noBucket = { limit: 0, windowMs: 0, share: undefined };
const noShare = { from: 0, limit: 0 };
const noValue = { value: '', forMs: 0 };

function argumentsOf(question: Question): (string | number)[] {
  const { limit, windowMs, share } = question.counted ?? noBucket;
  const { from, limit: shareLimit } = share ?? noShare;
  const { value, forMs } = question.kept ?? noValue;
  return [question.watched?.limit ?? 0, limit, windowMs, from, shareLimit, value, forMs];
}

function watchedState(
  local: LocalCounts,
  bucket: Bucket | undefined,
  reply: Reply | Unanswered,
): LimitState | undefined {
  const seen = typeof reply === 'object' ? reply.watched : bucket && local.peek(bucket.key);
  return bucket && seen?.count ? toState(bucket.limit, seen, 0) : undefined;
}

function countedState(
  local: LocalCounts,
  bucket: Question['counted'],
  reply: Reply | Unanswered,
): LimitState | undefined {
  if (!bucket) return undefined;
  const isOver = isOverShare(local, bucket, reply);
  const seen = isOver && typeof reply !== 'object' ? local.peek(bucket.key) : undefined;
  const count = seen ?? local.note(bucket, typeof reply === 'object' ? reply.counted : reply);
  const state = toState(bucket.limit, count);
  return isOver ? { ...state, remaining: 0, exceeded: true } : state;
}

function isOverShare(
  local: LocalCounts,
  { key, windowMs, share }: NonNullable<Question['counted']>,
  reply: Reply | Unanswered,
): boolean {
  if (!share) return false;
  if (typeof reply === 'object') return reply.own > share.limit;
  const used = local.peek(key)?.count ?? 0;
  return (
    used >= share.from && local.note({ key: share.key, windowMs }, 'unasked').count > share.limit
  );
}

/** `ownRequest` is 1 when this request is counted, 0 when it would come on top. */
function toState(limit: number, { count, ttlMs }: Count, ownRequest = 1): LimitState {
  return {
    limit,
    remaining: Math.max(0, limit - count),
    resetSeconds: Math.max(1, Math.ceil(ttlMs / 1_000)),
    exceeded: count - ownRequest >= limit,
  };
}
