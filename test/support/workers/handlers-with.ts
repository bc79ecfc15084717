import { outboxTopics, type OutboxTopic } from '../../../activities/journal/outbox';
import type { TopicHandler } from '../../../workers/relay/process-claim';
import type { RelayHandlers } from '../../../workers/relay/relay';

/** Handlers of a relay: the given one for its topic, and for all others one that has nothing to do. */
export function handlersWith(topic: OutboxTopic, handler: TopicHandler): RelayHandlers {
  const easy: TopicHandler = { handle: (work) => Promise.resolve(work.map(({ id }) => id)) };
  const all = Object.fromEntries(outboxTopics.map((name) => [name, easy])) as RelayHandlers;
  return { ...all, [topic]: handler };
}
