import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Deps } from '../../runtime/process/deps';
import type { Stoppable } from '../../runtime/process/process';
import { leaseMs, type Claim } from '../../activities/journal/outbox-claims';
import { outboxTopics, type OutboxTopic } from '../../activities/journal/outbox';
import { createFairPlaces, type FairPlaces } from '../../runtime/load/fair-places';
import { createLine } from '../../runtime/load/line';
import {
  aloneFrom,
  carry,
  largestClaim,
  putBack,
  splitClaim,
  type Lines,
  type TopicHandler,
} from './carry-work';
import { claimSome, newClaimState, type ClaimState } from './claims';
import { watchTopics, type WatchedTopic } from './watch';
import { createWaker } from './waker';

export type RelayHandlers = Record<OutboxTopic, TopicHandler>;

export interface RelayOptions {
  /** How long it remembers where the rows of a topic begin. */
  cursorMs?: number;
}

/** A topic that had work is looked at this often, until it has had none for a while. */
const busyPollMs = 15;
const busyForMs = 5_000;
/** When the work could not be done for a reason that is not its own. */
const awayMs = 1_000;

/** Rows of a topic that wait to be carried alone, or are; no more are claimed. */
const aloneAtMost = 16;

/** Of all topics and the pool's connections: what one row waits for is nothing to most of the process. */
const aloneShare = 0.3;
const aloneOfOne = 2;

/** A claim takes what can be carried in about this time. */
const slowClaimMs = 5_000;
const fewest = 8;
const most = largestClaim;

/** One in each part, and one that is being claimed or written down. */
const claimsInTwoParts = 3;

/** What one relay knows of one topic between its claims. */
interface TopicState extends WatchedTopic, ClaimState {
  size: number;
  lines: Lines;
  /** Claims under way. */
  carrying: Set<Promise<unknown>>;
  alone: Set<Promise<unknown>>;
  /** What the work needs was away at the end of a claim. */
  isAway: boolean;
}

/**
 * Carries outbox rows on: one loop a topic, so that a slow Temporal holds up no webhook. Rows are
 * claimed by a lease, worked on outside any transaction, and deleted; a crash in between repeats
 * work that is idempotent. While more waits than a claim takes, each workspace has its share of it.
 * It polls: a NOTIFY in every commit would queue all commits behind one lock (docs/decisions).
 */
export function startRelay(
  deps: Deps,
  handlers: RelayHandlers,
  { cursorMs }: RelayOptions = {},
): Stoppable {
  const stopped = new AbortController();
  // Each of the loops below waits for it while it rests.
  setMaxListeners(outboxTopics.length + 2, stopped.signal);
  const states = new Map(outboxTopics.map((topic) => [topic, newTopicState(cursorMs)] as const));
  const places = alonePlaces(deps.config.databasePoolSize);

  async function runTopic(topic: OutboxTopic, known: TopicState): Promise<void> {
    let busyUntil = 0;
    while (!stopped.signal.aborted) {
      const own = { topic, handler: handlers[topic], known, places };
      const claimed = await claimAndCarry(deps, own).catch((error: unknown) => {
        deps.log.warn({ err: error, topic }, 'the relay could not carry work on');
        known.isAway = true;
        return 0;
      });
      if (known.isAway) {
        await rest(awayMs);
        known.isAway = false;
        continue;
      }
      if (claimed >= Math.min(known.size, handlers[topic].claimSize ?? known.size) / 2) continue;
      if (claimed > 0) busyUntil = performance.now() + busyForMs;
      if (performance.now() < busyUntil) await rest(busyPollMs);
      else await known.waker.sleep(awayMs);
    }
    await Promise.all([...known.carrying, ...known.alone]);
  }

  async function rest(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: stopped.signal }).catch(() => undefined);
  }

  const loops = [...states].map(([topic, known]) => runTopic(topic, known));
  const watching = watchTopics(deps, states, stopped.signal);
  return {
    async stop() {
      stopped.abort();
      for (const { waker } of states.values()) waker.wake();
      await Promise.all([...loops, watching]);
    },
  };
}

interface OneTopic {
  topic: OutboxTopic;
  handler: TopicHandler;
  known: TopicState;
  places: FairPlaces;
}

/** Whoever gets no place while the lease is good is put off. */
function alonePlaces(poolSize: number): FairPlaces {
  return createFairPlaces({
    places: Math.max(1, Math.floor(poolSize * aloneShare)),
    perOwner: aloneOfOne,
    waitingPerOwner: most,
    waitingInAll: most * outboxTopics.length,
    patienceMs: leaseMs / 3,
  });
}

/** Claims once, and carries; resolves with the size of the claim once another may be under way. */
async function claimAndCarry(
  deps: Deps,
  { topic, handler, known, places }: OneTopic,
): Promise<number> {
  const limit = Math.min(known.size, handler.claimSize ?? known.size);
  const triedBelow = known.alone.size < aloneAtMost ? 2_147_483_647 : aloneFrom - 1;
  const claim = await claimSome(deps, known, { topic, limit, triedBelow });
  if (claim.work.length === 0) return 0;

  const { together, alone } = splitClaim(claim);
  for (const one of alone) {
    const carried = carryAlone(deps, { handler, places, one }).catch((error: unknown) => {
      deps.log.warn({ err: error, topic }, 'the relay could not carry one piece of work on');
    });
    keepWhile(known.alone, carried);
  }
  if (together.work.length > 0) {
    keepWhile(known.carrying, carryTogether(deps, { handler, known, claim: together, limit }));
    const atOnce = handler.finish ? claimsInTwoParts : 1;
    while (known.carrying.size >= atOnce) await Promise.race(known.carrying);
  }
  return claim.work.length;
}

function keepWhile(underWay: Set<Promise<unknown>>, work: Promise<unknown>): void {
  underWay.add(work);
  void work.finally(() => underWay.delete(work));
}

interface Together extends Pick<OneTopic, 'handler' | 'known'> {
  claim: Claim;
  /** The largest that it could have been. */
  limit: number;
}

async function carryTogether(
  deps: Deps,
  { handler, known, claim, limit }: Together,
): Promise<void> {
  const began = performance.now();
  const { isAway } = await carry(deps, handler, { claim, lines: known.lines }).catch(
    (error: unknown) => {
      deps.log.warn(
        { err: error, topic: claim.topic },
        'the relay could not write down what it did',
      );
      return { isAway: true };
    },
  );
  known.isAway ||= isAway;
  known.size = sizeAfter(known.size, { limit, ms: performance.now() - began });
}

async function carryAlone(
  deps: Deps,
  { handler, places, one }: { handler: TopicHandler; places: FairPlaces; one: Claim },
): Promise<void> {
  const leave = await places.enter(one.work[0]?.workspaceId ?? '').catch(() => undefined);
  if (!leave) return putBack(deps, one);
  try {
    await carry(deps, handler, { claim: one });
  } finally {
    leave();
  }
}

/** Several claims that were under way during the same slow moment make the next one smaller once. */
function sizeAfter(size: number, { limit, ms }: { limit: number; ms: number }): number {
  if (ms > slowClaimMs) return Math.min(size, Math.max(fewest, Math.floor(limit / 2)));
  return ms < slowClaimMs / 4 ? Math.min(most, size * 2) : size;
}

function newTopicState(cursorMs?: number): TopicState {
  return {
    ...newClaimState(cursorMs),
    size: most,
    lines: { handle: createLine(), finish: createLine() },
    carrying: new Set(),
    alone: new Set(),
    isAway: false,
    waker: createWaker(),
  };
}
