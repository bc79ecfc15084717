import type { Redis } from 'ioredis';
import { createMicroBatch } from '../../../runtime/load/micro-batch';
import type { Count } from '../../../runtime/load/local-counts';
import type { RedisLink } from '../../../runtime/connections/redis';

/** A subject to look at, one to count unless the first is over its limit, or both. */
export interface Question {
  watched?: { key: string; limit: number };
  counted?: { key: string; windowMs: number };
}

export interface Answer {
  /** Count 0 when nothing was counted yet. */
  watched: Count;
  /** Count 0 when it was not counted. */
  counted: Count;
}

/** KEYS: watched and counted key of each question, '' for none. ARGV: limit and window of each. */
const script = `
  local answers = {}
  for i = 1, #KEYS / 2 do
    local watched, counted = KEYS[2 * i - 1], KEYS[2 * i]
    local seen, left, count, ttl = 0, 0, 0, 0
    if watched ~= '' then
      seen = tonumber(redis.call('GET', watched) or '0')
      if seen > 0 then left = redis.call('PTTL', watched) end
    end
    if counted ~= '' and (watched == '' or seen < tonumber(ARGV[2 * i - 1])) then
      count = redis.call('INCR', counted)
      ttl = redis.call('PTTL', counted)
      if ttl < 0 then
        redis.call('PEXPIRE', counted, ARGV[2 * i])
        ttl = tonumber(ARGV[2 * i])
      end
    end
    answers[4 * i - 3], answers[4 * i - 2] = seen, left
    answers[4 * i - 1], answers[4 * i] = count, ttl
  end
  return answers`;

type Ask = (keyCount: number, ...keysAndArguments: (string | number)[]) => Promise<number[]>;

/** What became of a question without an answer: it may have been counted, or it was not. */
export type Unanswered = 'late' | 'unasked';

/** The counts of all processes, in one trip for the requests of a moment. */
export function createSharedCounts(
  redis: RedisLink,
): (question: Question) => Promise<Answer | Unanswered> {
  redis.client.defineCommand('countRequests', { lua: script });
  const batch = createMicroBatch<Question, Answer | Unanswered>({
    maxItems: 500,
    maxInFlight: 4,
    maxWaiting: 50_000,
    patienceMs: 5_000,
    commit: async (questions) => {
      const without: Unanswered = redis.available() ? 'late' : 'unasked';
      const answers = await redis.attempt((client) => askRedis(client, questions));
      return answers ?? questions.map(() => without);
    },
  });
  return (question) => batch.submit(question);
}

async function askRedis(client: Redis, questions: Question[]): Promise<Answer[]> {
  const { countRequests } = client as unknown as { countRequests: Ask };
  const replies = await countRequests.call(
    client,
    questions.length * 2,
    ...questions.flatMap(({ watched, counted }) => [watched?.key ?? '', counted?.key ?? '']),
    ...questions.flatMap(({ watched, counted }) => [watched?.limit ?? 0, counted?.windowMs ?? 0]),
  );
  const countAt = (index: number): Count => ({
    count: replies[index] ?? 0,
    ttlMs: replies[index + 1] ?? 0,
  });
  return questions.map((_, index) => ({
    watched: countAt(4 * index),
    counted: countAt(4 * index + 2),
  }));
}
