import { lastId, lowestFresh } from '../../activities/journal/outbox-claims';
import type { OutboxTopic } from '../../activities/journal/outbox';
import type { Db } from '../../entities/database/sql';

/** Where the frequent looks at one topic begin. */
export interface OutboxCursor {
  /** What is below was done, or is delayed. */
  readonly fresh: number;
  /** Goes on from there once in a while. */
  advance(db: Db, topic: OutboxTopic): Promise<void>;
  /** Goes back to a row whose transaction was open for longer than anyone waits. */
  retreatTo(id: number): void;
}

const usualEveryMs = 10_000;

/**
 * A transaction that is still open may hold a lower id than those that were seen, so that the look
 * before the last counts as well. `findLate` finds what was open for longer.
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
    async advance(db, topic) {
      if (performance.now() - readAt <= everyMs) return;
      readAt = performance.now();
      // Before the look: a row that is committed meanwhile has a higher id.
      const end = await lastId(db);
      const found = (await lowestFresh(db, { topic, from: fresh() })) ?? end;
      before = last;
      last = found;
    },
    retreatTo(id) {
      before = last = Math.min(fresh(), id);
    },
  };
}

/** Goes back to the lowest row that the cursor has passed, if there is one. */
export async function findLate(db: Db, topic: OutboxTopic, cursor: OutboxCursor): Promise<boolean> {
  const id = await lowestFresh(db, { topic, from: 0, to: cursor.fresh });
  if (id !== undefined) cursor.retreatTo(id);
  return id !== undefined;
}
