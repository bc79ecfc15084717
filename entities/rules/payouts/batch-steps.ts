import { dayMs, hourMs, minuteMs } from '../values/duration';
import type { PayoutBatchStatus } from './batch-status';

/** What decides what is to be done with a batch next. */
export interface BatchFacts {
  status: PayoutBatchStatus;
  createdAt: Date;
  firstTryAt: Date | null;
  takenAt: Date | null;
  nextAt: Date | null;
  /** A try may have been taken. */
  isInDoubt: boolean;
  /** The database was returned to a moment before: what was tried since then is not known. */
  wasRestored: boolean;
  /** A restore was not released yet: nothing is tried. */
  isHeld: boolean;
  /** An item of it was paid by an earlier batch, or by somebody: it would be paid twice. */
  isOvertaken: boolean;
  /** Whether there is an id to ask by. */
  hasId: boolean;
  unknownToldAt: Date | null;
  /** An item is on its way for 45 days, and nobody was told. */
  isTooLong: boolean;
}

export type BatchStep =
  /** Say it to the provider, or ask what became of it. */
  | { kind: 'try' | 'ask' }
  /** Nothing was taken, surely: its items are ready again. */
  | { kind: 'release' }
  /** It may have been taken, and no try may come any more. */
  | { kind: 'unanswered' }
  /** Admins are to be told: nobody knows for an hour, or an item is on its way for too long. */
  | { kind: 'tell_unknown' | 'tell_too_long' }
  | { kind: 'wait'; until: Date }
  /** Nothing comes any more by itself. */
  | { kind: 'over' };

/** How long after it was taken a batch is asked about. */
const watchedMs = 180 * dayMs;
/** The time between two looks at a try that is held until a restore was looked over. */
const heldMs = 10 * minuteMs;

/** What is to be done now; of several things the first. */
export function nextStep(facts: BatchFacts, now: Date, giveUpMs: number): BatchStep {
  if (facts.status === 'trying') return nextOfTries(facts, now, giveUpMs);
  if (facts.isTooLong) return { kind: 'tell_too_long' };
  const { hasId, nextAt, takenAt, createdAt } = facts;
  if (!hasId || nextAt === null) return { kind: 'over' };
  if (now.getTime() - (takenAt ?? createdAt).getTime() > watchedMs) return { kind: 'over' };
  return nextAt <= now ? { kind: 'ask' } : { kind: 'wait', until: nextAt };
}

function nextOfTries(facts: BatchFacts, now: Date, giveUpMs: number): BatchStep {
  const { nextAt, wasRestored, isHeld, unknownToldAt } = facts;
  const isInDoubt = facts.isInDoubt || wasRestored;
  const giveUpAt = giveUpTime(facts, giveUpMs);
  if (facts.isOvertaken || now >= giveUpAt) return { kind: isInDoubt ? 'unanswered' : 'release' };
  const isUntold = isInDoubt && unknownToldAt === null;
  const tellAt = giveUpTime(facts, hourMs);
  if (isUntold && now >= tellAt) return { kind: 'tell_unknown' };
  const tryAt = tryTime({ isHeld, nextAt }, now);
  if (tryAt <= now) return { kind: 'try' };
  const times = [tryAt, giveUpAt, ...(isUntold ? [tellAt] : [])];
  return { kind: 'wait', until: new Date(Math.min(...times.map((time) => time.getTime()))) };
}

function tryTime({ isHeld, nextAt }: Pick<BatchFacts, 'isHeld' | 'nextAt'>, now: Date): Date {
  return isHeld ? new Date(now.getTime() + heldMs) : (nextAt ?? now);
}

/**
 * The end of the time in which a try may come; for a batch that a restore brought back it is
 * counted from when it was made.
 */
export function giveUpTime(
  {
    createdAt,
    firstTryAt,
    wasRestored,
  }: Pick<BatchFacts, 'createdAt' | 'firstTryAt' | 'wasRestored'>,
  giveUpMs: number,
): Date {
  const from = wasRestored ? createdAt : (firstTryAt ?? createdAt);
  return new Date(from.getTime() + giveUpMs);
}

/** The wait before the next of a schedule, whose last one repeats. */
export function waitBefore(schedule: readonly number[], done: number): number {
  return schedule[Math.min(done, schedule.length - 1)] ?? minuteMs;
}
