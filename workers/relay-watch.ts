import { setTimeout as pause } from 'node:timers/promises';
import { dueWork, type IdRange } from '../activities/journal/outbox-claims';
import type { OutboxTopic } from '../activities/journal/outbox';
import type { Deps } from '../activities/runtime/process/deps';
import type { OutboxCursor } from './outbox-cursor';
import type { Waker } from './waker';

/** What is fresh is looked for this often in all topics together, a little at random. */
const freshPollMs = 80;
/** A look at delayed rows walks over all that was done behind them: rare, a small share of time. */
const delayedPollMs = 1_000;
const delayedShare = 0.02;

export interface WatchedTopic {
  cursor: OutboxCursor;
  waker: Waker;
  /** A delayed row has come due: the next claim begins with it. */
  delayed: number | null;
}

type Watching = Pick<Deps, 'db' | 'clock'>;
type WatchedTopics = ReadonlyMap<OutboxTopic, WatchedTopic>;
type Ranges = (readonly [OutboxTopic, IdRange])[];

/** Wakes the topics that have work. */
export async function watchTopics(
  deps: Watching,
  topics: WatchedTopics,
  stop: AbortSignal,
): Promise<void> {
  await Promise.all([watchFresh(deps, topics, stop), watchDelayed(deps, topics, stop)]);
}

async function watchFresh(deps: Watching, topics: WatchedTopics, stop: AbortSignal): Promise<void> {
  const rangeOf = ({ cursor }: WatchedTopic): IdRange => ({
    from: cursor.fresh,
    to: Number.MAX_SAFE_INTEGER,
  });
  while (!stop.aborted) {
    const ranges: Ranges = [...topics].map(([topic, known]) => [topic, rangeOf(known)]);
    const found = await dueWork(deps.db.manager, ranges, deps.clock.now()).catch(() => []);
    for (const { topic } of found) topics.get(topic)?.waker.wake();
    await rest(freshPollMs * (0.75 + Math.random() / 2), stop);
  }
}

/** Topic by topic, in small turns: one look at all of them would be felt by whoever asks beside. */
async function watchDelayed(
  { db, clock }: Watching,
  topics: WatchedTopics,
  stop: AbortSignal,
): Promise<void> {
  while (!stop.aborted) {
    for (const [topic, known] of topics) {
      const began = performance.now();
      const range = { from: 0, to: known.cursor.fresh };
      const found = await dueWork(db.manager, [[topic, range]], clock.now()).catch(() => []);
      for (const { id } of found) {
        known.delayed = id;
        known.waker.wake();
      }
      const least = delayedPollMs / topics.size;
      await rest(Math.max(least, (performance.now() - began) / delayedShare), stop);
    }
  }
}

async function rest(ms: number, stop: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal: stop }).catch(() => undefined);
}
