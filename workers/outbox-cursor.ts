import { lowestIds, type IdRange, type LowestIds } from '../activities/journal/outbox-claims';
import type { OutboxTopic } from '../activities/journal/outbox';
import type { Deps } from '../activities/runtime/process/deps';

/** Where the looks at one topic begin. */
export interface OutboxCursor {
  /** What is new and due: looked at often. */
  fresh(): IdRange;
  /** Rows that wait for their time, and all that was done behind them: looked at rarely. */
  delayed(): IdRange;
  /** Reads both again once in a while. */
  refresh(deps: Pick<Deps, 'db' | 'clock'>, topic: OutboxTopic): Promise<void>;
}

const usualEveryMs = 10_000;

/**
 * A transaction that is still open may hold a lower id than those that were seen, so that the look
 * before the last counts as well.
 */
export function createCursor(everyMs = usualEveryMs): OutboxCursor {
  let before: LowestIds = { any: 0, fresh: 0 };
  let last = before;
  let readAt = Number.NEGATIVE_INFINITY;
  const fresh = (): number => Math.min(before.fresh, last.fresh);
  return {
    fresh: () => ({ from: fresh(), to: Number.MAX_SAFE_INTEGER }),
    delayed: () => ({ from: Math.min(before.any, last.any), to: fresh() }),
    async refresh({ db, clock }, topic) {
      if (performance.now() - readAt <= everyMs) return;
      readAt = performance.now();
      const found = await lowestIds(db.manager, topic, clock.now());
      before = last;
      last = found;
    },
  };
}
