import { lowestFresh } from '../activities/journal/outbox-claims';
import type { OutboxTopic } from '../activities/journal/outbox';
import type { Deps } from '../activities/runtime/process/deps';

/** Where the frequent looks at one topic begin. */
export interface OutboxCursor {
  /** What is below was done, or waits for a time of its own. */
  readonly fresh: number;
  /** Goes on from there once in a while. */
  advance(deps: Pick<Deps, 'db' | 'clock'>, topic: OutboxTopic): Promise<void>;
}

const usualEveryMs = 10_000;

/**
 * A transaction that is still open may hold a lower id than those that were seen, so that the look
 * before the last counts as well. One that is open for longer comes to light among the delayed rows.
 */
export function createCursor(everyMs = usualEveryMs): OutboxCursor {
  let before = 0;
  let last = 0;
  let readAt = Number.NEGATIVE_INFINITY;
  const fresh = (): number => Math.min(before, last);
  return {
    get fresh() {
      return fresh();
    },
    async advance({ db, clock }, topic) {
      if (performance.now() - readAt <= everyMs) return;
      readAt = performance.now();
      const found = await lowestFresh(db.manager, { topic, from: fresh() }, clock.now());
      before = last;
      last = found;
    },
  };
}
