import type { DeliveryStatus } from './delivery-status';
import { hasFailedTooLong, isBreakerOpen } from './retry';

/** While the breaker is open, one delivery is tried this often: "at most 60 s apart". */
export const probeIntervalMs = 50_000;

/** How an endpoint has been answering; all null or 0 after a success. */
export interface EndpointHealth {
  failuresInRow: number;
  failingSince: Date | null;
  lastError: string | null;
  /** The time of the next probe, set while the breaker is open or the retries are paused. */
  nextProbeAt: Date | null;
  /** When the merchant was notified of the first dead letter of this streak. */
  deadLetterNoticedAt: Date | null;
  /** The time since which an operator has the retries wait. */
  retriesPausedAt: Date | null;
}

export const healthy: EndpointHealth = {
  failuresInRow: 0,
  failingSince: null,
  lastError: null,
  nextProbeAt: null,
  deadLetterNoticedAt: null,
  retriesPausedAt: null,
};

/** The end of one attempt, as far as it concerns the endpoint. */
export interface EndpointOutcome {
  ok: boolean;
  status: DeliveryStatus;
  disablesEndpoint: boolean;
  errorMessage: string | null;
}

export interface HealthChange {
  health: EndpointHealth;
  /** Why the endpoint is to be disabled. */
  disabledReason: string | null;
  /** The merchant is to be notified of a dead letter, the first of this streak. */
  isFirstDeadLetter: boolean;
}

export const goneReason = 'The receiver answered 410 Gone.';
export const failedTooLongReason = 'All deliveries failed for 5 days.';

/** What a series of outcomes, in the order in which they came, makes of an endpoint. */
export function changeHealth(
  before: EndpointHealth,
  outcomes: readonly EndpointOutcome[],
  { now, breakerFailures }: { now: Date; breakerFailures: number },
): HealthChange {
  let health = before;
  let isGone = false;
  let hasFirstDeadLetter = false;

  for (const outcome of outcomes) {
    if (outcome.ok) {
      health = healthy;
      continue;
    }
    isGone ||= outcome.disablesEndpoint;
    hasFirstDeadLetter ||= startsDeadLetters(health, outcome);
    health = afterFailure(health, outcome, now);
  }

  if (isProbed(health, breakerFailures)) {
    health = { ...health, nextProbeAt: nextProbeAfter(before, now) };
  }
  const tooLong = hasFailedTooLong(health.failingSince, now) ? failedTooLongReason : null;
  return {
    health,
    disabledReason: isGone ? goneReason : tooLong,
    isFirstDeadLetter: hasFirstDeadLetter,
  };
}

/** One delivery is tried at a time: too many failed in a row, or an operator has the retries wait. */
export function isProbed(
  { failuresInRow, retriesPausedAt }: Pick<EndpointHealth, 'failuresInRow' | 'retriesPausedAt'>,
  breakerFailures: number,
): boolean {
  return isBreakerOpen(failuresInRow, breakerFailures) || retriesPausedAt !== null;
}

/** Probes begin an interval apart: the end of one, which may take long, does not put off the next. */
function nextProbeAfter({ nextProbeAt: planned }: EndpointHealth, now: Date): Date {
  return planned && planned > now ? planned : new Date(now.getTime() + probeIntervalMs);
}

function startsDeadLetters(health: EndpointHealth, { status }: EndpointOutcome): boolean {
  return status === 'dead_letter' && health.deadLetterNoticedAt === null;
}

function afterFailure(health: EndpointHealth, outcome: EndpointOutcome, now: Date): EndpointHealth {
  return {
    failuresInRow: health.failuresInRow + 1,
    failingSince: health.failingSince ?? now,
    lastError: outcome.errorMessage,
    nextProbeAt: null,
    deadLetterNoticedAt: startsDeadLetters(health, outcome) ? now : health.deadLetterNoticedAt,
    retriesPausedAt: health.retriesPausedAt,
  };
}
