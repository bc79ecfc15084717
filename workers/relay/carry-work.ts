import { leaseMs, renewLease, type Claim, type Work } from '../../activities/journal/outbox-claims';
import { endClaim, type ClaimOutcome } from '../../activities/journal/outbox-outcome';
import type { Line } from '../../runtime/load/line';
import { retry, waits, type RetryPolicy } from '../../runtime/load/retry';
import type { Deps } from '../../runtime/process/deps';
import { counter } from '../../runtime/process/metrics';
import { driverCode, isDatabaseOutage } from '../../entities/database/errors';

/** How a handler reports rows that are not done. What it leaves out counts as refused. */
export interface Report {
  /** Failed for a reason of its own: counts against this row only. */
  refused(id: number, error: unknown): void;
  /** Nothing is known to be wrong with this row: what it needs was away. */
  putOff(id: number): void;
  /** What the work needs is away: rows that were not reached are tried again in a moment. */
  away(): void;
}

export interface TopicHandler {
  /**
   * Does the work; gives the ids of the rows that are done. Repeating it must do no harm. Throws
   * when none is done: all of them are tried again, those that keep failing one by one.
   */
  handle(work: Work[], report: Report): Promise<number[]>;
  /**
   * Does the rest of the work of the rows that `handle` gave, and gives the ids of those that are
   * done. The next two claims are handled meanwhile, so this is for work that can wait.
   */
  finish?: (work: Work[], report: Report) => Promise<number[]>;
  /** Largest claim, where it is not `largestClaim`. */
  claimSize?: number;
}

export const largestClaim = 500;

export interface Carried {
  done: number;
  isAway: boolean;
}

/** What failed this often is carried alone, beside the rest, so that it fails for itself only. */
export const aloneFrom = 3;

export function splitClaim(claim: Claim): { together: Claim; alone: Claim[] } {
  const alone = claim.work.filter(({ attempts }) => attempts >= aloneFrom);
  return {
    together: { ...claim, work: claim.work.filter(({ attempts }) => attempts < aloneFrom) },
    alone: alone.map((one) => ({ ...claim, work: [one] })),
  };
}

/** Where the claims of one topic wait for those before them, so that both parts keep their order. */
export interface Lines {
  handle: Line;
  finish: Line;
}

const noLines: Lines = { handle: (work) => work(), finish: (work) => work() };

export interface Carriage {
  claim: Claim;
  lines?: Lines;
  /** How often the lease is held for longer while the work takes its time. */
  renewEveryMs?: number;
}

/** Does the work of a claim under its lease, and writes down how each row ended. */
export async function carry(
  deps: Deps,
  handler: TopicHandler,
  { claim, lines = noLines, renewEveryMs = leaseMs / 3 }: Carriage,
): Promise<Carried> {
  const notes = createNotes();
  const renewing = setInterval(() => {
    renewLease(deps.db.manager, claim).catch(() => undefined);
  }, renewEveryMs);
  let done: number[] = [];
  try {
    done = await handleAndFinish(deps, handler, { work: claim.work, lines, notes });
  } catch (error) {
    deps.log.warn({ err: error, topic: claim.topic }, 'the relay could not carry work on');
    if (isAway(error)) notes.away();
    else claim.work.forEach(({ id }) => notes.has(id) || notes.refused(id, error));
  } finally {
    clearInterval(renewing);
  }
  await writeOutcome(deps, claim, outcomeOf(deps, { claim, done, notes }));
  return { done: done.length, isAway: notes.isAway() };
}

async function handleAndFinish(
  { lifecycle }: Pick<Deps, 'lifecycle'>,
  handler: TopicHandler,
  { work, lines, notes }: { work: Work[]; lines: Lines; notes: Notes },
): Promise<number[]> {
  const handled = await lines.handle(async () => {
    if (!lifecycle.stopping) return handler.handle(work, notes);
    // It waited behind others until the process was to stop: another one takes it.
    notes.away();
    return [];
  });
  const { finish } = handler;
  if (!finish || handled.length === 0) return handled;
  const left = work.filter(({ id }) => handled.includes(id));
  return lines.finish(() => finish(left, notes));
}

/** Work that was not begun: tried again in a moment. */
export async function putBack(deps: Deps, claim: Claim): Promise<void> {
  const putOff = claim.work.map(({ id }) => id);
  const nothing = { done: [], refused: new Map(), untouched: [] };
  await endClaim(deps.db.manager, claim, { ...nothing, putOff, now: deps.clock.now() });
}

/** Locks and time-outs are outages to a request; here they may come from the row itself. */
function isAway(error: unknown): boolean {
  return isDatabaseOutage(error) && !/^(55P03|57014|40001|40P01)$/.test(driverCode(error) ?? '');
}

interface Notes extends Report {
  readonly refusals: Map<number, string>;
  readonly later: Set<number>;
  has(id: number): boolean;
  isAway(): boolean;
}

function createNotes(): Notes {
  const refusals = new Map<number, string>();
  const later = new Set<number>();
  let isAway = false;
  return {
    refusals,
    later,
    has: (id) => refusals.has(id) || later.has(id),
    isAway: () => isAway,
    refused: (id, error) => refusals.set(id, codeOf(error)),
    putOff: (id) => later.add(id),
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
  const silent = left.filter((id) => !notes.refusals.has(id) && !notes.later.has(id));
  const refused = new Map(left.flatMap((id) => pairOf(id, notes.refusals.get(id))));
  if (!notes.isAway()) silent.forEach((id) => refused.set(id, 'NOT_DONE'));
  return {
    done,
    refused,
    putOff: left.filter((id) => notes.later.has(id) && !refused.has(id)),
    untouched: notes.isAway() ? silent : [],
    now: clock.now(),
  };
}

function pairOf(id: number, code: string | undefined): [number, string][] {
  return code === undefined ? [] : [[id, code]];
}

/** While the database is away the result waits for it, as long as the lease may still be ours. */
async function writeOutcome(deps: Deps, claim: Claim, outcome: ClaimOutcome): Promise<void> {
  const end = performance.now() + leaseMs;
  const whileTheLeaseLasts: RetryPolicy = {
    waitsMs: waits(250),
    isWorthIt: () => performance.now() <= end && !deps.lifecycle.stopping,
  };
  const buried = await retry(whileTheLeaseLasts, () => endClaim(deps.db.manager, claim, outcome));
  count(deps, claim, { outcome, buried });
}

function count(
  { metrics, log }: Pick<Deps, 'metrics' | 'log'>,
  { topic }: Claim,
  { outcome, buried }: { outcome: ClaimOutcome; buried: number },
): void {
  const relayed = counter(metrics, {
    name: 'outbox_relayed_total',
    help: 'Outbox rows done',
    labels: ['topic'],
  });
  const deferred = counter(metrics, {
    name: 'outbox_deferred_total',
    help: 'Outbox rows put off',
    labels: ['topic'],
  });
  relayed.inc({ topic }, outcome.done.length);
  deferred.inc({ topic }, outcome.refused.size + outcome.putOff.length);
  if (buried > 0) {
    const codes = [...new Set(outcome.refused.values())];
    log.error({ topic, rows: buried, codes }, 'work of the outbox was given up (outbox_dead)');
  }
}
