import type { Redis } from 'ioredis';
import { feedChannel } from '../../../activities/notifications/wake';
import type { RedisLink } from '../../../activities/runtime/connections/redis';
import type { LiveStream } from './stream';

/** How long a stream waits for its subscription before it begins without. */
const subscribeMs = 500;

export interface Feeds {
  /** Streams that are open or about to be, by feed. */
  readonly byId: ReadonlyMap<string, ReadonlySet<LiveStream>>;
  /** Adds a stream; resolves once its feed is listened to, or Redis is found to be away. */
  add(stream: LiveStream): Promise<void>;
  remove(stream: LiveStream): void;
  /** Whether wake-ups arrive; otherwise the table is to be asked. Ask once a tick. */
  isListening(): boolean;
}

export interface FeedListener {
  onMessage(streams: ReadonlySet<LiveStream>, message: string): void;
  /** After each connection: some messages may have been missed. */
  onConnected(): void;
}

/** The feeds that this process has streams of, and one connection that listens to all of them. */
export function createFeeds(
  redis: Pick<RedisLink, 'subscriber' | 'prefix'>,
  listener: FeedListener,
): Feeds {
  const byId = new Map<string, Set<LiveStream>>();
  const subscriptions = new Map<string, Promise<unknown>>();
  let connection: Redis | undefined;
  const isAnswering = answerWatch();

  /** One that fails is forgotten, for the next look to try again. */
  function subscribe(subscriber: Redis, feedId: string): Promise<unknown> {
    const subscribed = subscriber.subscribe(feedChannel(redis.prefix, feedId)).catch(() => {
      if (subscriptions.get(feedId) === subscribed) subscriptions.delete(feedId);
    });
    subscriptions.set(feedId, subscribed);
    return subscribed;
  }

  function areSubscribed(subscriber: Redis): boolean {
    const missing = [...byId.keys()].filter((feedId) => !subscriptions.has(feedId));
    for (const feedId of missing) void subscribe(subscriber, feedId);
    return missing.length === 0;
  }

  function connect(): Redis {
    const subscriber = redis.subscriber();
    subscriber.on('ready', () => listener.onConnected());
    subscriber.on('message', (channel: string, message: string) => {
      const streams = byId.get(channel.slice(feedChannel(redis.prefix, '').length));
      if (streams) listener.onMessage(streams, message);
    });
    return subscriber;
  }

  return {
    byId,
    async add(stream) {
      connection ??= connect();
      const { feedId } = stream.viewer;
      const known = byId.get(feedId);
      if (known) known.add(stream);
      else byId.set(feedId, new Set([stream]));
      await within(subscriptions.get(feedId) ?? subscribe(connection, feedId), subscribeMs);
    },
    remove(stream) {
      const { feedId } = stream.viewer;
      const streams = byId.get(feedId);
      streams?.delete(stream);
      if (!streams || streams.size > 0) return;
      byId.delete(feedId);
      subscriptions.delete(feedId);
      connection?.unsubscribe(feedChannel(redis.prefix, feedId)).catch(() => undefined);
    },
    isListening: () =>
      connection?.status === 'ready' && areSubscribed(connection) && isAnswering(connection),
  };
}

/** A server that hangs keeps its connections: one that owes an answer counts as away. */
function answerWatch(): (subscriber: Redis) => boolean {
  let isAsked = false;
  return (subscriber) => {
    if (isAsked) return false;
    isAsked = true;
    subscriber
      .ping()
      .catch(() => undefined)
      .finally(() => (isAsked = false));
    return true;
  };
}

async function within(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
