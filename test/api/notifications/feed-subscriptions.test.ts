import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Redis } from 'ioredis';
import { feedChannel } from '../../../activities/notifications/wake';
import { createFeeds } from '../../../api/notifications/live/feeds';
import { newStream, type LiveStream } from '../../../api/notifications/live/stream';
import { newId } from '../../../entities/ids';
import { useDeps } from '../../support/app';

const deps = useDeps();

const listener = { onMessage: () => undefined, onConnected: () => undefined };

function streamOfSomeone(): LiveStream {
  const accountId = newId();
  const viewer = {
    side: 'partner',
    feedId: accountId,
    accountId,
    mode: 'live',
    isAdmin: false,
    sessionId: newId(),
    tokenExpiresAt: new Date(Date.now() + 900_000),
  } as const;
  return newStream(viewer, new ServerResponse(new IncomingMessage(new Socket())));
}

/** Feeds on a connection that can be watched. */
function watchedFeeds() {
  const { redis } = deps;
  const connections: Redis[] = [];
  const feeds = createFeeds(
    {
      prefix: redis.prefix,
      subscriber: () => {
        const connection = redis.subscriber();
        connections.push(connection);
        return connection;
      },
    },
    listener,
  );
  return { feeds, connection: () => connections[0] as Redis };
}

async function listeners({ viewer }: LiveStream): Promise<number> {
  const { client, prefix } = deps.redis;
  const [, count] = await client.pubsub('NUMSUB', feedChannel(prefix, viewer.feedId));
  return Number(count);
}

it('a feed is listened to from whatever moment of its connection on', async () => {
  const { feeds, connection } = watchedFeeds();
  const [first, second, third] = [streamOfSomeone(), streamOfSomeone(), streamOfSomeone()];
  const adding = [feeds.add(first)];
  await once(connection(), 'connect');
  adding.push(feeds.add(second));
  await once(connection(), 'ready');
  adding.push(feeds.add(third));
  await Promise.all(adding);
  expect(await Promise.all([first, second, third].map(listeners))).toEqual([1, 1, 1]);
});

it('a subscription that failed is tried again at the next look, which asks the table meanwhile', async () => {
  const { feeds, connection } = watchedFeeds();
  await feeds.add(streamOfSomeone());
  const refusal = jest.spyOn(connection(), 'subscribe').mockRejectedValueOnce(new Error('no'));
  const stream = streamOfSomeone();
  await feeds.add(stream);
  refusal.mockRestore();
  expect(await listeners(stream)).toBe(0);
  expect(feeds.isListening()).toBe(false);
  await connection().ping();
  expect(await listeners(stream)).toBe(1);
  expect(feeds.isListening()).toBe(true);
});
