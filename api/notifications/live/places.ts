import { feedChannel } from '../../../activities/notifications/wake';
import type { RedisLink } from '../../../runtime/connections/redis';
import type { LiveStream } from './stream';

/** How many streams an account may have open, over all processes. */
export const maxStreams = 10;

/** No stream outlives its access token; what is older was left behind by a process that died. */
const longestStreamMs = 16 * 60_000;

type Link = Pick<RedisLink, 'attempt' | 'prefix'>;

/**
 * Notes a stream of an account and asks for the end of its oldest ones beyond the limit. Without
 * Redis the limit holds in each process by itself.
 */
export async function takePlace(redis: Link, { id, viewer }: LiveStream): Promise<void> {
  const key = keyOf(redis, viewer.accountId);
  const now = Date.now();
  const answers = await redis.attempt((client) =>
    client
      .multi()
      .zremrangebyscore(key, '-inf', now - longestStreamMs)
      .zadd(key, now, id)
      .zrange(key, 0, -(maxStreams + 1))
      .zremrangebyrank(key, 0, -(maxStreams + 1))
      .pexpire(key, longestStreamMs)
      .exec(),
  );
  const ended = answers?.[2]?.[1] as string[] | undefined;
  for (const other of ended ?? []) {
    const channel = feedChannel(redis.prefix, viewer.feedId);
    await redis.attempt((client) => client.publish(channel, `end:${other}`));
  }
}

export async function leavePlace(redis: Link, { id, viewer }: LiveStream): Promise<void> {
  await redis.attempt((client) => client.zrem(keyOf(redis, viewer.accountId), id));
}

function keyOf({ prefix }: Link, accountId: string): string {
  return `${prefix}streams:${accountId}`;
}
