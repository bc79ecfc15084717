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
  let isAsked = false;

  /** A server that hangs keeps its connections: one that owes an answer counts as away. */
  function isAnswering(subscriber: Redis): boolean {
    if (isAsked) return false;
    isAsked = true;
    subscriber
      .ping()
      .catch(() => undefined)
      .finally(() => (isAsked = false));
    return true;
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
      const subscribed =
        subscriptions.get(feedId) ??
        connection.subscribe(feedChannel(redis.prefix, feedId)).catch(() => undefined);
      subscriptions.set(feedId, subscribed);
      await within(subscribed, subscribeMs);
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
    isListening: () => connection?.status === 'ready' && isAnswering(connection),
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
