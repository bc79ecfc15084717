import type { RedisLink } from '../../runtime/connections/redis';
import { newsOf, type FeedNews } from './notify';

/** Channel on which the streams of a feed are woken when there is something to read. */
export function feedChannel(prefix: string, feedId: string): string {
  return `${prefix}feed:${feedId}`;
}

/** Wakes the streams of these feeds in every process; the message is the mode. */
export async function wakeStreams(
  redis: Pick<RedisLink, 'attempt' | 'prefix'>,
  news: readonly FeedNews[],
): Promise<void> {
  if (news.length === 0) return;
  await redis.attempt((client) => {
    const pipeline = client.pipeline();
    for (const { feedId, mode } of newsOf(news)) {
      pipeline.publish(feedChannel(redis.prefix, feedId), mode);
    }
    return pipeline.exec();
  });
}
