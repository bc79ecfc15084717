import { setTimeout as pause } from 'node:timers/promises';
import type { Deps } from '../activities/runtime/process/deps';
import { counter, gauge } from '../activities/runtime/process/metrics';
import { execute, query } from '../entities/database/sql';
import { outboxTopics, type OutboxTopic } from '../activities/journal/outbox';

/** One piece of work that a commit left behind. */
export interface Work {
  id: number;
  ref: string;
  payload: Record<string, unknown>;
  attempts: number;
}

export interface TopicHandler {
  /** Does the work; gives the ids of the rows that are done. Repeating it must do no harm. */
  handle(work: Work[]): Promise<number[]>;
  /** Largest claim; may shrink over time (rate bounds). 0 is: not now. */
  batch?: () => number;
}

export type RelayHandlers = Record<OutboxTopic, TopicHandler>;

export interface Stoppable {
  stop(): Promise<void>;
}

const batchSize = 500;
const leaseMs = 30_000;
const busyPollMs = 15;
const idlePollMs = 100;
/** A topic counts as busy for so long after its last work. */
const busyForMs = 5_000;

/**
 * Carries outbox rows on: one loop a topic, so that a slow Temporal holds up no webhook. Rows are
 * claimed by a lease, worked on outside any transaction, and deleted; a crash in between repeats
 * work that is idempotent. It polls: a NOTIFY in every commit would queue all commits behind one
 * lock (docs/decisions).
 */
export function startRelay(deps: Deps, handlers: RelayHandlers): Stoppable {
  let stopping = false;
  const stopped = new AbortController();
  const loops = outboxTopics.map((topic) => runTopic(topic));

  async function runTopic(topic: OutboxTopic): Promise<void> {
    let busyUntil = 0;
    while (!stopping) {
      const done = await relayOnce(deps, topic, handlers[topic]).catch((error: unknown) => {
        deps.log.warn({ err: error, topic }, 'the relay could not carry work on');
        return -1;
      });
      if (done > 0) busyUntil = Date.now() + busyForMs;
      if (done >= batchSize / 2) continue;
      await rest(done < 0 ? 1_000 : Date.now() < busyUntil ? busyPollMs : idlePollMs);
    }
  }

  async function rest(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: stopped.signal }).catch(() => undefined);
  }

  return {
    async stop() {
      stopping = true;
      stopped.abort();
      await Promise.all(loops);
    },
  };
}

/** One turn of one topic: claim, work, delete. Gives the number of rows that are done. */
export async function relayOnce(
  deps: Deps,
  topic: OutboxTopic,
  handler: TopicHandler,
): Promise<number> {
  const limit = Math.min(batchSize, handler.batch?.() ?? batchSize);
  if (limit < 1) return 0;
  const work = await claim(deps, topic, limit);
  if (work.length === 0) return 0;

  const done = await handler.handle(work);
  await execute(deps.db.manager, 'DELETE FROM outbox WHERE id = ANY($1)', [done]);
  const relayed = counter(deps.metrics, 'outbox_relayed_total', 'Outbox rows done', ['topic']);
  relayed.inc({ topic }, done.length);
  await release(deps, work, done);
  return done.length;
}

/** Takes due rows for the time of a lease; another relay skips them meanwhile. */
async function claim(deps: Deps, topic: OutboxTopic, limit: number): Promise<Work[]> {
  const now = deps.clock.now();
  const rows = await query<Work>(
    deps.db.manager,
    `UPDATE outbox SET available_at = $3, attempts = attempts + 1
     WHERE id IN (
       SELECT id FROM outbox WHERE topic = $1 AND available_at <= $2
       ORDER BY available_at, id LIMIT $4 FOR UPDATE SKIP LOCKED)
     RETURNING id, ref, payload, attempts`,
    [topic, now, new Date(now.getTime() + leaseMs), limit],
  );
  return rows.sort((a, b) => a.id - b.id);
}

/** What did not succeed comes back soon, later with every attempt. */
async function release(deps: Deps, work: Work[], done: number[]): Promise<void> {
  const finished = new Set(done);
  const left = work.filter(({ id }) => !finished.has(id));
  if (left.length === 0) return;
  const failed = counter(deps.metrics, 'outbox_deferred_total', 'Outbox rows put off');
  failed.inc(left.length);
  const now = deps.clock.now();
  await execute(
    deps.db.manager,
    `UPDATE outbox SET available_at = $2::timestamptz
       + least(0.25 * power(2, least(attempts, 8)), 30) * interval '1 second'
     WHERE id = ANY($1)`,
    [left.map(({ id }) => id), now],
  );
}

/** Backlog figures for /metrics, read when they are asked for. */
export function watchOutbox(deps: Deps): void {
  const backlog = gauge(deps.metrics, 'outbox_backlog', 'Outbox rows by topic', ['topic']);
  Object.assign(backlog, {
    collect: async () => {
      const rows = await query<{ topic: string; count: number }>(
        deps.db.manager,
        'SELECT topic, count(*) AS count FROM outbox GROUP BY topic',
      ).catch(() => []);
      for (const topic of outboxTopics) backlog.set({ topic }, 0);
      for (const { topic, count } of rows) backlog.set({ topic }, count);
    },
  });
}
