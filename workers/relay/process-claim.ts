import { leaseMs, renewLease, type Claim, type Work } from '../../activities/journal/outbox-claims';
import { endClaim, type ClaimOutcome } from '../../activities/journal/outbox-outcome';
import { retryFor } from '../../runtime/load/retry';
import type { Deps } from '../../runtime/process/deps';
import { outboxTopics } from '../../activities/journal/outbox';
import { counter, histogram, waitBuckets, type Registry } from '../../runtime/observe/metrics';
import { driverCode, isDatabaseOutage } from '../../entities/database/errors';

/** How a handler reports rows that are not done. What it leaves out counts as refused. */
export interface ClaimReport {
  /** Failed for a reason of its own: counts against this row only. */
  refused(id: number, error: unknown): void;
  /** Nothing is known to be wrong with this row: what it needs was away. */
  defer(id: number): void;
  /** What the work needs is away: rows that were not reached are tried again in a moment. */
  away(): void;
}

export interface TopicHandler {
  /**
   * Does the work; gives the ids of the rows that are done. Repeating it must do no harm. Throws
   * when none is done: all of them are tried again, those that keep failing one by one.
   */
  handle(work: Work[], report: ClaimReport): Promise<number[]>;
  /** Largest claim, where it is not `rowsAtOnce`. */
  claimSize?: number;
  /** Somebody waits for each row: what comes beside other work is claimed at once. */
  isAwaited?: boolean;
}

export interface Processed {
  done: number;
  isAway: boolean;
}

/** What failed this often is processed alone, beside the rest, so that it fails for itself only. */
export const aloneFrom = 3;

export function splitClaim(claim: Claim): { together: Claim; alone: Claim[] } {
  const alone = claim.work.filter(({ attempts }) => attempts >= aloneFrom);
  return {
    together: { ...claim, work: claim.work.filter(({ attempts }) => attempts < aloneFrom) },
    alone: alone.map((one) => ({ ...claim, work: [one] })),
  };
}

/**
 * Does the work of a claim under its lease, which is renewed each `renewEveryMs`, and writes down how
 * each row ended.
 */
export async function processClaim(
  deps: Deps,
  handler: TopicHandler,
  { claim, renewEveryMs = leaseMs / 3 }: { claim: Claim; renewEveryMs?: number },
): Promise<Processed> {
  const notes = createNotes();
  const began = performance.now();
  const renewing = setInterval(() => {
    renewLease(deps.db.manager, claim).catch(() => undefined);
  }, renewEveryMs);
  let done: number[] = [];
  try {
    done = await handler.handle(claim.work, notes);
  } catch (error) {
    deps.log.warn({ err: error, topic: claim.topic }, 'the relay could not process work');
    if (isAway(error)) notes.away();
    else claim.work.forEach(({ id }) => notes.has(id) || notes.refused(id, error));
  } finally {
    clearInterval(renewing);
  }
  await writeOutcome(deps, claim, { outcome: outcomeOf(deps, { claim, done, notes }), began });
  return { done: done.length, isAway: notes.isAway() };
}

/** Work that was not begun: free again at once, and not counted. */
export async function giveBack({ db, clock }: Deps, claim: Claim): Promise<void> {
  const untouched = claim.work.map(({ id }) => id);
  const outcome = { done: [], refused: new Map(), deferred: [], untouched, now: clock.now() };
  await endClaim(db.manager, claim, outcome);
}

/** Locks and time-outs are outages to a request; here they may come from the row itself. */
function isAway(error: unknown): boolean {
  return isDatabaseOutage(error) && !/^(55P03|57014|40001|40P01)$/.test(driverCode(error) ?? '');
}

type Notes = ReturnType<typeof createNotes>;

function createNotes() {
  const refusals = new Map<number, string>();
  const deferred = new Set<number>();
  let isAway = false;
  return {
    refusals,
    deferred,
    has: (id: number) => refusals.has(id) || deferred.has(id),
    isAway: () => isAway,
    refused: (id: number, error: unknown) => void refusals.set(id, codeOf(error)),
    defer: (id: number) => void deferred.add(id),
    away() {
      isAway = true;
    },
  };
}

/** A code only: messages may hold values of the row. */
function codeOf(error: unknown): string {
  if (typeof error === 'string') return error;
  return driverCode(error) ?? (error instanceof Error ? error.name : 'UNKNOWN');
}

function outcomeOf(
  { clock }: Pick<Deps, 'clock'>,
  { claim, done, notes }: { claim: Claim; done: number[]; notes: Notes },
): ClaimOutcome {
  const finished = new Set(done);
  const left = claim.work.map(({ id }) => id).filter((id) => !finished.has(id));
  const silent = left.filter((id) => !notes.has(id));
  const refused = new Map([...notes.refusals].filter(([id]) => !finished.has(id)));
  if (!notes.isAway()) silent.forEach((id) => refused.set(id, 'NOT_DONE'));
  return {
    done,
    refused,
    deferred: left.filter((id) => notes.deferred.has(id) && !refused.has(id)),
    untouched: notes.isAway() ? silent : [],
    now: clock.now(),
  };
}

/** While the database is away the result waits for it, as long as the lease may still be ours. */
async function writeOutcome(
  deps: Deps,
  claim: Claim,
  { outcome, began }: { outcome: ClaimOutcome; began: number },
): Promise<void> {
  const whileTheLeaseLasts = { forMs: leaseMs, isWorthIt: () => !deps.lifecycle.stopping };
  const dead = await retryFor(whileTheLeaseLasts, () => endClaim(deps.db.manager, claim, outcome));
  count(deps, claim, { outcome, dead, tookSeconds: (performance.now() - began) / 1_000 });
}

/** Figures of a process that relays, there from its start. */
export function relayMetrics(metrics: Registry) {
  const labels = ['topic'];
  const zeros = outboxTopics.map((topic) => ({ topic }));
  return {
    relayed: counter(metrics, {
      name: 'outbox_relayed_total',
      help: 'Outbox rows done',
      labels,
      zeros,
    }),
    deferred: counter(metrics, {
      ...{ name: 'outbox_deferred_total', help: 'Outbox rows that are tried again later' },
      ...{ labels, zeros },
    }),
    carried: histogram(metrics, {
      ...{
        name: 'outbox_carried_seconds',
        help: 'From the commit of an outbox row until it was done',
      },
      ...{ labels, zeros, buckets: waitBuckets },
    }),
  };
}

interface Ended {
  outcome: ClaimOutcome;
  dead: number;
  /** Time since the claim. */
  tookSeconds: number;
}

function count(
  { metrics, log }: Pick<Deps, 'metrics' | 'log'>,
  { topic, work }: Claim,
  { outcome, dead, tookSeconds }: Ended,
): void {
  const { relayed, deferred, carried } = relayMetrics(metrics);
  const done = new Set(outcome.done);
  relayed.inc({ topic }, done.size);
  deferred.inc({ topic }, outcome.refused.size + outcome.deferred.length);
  for (const { id, waitedSeconds } of work) {
    if (done.has(id)) carried.observe({ topic }, waitedSeconds + tookSeconds);
  }
  if (dead > 0) {
    const codes = [...new Set(outcome.refused.values())];
    log.error({ topic, rows: dead, codes }, 'work of the outbox was given up (outbox_dead)');
  }
}
