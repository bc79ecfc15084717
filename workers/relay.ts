import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Deps } from '../activities/runtime/process/deps';
import {
  claimWork,
  lowestId,
  topicsWithWork,
  type Claim,
} from '../activities/journal/outbox-claims';
import { outboxTopics, type OutboxTopic } from '../activities/journal/outbox';
import { aloneFrom, carry, splitClaim, type TopicHandler } from './carry-work';
import { createWaker, type Waker } from './waker';

export type RelayHandlers = Record<OutboxTopic, TopicHandler>;

export interface Stoppable {
  stop(): Promise<void>;
}

/** A topic that had work is looked at this often, until it has had none for a while. */
const busyPollMs = 15;
/** A topic that is bounded has a few rows to take at a time, and all of them can wait. */
const patientPollMs = 200;
const busyForMs = 5_000;
/** All topics that are idle are looked at together this often, a little at random. */
const idlePollMs = 80;
/** When the work could not be done for a reason that is not its own. */
const awayMs = 1_000;

/** Rows that are carried alone at the same time; more wait. */
const aloneAtMost = 16;

/** A claim takes what can be carried in about this time. */
const slowClaimMs = 5_000;
const fewest = 8;
const most = 500;

/** What one relay knows of one topic between its claims. */
interface TopicState {
  size: number;
  /** Where the next claim goes on among the workspaces; null while a claim takes all that waits. */
  afterWorkspace: string | null;
  alone: Set<Promise<unknown>>;
  lowest: Lowest;
}

const firstWorkspace = '00000000-0000-0000-0000-000000000000';

/**
 * Carries outbox rows on: one loop a topic, so that a slow Temporal holds up no webhook. Rows are
 * claimed by a lease, worked on outside any transaction, and deleted; a crash in between repeats
 * work that is idempotent. While more waits than a claim takes, each workspace has its share of it.
 * It polls: a NOTIFY in every commit would queue all commits behind one lock (docs/decisions).
 */
export function startRelay(deps: Deps, handlers: RelayHandlers): Stoppable {
  const stopped = new AbortController();
  // Each of the loops below waits for it while it rests.
  setMaxListeners(outboxTopics.length + 1, stopped.signal);
  const states = new Map(outboxTopics.map((topic) => [topic, newTopicState()] as const));
  const wakers = new Map(outboxTopics.map((topic) => [topic, createWaker()] as const));

  async function runTopic(topic: OutboxTopic, known: TopicState, waker: Waker): Promise<void> {
    let busyUntil = 0;
    while (!stopped.signal.aborted) {
      const claimed = await claimAndCarry(deps, { topic, handler: handlers[topic], known }).catch(
        (error: unknown) => {
          deps.log.warn({ err: error, topic }, 'the relay could not carry work on');
          return 'away' as const;
        },
      );
      if (claimed === 'away') await rest(awayMs);
      else if (claimed >= known.size / 2) continue;
      else if (claimed > 0) busyUntil = Date.now() + busyForMs;
      if (Date.now() < busyUntil) await rest(handlers[topic].batch ? patientPollMs : busyPollMs);
      else await waker.sleep(awayMs);
    }
    await Promise.all(known.alone);
  }

  async function watch(): Promise<void> {
    while (!stopped.signal.aborted) {
      const lows = new Map([...states].map(([topic, { lowest }]) => [topic, lowest.known()]));
      const waiting = await topicsWithWork(deps.db.manager, lows, deps.clock.now()).catch(() => []);
      for (const topic of waiting) wakers.get(topic)?.wake();
      await rest(idlePollMs * (0.75 + Math.random() / 2));
    }
  }

  async function rest(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: stopped.signal }).catch(() => undefined);
  }

  const loops = [...states].map(([topic, known]) =>
    runTopic(topic, known, wakers.get(topic) ?? createWaker()),
  );
  const watching = watch();
  return {
    async stop() {
      stopped.abort();
      for (const waker of wakers.values()) waker.wake();
      await Promise.all([...loops, watching]);
    },
  };
}

interface OneTopic {
  topic: OutboxTopic;
  handler: TopicHandler;
  known: TopicState;
}

/** Claims and carries once. Gives the size of the claim, or that what the work needs is away. */
async function claimAndCarry(
  deps: Deps,
  { topic, handler, known }: OneTopic,
): Promise<number | 'away'> {
  const limit = Math.min(known.size, handler.batch?.() ?? known.size);
  if (limit < 1) return 0;
  const claim = await claimWork(deps.db.manager, {
    topic,
    limit,
    now: deps.clock.now(),
    from: await known.lowest.read(deps, topic),
    triedBelow: known.alone.size < aloneAtMost ? 2_147_483_647 : aloneFrom - 1,
    afterWorkspace: known.afterWorkspace,
  });
  known.afterWorkspace = nextWorkspace(claim, known.afterWorkspace, limit);
  if (claim.work.length === 0) return 0;

  const { together, alone } = splitClaim(claim);
  for (const one of alone) {
    const carried = carry(deps, handler, one).catch((error: unknown) => {
      deps.log.warn({ err: error, topic }, 'the relay could not carry one piece of work on');
    });
    known.alone.add(carried);
    void carried.finally(() => known.alone.delete(carried));
  }
  const began = performance.now();
  const isAway = together.work.length > 0 && (await carry(deps, handler, together)).isAway;
  known.size = sizeAfter(known.size, performance.now() - began);
  return isAway ? 'away' : claim.work.length;
}

/** The cursor among the workspaces, while more waits than a claim takes. */
function nextWorkspace({ work }: Claim, after: string | null, limit: number): string | null {
  const last = work.reduce((max, { workspaceId }) => (workspaceId > max ? workspaceId : max), '');
  if (work.length >= limit) return after === null ? firstWorkspace : last;
  // The end of the round; the next one finds whether there is still more than a claim takes.
  return after === null || after === firstWorkspace ? null : firstWorkspace;
}

function sizeAfter(size: number, ms: number): number {
  if (ms > slowClaimMs) return Math.max(fewest, Math.floor(size / 2));
  return ms < slowClaimMs / 4 ? Math.min(most, size * 2) : size;
}

function newTopicState(): TopicState {
  return { size: most, afterWorkspace: null, alone: new Set(), lowest: createLowest() };
}

interface Lowest {
  known(): number;
  read(deps: Deps, topic: OutboxTopic): Promise<number>;
}

const lowestEveryMs = 10_000;

/**
 * The lowest id that may wait. A transaction that is still open may hold a lower one than those that
 * were seen, so that the look before the last counts as well.
 */
function createLowest(): Lowest {
  let before = 0;
  let last = 0;
  let readAt = Number.NEGATIVE_INFINITY;
  return {
    known: () => Math.min(before, last),
    async read(deps, topic) {
      if (performance.now() - readAt > lowestEveryMs) {
        readAt = performance.now();
        before = last;
        last = await lowestId(deps.db.manager, topic);
      }
      return Math.min(before, last);
    },
  };
}
