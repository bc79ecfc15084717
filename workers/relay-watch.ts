import { setTimeout as pause } from 'node:timers/promises';
import { topicsWithWork, type IdRange } from '../activities/journal/outbox-claims';
import type { OutboxTopic } from '../activities/journal/outbox';
import type { Deps } from '../activities/runtime/process/deps';
import type { OutboxCursor } from './outbox-cursor';
import type { Waker } from './waker';

/** All topics are looked at together this often, a little at random. */
const freshPollMs = 80;
/** A look at delayed rows walks over all that was done behind them: rare, and a small share of time. */
const delayedPollMs = 1_000;
const delayedShare = 0.02;

export interface WatchedTopic {
  cursor: OutboxCursor;
  waker: Waker;
  /** Delayed rows have come due: the next claim begins with them. */
  hasDelayed: boolean;
}

type Deciding = Pick<Deps, 'db' | 'clock'>;
type WatchedTopics = ReadonlyMap<OutboxTopic, WatchedTopic>;

/** Wakes the topics that have work. */
export async function watchTopics(
  deps: Deciding,
  topics: WatchedTopics,
  stop: AbortSignal,
): Promise<void> {
  await Promise.all([watchFresh(deps, topics, stop), watchDelayed(deps, topics, stop)]);
}

async function watchFresh(deps: Deciding, topics: WatchedTopics, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const ranges = [...topics].map(([topic, { cursor }]) => [topic, cursor.fresh()] as const);
    for (const { waker } of await withWork(deps, topics, ranges)) waker.wake();
    await rest(freshPollMs * (0.75 + Math.random() / 2), stop);
  }
}

async function watchDelayed(
  deps: Deciding,
  topics: WatchedTopics,
  stop: AbortSignal,
): Promise<void> {
  while (!stop.aborted) {
    const began = performance.now();
    const ranges = [...topics].map(([topic, { cursor }]) => [topic, cursor.delayed()] as const);
    for (const topic of await withWork(deps, topics, ranges)) {
      topic.hasDelayed = true;
      topic.waker.wake();
    }
    await rest(Math.max(delayedPollMs, (performance.now() - began) / delayedShare), stop);
  }
}

async function withWork(
  { db, clock }: Deciding,
  topics: WatchedTopics,
  ranges: readonly (readonly [OutboxTopic, IdRange])[],
): Promise<WatchedTopic[]> {
  const some = new Map(ranges.filter(([, { from, to }]) => from < to));
  if (some.size === 0) return [];
  const found = await topicsWithWork(db.manager, some, clock.now()).catch(() => []);
  return found.flatMap((topic) => topics.get(topic) ?? []);
}

async function rest(ms: number, stop: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal: stop }).catch(() => undefined);
}
