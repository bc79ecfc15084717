import { setTimeout as pause } from 'node:timers/promises';
import { dueWork } from '../../activities/journal/outbox-claims';
import type { OutboxTopic } from '../../activities/journal/outbox';
import type { Deps } from '../../runtime/process/deps';
import { findLate } from './outbox-cursor';
import type { ClaimState } from './claims';
import type { Waker } from './waker';

/** All topics are looked at together this often, a little at random. */
const pollMs = 80;
/** Between two looks for late rows, each at one topic; longer ones are rarer. */
const latePollMs = { least: 1_000, most: 5_000 };
/** Of the time: such a look walks over all that was done behind the row that it finds. */
const lateShare = 0.05;

export interface WatchedTopic extends Pick<ClaimState, 'cursor' | 'hasDelayed'> {
  waker: Waker;
}

type Watching = Pick<Deps, 'db' | 'clock'>;
type WatchedTopics = ReadonlyMap<OutboxTopic, WatchedTopic>;

/** Wakes the topics that have work. */
export async function watchTopics(
  deps: Watching,
  topics: WatchedTopics,
  stop: AbortSignal,
): Promise<void> {
  await Promise.all([watchDue(deps, topics, stop), watchLate(deps, topics, stop)]);
}

async function watchDue(
  { db, clock }: Watching,
  topics: WatchedTopics,
  stop: AbortSignal,
): Promise<void> {
  while (!stop.aborted) {
    const from = new Map([...topics].map(([topic, { cursor }]) => [topic, cursor.fresh]));
    const found = await dueWork(db.manager, from, clock.now()).catch(() => undefined);
    // Fresh rows are claimed once a second whether or not a look succeeds; delayed ones, too, then.
    if (!found) for (const known of topics.values()) known.hasDelayed = true;
    for (const { topic, fresh, delayed } of found ?? []) {
      const known = topics.get(topic);
      if (!known) continue;
      known.hasDelayed ||= delayed;
      if (fresh || delayed) known.waker.wake();
    }
    await rest(pollMs * (0.75 + Math.random() / 2), stop);
  }
}

async function watchLate(
  { db }: Watching,
  topics: WatchedTopics,
  stop: AbortSignal,
): Promise<void> {
  while (!stop.aborted) {
    for (const [topic, { cursor, waker }] of topics) {
      if (stop.aborted) return;
      const began = performance.now();
      const isFound = await findLate(db.manager, topic, cursor).catch(() => undefined);
      if (isFound === true) waker.wake();
      const { least, most } = latePollMs;
      const share = (performance.now() - began) / lateShare;
      await rest(isFound === undefined ? most : Math.min(Math.max(least, share), most), stop);
    }
  }
}

async function rest(ms: number, stop: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal: stop }).catch(() => undefined);
}
