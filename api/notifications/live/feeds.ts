import type { Redis } from 'ioredis';
import { feedChannel } from '../../../activities/notifications/wake';
import type { RedisLink } from '../../../runtime/connections/redis';
import type { LiveStream } from './stream';

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
  /** Called after each connection: some messages may have been missed. */
  onConnected(): void;
}

/** The feeds that this process has streams of, and one connection that listens to all of them. */
export function createFeeds(
  redis: Pick<RedisLink, 'subscriber' | 'prefix'>,
  listener: FeedListener,
): Feeds {
  const byId = new Map<string, Set<LiveStream>>();
  const channels = createChannels((feedId) => feedChannel(redis.prefix, feedId));
  let connection: Redis | undefined;
  const isAnswering = answerWatch();

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
      // A subscription that takes longer comes after the stream has begun.
      await within(channels.subscribed(connection, feedId), 500);
    },
    remove(stream) {
      const { feedId } = stream.viewer;
      const streams = byId.get(feedId);
      streams?.delete(stream);
      if (!streams || streams.size > 0) return;
      byId.delete(feedId);
      channels.leave(connection, feedId);
    },
    isListening: () =>
      connection?.status === 'ready' &&
      channels.areSubscribed(connection, byId.keys()) &&
      isAnswering(connection),
  };
}

interface Channels {
  /** Resolves once the feed's channel is subscribed to, or was refused. */
  subscribed(subscriber: Redis, feedId: string): Promise<unknown>;
  /** False when one of them is not asked for yet: it is asked for then. */
  areSubscribed(subscriber: Redis, feedIds: Iterable<string>): boolean;
  leave(subscriber: Redis | undefined, feedId: string): void;
}

/** The channels that a connection has asked for. One that fails is forgotten, and asked for again. */
function createChannels(channelOf: (feedId: string) => string): Channels {
  const asked = new Map<string, Promise<unknown>>();

  function subscribe(subscriber: Redis, feedId: string): Promise<unknown> {
    const subscribed = subscriber.subscribe(channelOf(feedId)).catch(() => {
      if (asked.get(feedId) === subscribed) asked.delete(feedId);
    });
    asked.set(feedId, subscribed);
    return subscribed;
  }

  return {
    subscribed: (subscriber, feedId) => asked.get(feedId) ?? subscribe(subscriber, feedId),
    areSubscribed(subscriber, feedIds) {
      const missing = [...feedIds].filter((feedId) => !asked.has(feedId));
      for (const feedId of missing) void subscribe(subscriber, feedId);
      return missing.length === 0;
    },
    leave(subscriber, feedId) {
      asked.delete(feedId);
      subscriber?.unsubscribe(channelOf(feedId)).catch(() => undefined);
    },
  };
}

/** A server that hangs keeps its connections: a ping without an answer means that it is away. */
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
