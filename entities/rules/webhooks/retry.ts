import type { DeliveryStatus } from './delivery-status';
import { dayMs } from '../values/duration';

/**
 * When a delivery is tried again, and when an endpoint rests (docs/reference/webhooks.md,
 * Attempts).
 */

/** The longest wait that a receiver can ask for with `Retry-After`. */
const maxRetryAfterMs = dayMs;

/** Nothing but failures for this long disables an endpoint. */
const disableAfterMs = 5 * dayMs;

/** Share by which a delay of the schedule is moved, either way. */
const jitter = 0.2;

/** How one attempt ended. `httpStatusCode` is null when no HTTP answer came. */
export interface AttemptOutcome {
  ok: boolean;
  httpStatusCode: number | null;
  /** Wait that the receiver asked for, in milliseconds. */
  retryAfterMs: number | null;
}

export interface AttemptPosition {
  /** Attempts of the present schedule, this one included; a retried delivery starts at 1 again. */
  attempt: number;
  /** Waits before each attempt in milliseconds; its length is the number of attempts. */
  schedule: readonly number[];
  /** When the attempt was due, and whether it was made before: only a probe is. */
  dueAt: Date;
  isAhead: boolean;
  now: Date;
  /** 0 <= random < 1, from the caller. */
  random: number;
}

export interface Verdict {
  status: DeliveryStatus;
  nextAttemptAt: Date | null;
  /** 410: the receiver says that it is gone for good. */
  disablesEndpoint: boolean;
}

/** What becomes of a delivery after an attempt. */
export function judgeAttempt(outcome: AttemptOutcome, position: AttemptPosition): Verdict {
  if (outcome.ok) return ended('succeeded');
  if (outcome.httpStatusCode === 410) return { ...ended('cancelled'), disablesEndpoint: true };

  const { now, dueAt } = position;
  const delay = position.isAhead ? dueAt.getTime() - now.getTime() : delayAfter(position);
  if (delay === null) return ended('dead_letter');
  // Retry-After never shortens the schedule.
  const wait = Math.max(delay, Math.min(outcome.retryAfterMs ?? 0, maxRetryAfterMs));
  const nextAttemptAt = new Date(now.getTime() + wait);
  return { status: 'retrying', nextAttemptAt, disablesEndpoint: false };
}

function ended(status: DeliveryStatus): Verdict {
  return { status, nextAttemptAt: null, disablesEndpoint: false };
}

/**
 * A probe of a resting endpoint may come before its delivery is due. When it fails, the delivery
 * keeps its place in the schedule: an outage must not use up attempts faster than the schedule
 * does.
 */
export function isAheadOfTime(dueAt: Date, now: Date): boolean {
  return dueAt > now;
}

/** Milliseconds until the attempt after this one, or null when there is none. */
function delayAfter({ attempt, schedule, random }: AttemptPosition): number | null {
  const delay = schedule[attempt];
  if (delay === undefined) return null;
  return Math.round(delay * (1 - jitter + 2 * jitter * random));
}

/**
 * A `Retry-After` header, seconds or an HTTP date, as milliseconds from now; null when it is
 * neither.
 */
export function parseRetryAfter(header: string | undefined, now: Date): number | null {
  const text = header?.trim();
  if (!text || text.length > 64) return null;
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1_000, maxRetryAfterMs);
  if (!/^[A-Za-z]{3}/.test(text)) return null;

  const at = Date.parse(text);
  if (Number.isNaN(at)) return null;
  return Math.min(Math.max(at - now.getTime(), 0), maxRetryAfterMs);
}

/** After this many failures in a row an endpoint is only probed, one delivery at a time. */
export function isBreakerOpen(failuresInARow: number, limit: number): boolean {
  return failuresInARow >= limit;
}

/** Whether the failures of an endpoint have lasted so long that it is disabled. */
export function hasFailedTooLong(failingSince: Date | null, now: Date): boolean {
  return failingSince !== null && now.getTime() - failingSince.getTime() >= disableAfterMs;
}
