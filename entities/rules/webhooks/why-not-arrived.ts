import type { DeliveryStatus } from './delivery-status';
import { isBreakerOpen } from './retry';

export interface ArrivalFacts {
  /** Null: none of this kind was written, or it is no longer kept. */
  event: { type: string; occurredAt: Date } | null;
  endpoint: {
    activeSince: Date | null;
    deletedAt: Date | null;
    disabledReason: string | null;
    /** Kind, or `*`, to the ISO instant since when it is subscribed. */
    subscribedSince: Readonly<Record<string, string>>;
    failuresInRow: number;
    nextProbeAt: Date | null;
    retriesPausedAt: Date | null;
  };
  delivery: {
    status: DeliveryStatus;
    attempts: number;
    nextAttemptAt: Date | null;
    lastAttemptAt: Date | null;
    httpStatusCode: number | null;
    errorMessage: string | null;
  } | null;
  /** What the relay knows of an event without a delivery. */
  relay: 'waits' | 'given up' | 'done';
  /** Attempts of a schedule, and failures that open the breaker. */
  attemptsInAll: number;
  breakerFailures: number;
}

/** One sentence: why a webhook did not arrive, or that it did. */
export function whyNotArrived(facts: ArrivalFacts): string {
  const { event, delivery } = facts;
  if (event === null)
    return 'No event: nothing of this kind was written, or it is over 31 days old.';
  return delivery === null ? withoutDelivery(facts, event) : ofDelivery(facts, delivery);
}

type Event = NonNullable<ArrivalFacts['event']>;
type Delivery = NonNullable<ArrivalFacts['delivery']>;

function withoutDelivery({ endpoint, relay }: ArrivalFacts, { type, occurredAt }: Event): string {
  const { activeSince, deletedAt, disabledReason, subscribedSince } = endpoint;
  if (deletedAt !== null) return `The endpoint was deleted at ${deletedAt.toISOString()}.`;
  const since = [subscribedSince[type], subscribedSince['*']].filter((at) => at !== undefined);
  const first = since.toSorted()[0];
  if (first === undefined || new Date(first) > occurredAt) {
    return `The endpoint was not subscribed to ${type} then${first ? `, but since ${first}` : ''}.`;
  }
  if (activeSince === null) return `The endpoint is inactive: ${disabledReason ?? 'switched off'}.`;
  if (activeSince > occurredAt) {
    return `The endpoint was inactive then; it is active since ${activeSince.toISOString()}.`;
  }
  if (relay === 'waits') return 'The relay has not carried the event on yet.';
  if (relay === 'given up') return 'The relay gave the event up: see aps outbox list.';
  return 'There is no delivery of it any more: those that ended are kept for 30 days.';
}

function ofDelivery(facts: ArrivalFacts, delivery: Delivery): string {
  const { status, attempts, errorMessage, lastAttemptAt } = delivery;
  const at = lastAttemptAt?.toISOString() ?? 'an unknown time';
  if (status === 'succeeded')
    return `It arrived: answered ${delivery.httpStatusCode ?? '2xx'} at ${at}.`;
  if (status === 'dead_letter') {
    return `Dead letter after ${attempts} attempts, the last at ${at}: ${answerOf(delivery)}.`;
  }
  if (status === 'cancelled') {
    const reason = errorMessage ?? 'the endpoint was switched off, deleted or unsubscribed from it';
    return `It was cancelled: ${reason}`;
  }
  return waiting(facts, delivery);
}

function waiting(facts: ArrivalFacts, delivery: Delivery): string {
  const due = delivery.nextAttemptAt?.toISOString() ?? 'no time that is known';
  const { endpoint, breakerFailures, attemptsInAll } = facts;
  const { failuresInRow, nextProbeAt, retriesPausedAt } = endpoint;
  // What is new is a probe then, one at a time.
  if (retriesPausedAt !== null && delivery.status === 'retrying') {
    return `An operator has the endpoint's retries wait since ${retriesPausedAt.toISOString()}.`;
  }
  if (isBreakerOpen(failuresInRow, breakerFailures)) {
    const probe = nextProbeAt?.toISOString() ?? 'once';
    return `It waits behind the breaker: ${failuresInRow} failures in a row, the next probe at ${probe}.`;
  }
  if (delivery.status === 'pending' && delivery.attempts === 0) {
    return `It was not tried yet; it is due at ${due}.`;
  }
  return `${answerOf(delivery)}: attempt ${delivery.attempts + 1} of ${attemptsInAll} at ${due}.`;
}

function answerOf({ httpStatusCode, errorMessage }: Delivery): string {
  return httpStatusCode === null
    ? `No answer (${errorMessage ?? 'unknown'})`
    : `Refused with ${httpStatusCode}`;
}
