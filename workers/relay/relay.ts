import { setMaxListeners } from 'node:events';
import type { Deps } from '../../runtime/process/deps';
import { rest } from '../../runtime/load/rest';
import { type Stoppable } from '../../runtime/process/process';
import type { Claim } from '../../activities/journal/outbox-claims';
import { outboxTopics, type OutboxTopic } from '../../activities/journal/outbox';
import { aloneFrom, giveBack, processClaim, splitClaim, type TopicHandler } from './process-claim';
import { rowsAtOnce } from '../../entities/database/sql';
import { createClaims, type Claims } from './claims';
import { watchTopics, type WatchedTopic } from './watch';
import { createWaker } from './waker';

export type RelayHandlers = Record<OutboxTopic, TopicHandler>;

/** An awaited topic that had work is polled every few milliseconds, until it has had none for this long. */
const busyForMs = 5_000;
/** When the work could not be done for a reason that is not its own. */
const awayMs = 1_000;
/** Rows that are processed alone are given back after this time: their leases are not renewed. */
const aloneForMs = 5_000;

/** What one relay knows of one topic between its claims. */
interface TopicState extends WatchedTopic {
  handler: TopicHandler;
  claims: Claims;
  /** Rows that failed before, one after the other; while there are some no more are claimed. */
  alone: Promise<void> | undefined;
}

/**
 * Processes outbox rows: one loop a topic, so that a slow Temporal holds up no webhook. Rows are
 * claimed by a lease, worked on outside any transaction, and deleted; a crash in between repeats
 * work that is idempotent. While more waits than a claim takes, each workspace has its share of it.
 * It polls: a NOTIFY in every commit would queue all commits behind one lock (docs/why/outbox.md).
 */
export function startRelay(
  deps: Deps,
  handlers: RelayHandlers,
  // How long it remembers where the rows of a topic begin.
  { refreshMs }: { refreshMs?: number } = {},
): Stoppable {
  const stopped = new AbortController();
  const { signal } = stopped;
  // Each of the loops below waits for it while it rests.
  setMaxListeners(outboxTopics.length + 1, signal);
  const states = outboxTopics.map((topic): TopicState => {
    const claims = createClaims(deps, topic, refreshMs);
    return { topic, handler: handlers[topic], claims, waker: createWaker(), alone: undefined };
  });

  async function runTopic(state: TopicState): Promise<void> {
    const { topic, handler, waker } = state;
    let busyUntil = 0;
    while (!signal.aborted) {
      const { claimed, isAway } = await claimAndProcess(deps, state, signal).catch(
        (error: unknown) => {
          deps.log.warn({ err: error, topic }, 'the relay could not claim or write down work');
          return { claimed: 0, isAway: true };
        },
      );
      if (claimed > 0 && handler.isAwaited) busyUntil = performance.now() + busyForMs;
      if (isAway) await rest(awayMs, signal);
      else if (claimed >= sizeOf(handler)) continue;
      else if (performance.now() < busyUntil) await rest(15, signal);
      else await waker.sleep(awayMs);
    }
    await state.alone;
  }

  const loops = states.map(runTopic);
  const watching = watchTopics(deps, states, signal);
  return {
    async stop() {
      stopped.abort();
      for (const { waker } of states) waker.wake();
      await Promise.all([...loops, watching]);
    },
  };
}

const sizeOf = ({ claimSize = rowsAtOnce }: TopicHandler): number => claimSize;

/** Claims once, and processes what was claimed; what failed before goes on beside the next claims. */
async function claimAndProcess(
  deps: Deps,
  state: TopicState,
  signal: AbortSignal,
): Promise<{ claimed: number; isAway: boolean }> {
  const { handler, claims } = state;
  const triedBelow = state.alone ? aloneFrom - 1 : 2 ** 31 - 1;
  const claim = await claims.next({ limit: sizeOf(handler), triedBelow });
  const { together, alone } = splitClaim(claim);
  if (alone.length > 0) {
    state.alone = processAlone(deps, handler, { alone, signal }).finally(() => {
      state.alone = undefined;
    });
  }
  const isNone = together.work.length === 0;
  const { isAway } = isNone
    ? { isAway: false }
    : await processClaim(deps, handler, { claim: together });
  return { claimed: claim.work.length, isAway };
}

/** One row after the other. What is not reached in time is given back. */
async function processAlone(
  deps: Deps,
  handler: TopicHandler,
  { alone, signal }: { alone: Claim[]; signal: AbortSignal },
): Promise<void> {
  const end = performance.now() + aloneForMs;
  for (const claim of alone) {
    const isOver = signal.aborted || performance.now() > end;
    const ending = isOver ? giveBack(deps, claim) : processClaim(deps, handler, { claim });
    await ending.catch((error: unknown) => {
      const { topic, work } = claim;
      const requestId = work[0]?.requestId;
      deps.log.warn(
        { err: error, topic, requestId },
        'the relay could not process one piece of work',
      );
    });
  }
}
