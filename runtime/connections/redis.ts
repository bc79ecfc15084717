import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { minuteMs } from '../../entities/rules/values/duration';
import type { Logger } from '../observe/logger';
import { Registry } from '../observe/metrics';
import { watchRedis } from './redis-metrics';

/**
 * Redis is speed only. The request connection fails at once instead of queueing; whoever uses it
 * has an answer for that.
 */
export type RedisLink = Awaited<ReturnType<typeof openRedis>>;

const pauseAfterFailureMs = 1_000;

export interface RedisOptions {
  url: string;
  /** The prefix of all keys. */
  prefix: string;
  /** A command that takes longer counts as an outage. */
  commandTimeoutMs: number;
}

/** Connects, and waits a moment for it: a process that starts beside Redis uses it from the start. */
export async function openRedis(options: RedisOptions, log: Logger, metrics = new Registry()) {
  const { url, prefix, commandTimeoutMs } = options;
  const client = openClient(url, commandTimeoutMs);
  const subscribers: Redis[] = [];
  let pausedUntil = 0;
  logAbsence(client, log);
  const refused = createRefusalLog(log);

  await Promise.race([once(client, 'ready').catch(() => undefined), pause(500)]);

  const available = (): boolean => client.status === 'ready' && Date.now() >= pausedUntil;
  const without = watchRedis(metrics, available);

  return {
    /** The client of the request path: no offline queue, a short time for each command. */
    client,
    prefix,
    /** False while Redis is away or too slow; callers then skip it without waiting. */
    available,
    /** Runs a command, or gives undefined when Redis is away, slow or refuses. */
    async attempt<T>(command: (client: Redis) => Promise<T>): Promise<T | undefined> {
      if (!available()) return void without.unasked();
      try {
        return await command(client);
      } catch (error) {
        refused(error);
        without.failed(error);
        pausedUntil = Date.now() + pauseAfterFailureMs;
        return undefined;
      }
    },
    /** A further connection, for subscriptions: reconnects and resubscribes by itself. */
    subscriber(): Redis {
      const subscriber = openSubscriber(url);
      subscribers.push(subscriber);
      return subscriber;
    },
    async close(): Promise<void> {
      for (const connection of [client, ...subscribers]) connection.disconnect();
      await Promise.resolve();
    },
  };
}

function openClient(url: string, commandTimeout: number): Redis {
  return new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout,
    connectTimeout: 1_000,
    retryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
  });
}

/** One line when Redis goes and one when it is back. */
function logAbsence(client: Redis, log: Logger): void {
  let wasAway = false;
  const note = (away: boolean, error?: unknown): void => {
    if (away !== wasAway) {
      log.warn({ away, err: error }, away ? 'redis is away' : 'redis is back');
    }
    wasAway = away;
  };
  client.on('error', (error) => note(true, error));
  client.on('ready', () => note(false));
}

function openSubscriber(url: string): Redis {
  const subscriber = new Redis(url, {
    maxRetriesPerRequest: null,
    // What subscribes while it asks whether Redis is ready makes the question fail, and a failed one
    // drops all that waits for an answer.
    enableReadyCheck: false,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  });
  subscriber.on('error', () => undefined);
  return subscriber;
}

/**
 * A server that answers every command with an error looks like one that is away. One primary with a
 * managed fail-over is what works: the keys of one script lie in different slots of a cluster.
 */
function createRefusalLog(log: Logger): (error: unknown) => void {
  let quietUntil = 0;
  return (error) => {
    if (Date.now() < quietUntil) return;
    quietUntil = Date.now() + minuteMs;
    log.warn({ err: error }, 'redis did not carry out a command; work goes on without it');
  };
}
