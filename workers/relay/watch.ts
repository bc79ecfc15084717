import { dueTopics } from '../../activities/journal/outbox-claims';
import type { OutboxTopic } from '../../activities/journal/outbox';
import type { Deps } from '../../runtime/process/deps';
import { rest } from '../../runtime/load/rest';
import type { Claims } from './claims';
import type { Waker } from './waker';

/** All topics are polled together this often, a little at random. */
const pollMs = 80;

export interface WatchedTopic {
  topic: OutboxTopic;
  claims: Pick<Claims, 'since'>;
  waker: Waker;
}

/** Wakes the topics that have work. Each of them looks once a second by itself, should this one fail. */
export async function watchTopics(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  topics: readonly WatchedTopic[],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const since = new Map(topics.map(({ topic, claims }) => [topic, claims.since]));
    const due = await dueTopics(db.manager, since, clock.now()).catch((): OutboxTopic[] => []);
    for (const { topic, waker } of topics) if (due.includes(topic)) waker.wake();
    await rest(pollMs * (0.75 + Math.random() / 2), signal);
  }
}
