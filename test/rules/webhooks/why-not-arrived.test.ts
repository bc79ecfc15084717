import { whyNotArrived, type ArrivalFacts } from '../../../entities/rules/webhooks/why-not-arrived';

const type = 'commission.approved';
const at = (minute: number): Date => new Date(Date.UTC(2026, 0, 31, 9, minute));
const iso = (minute: number): string => at(minute).toISOString();

/** It happened at minute 10, to an endpoint that took its kind from minute 0 on. */
const facts: ArrivalFacts = {
  event: { type, occurredAt: at(10) },
  endpoint: {
    activeSince: at(0),
    deletedAt: null,
    disabledReason: null,
    subscribedSince: { [type]: iso(0) },
    failuresInRow: 0,
    nextProbeAt: null,
    retriesPausedAt: null,
  },
  delivery: null,
  relay: 'done',
  attemptsInAll: 8,
  breakerFailures: 5,
};

const delivery: NonNullable<ArrivalFacts['delivery']> = {
  status: 'retrying',
  attempts: 2,
  nextAttemptAt: at(30),
  lastAttemptAt: at(20),
  httpStatusCode: 503,
  errorMessage: null,
};

const withEndpoint = (endpoint: Partial<ArrivalFacts['endpoint']>): ArrivalFacts => ({
  ...facts,
  endpoint: { ...facts.endpoint, ...endpoint },
});

const withDelivery = (
  changed: Partial<typeof delivery>,
  endpoint: Partial<ArrivalFacts['endpoint']> = {},
): ArrivalFacts => ({ ...withEndpoint(endpoint), delivery: { ...delivery, ...changed } });

describe('why a webhook did not arrive: without a delivery', () => {
  it.each<[string, ArrivalFacts, string]>([
    [
      'no event',
      { ...facts, event: null },
      'No event: nothing of this kind was written, or it is over 31 days old.',
    ],
    [
      'a deleted endpoint',
      withEndpoint({ deletedAt: at(20), activeSince: null }),
      `The endpoint was deleted at ${iso(20)}.`,
    ],
    [
      'never subscribed',
      withEndpoint({ subscribedSince: { 'payout.created': iso(0) } }),
      `The endpoint was not subscribed to ${type} then.`,
    ],
    [
      'subscribed later',
      withEndpoint({ subscribedSince: { [type]: iso(11) } }),
      `The endpoint was not subscribed to ${type} then, but since ${iso(11)}.`,
    ],
    [
      'subscribed to all later, to this one later still',
      withEndpoint({ subscribedSince: { [type]: iso(12), '*': iso(11) } }),
      `The endpoint was not subscribed to ${type} then, but since ${iso(11)}.`,
    ],
    [
      'subscribed at that instant, carried on long ago',
      withEndpoint({ subscribedSince: { [type]: iso(10) } }),
      'There is no delivery of it any more: those that ended are kept for 30 days.',
    ],
    [
      'subscribed to all in time, to this one later',
      { ...withEndpoint({ subscribedSince: { [type]: iso(11), '*': iso(0) } }), relay: 'waits' },
      'The relay has not carried the event on yet.',
    ],
    [
      'switched off',
      withEndpoint({ activeSince: null }),
      'The endpoint is inactive: switched off.',
    ],
    [
      'disabled by us',
      withEndpoint({ activeSince: null, disabledReason: 'gone' }),
      'The endpoint is inactive: gone.',
    ],
    [
      'active later',
      withEndpoint({ activeSince: at(11) }),
      `The endpoint was inactive then; it is active since ${iso(11)}.`,
    ],
    [
      'active at that instant',
      { ...withEndpoint({ activeSince: at(10) }), relay: 'given up' },
      'The relay gave the event up: see aps outbox list.',
    ],
  ])('is said in a sentence: %s', (_, given, sentence) => {
    expect(whyNotArrived(given)).toBe(sentence);
  });
});

describe('why a webhook did not arrive: with its delivery', () => {
  it.each<[string, ArrivalFacts, string]>([
    [
      'answered',
      withDelivery({ status: 'succeeded', httpStatusCode: 204 }),
      `It arrived: answered 204 at ${iso(20)}.`,
    ],
    [
      'answered, the attempt no longer kept',
      withDelivery({ status: 'succeeded', httpStatusCode: null, lastAttemptAt: null }),
      'It arrived: answered 2xx at an unknown time.',
    ],
    [
      'a dead letter, even of an endpoint behind its breaker',
      withDelivery({ status: 'dead_letter', attempts: 8 }, { failuresInRow: 9 }),
      `Dead letter after 8 attempts, the last at ${iso(20)}: Refused with 503.`,
    ],
    [
      'cancelled with a reason',
      withDelivery({ status: 'cancelled', errorMessage: 'the receiver is gone' }),
      'It was cancelled: the receiver is gone',
    ],
    [
      'cancelled without one',
      withDelivery({ status: 'cancelled' }),
      'It was cancelled: the endpoint was switched off, deleted or unsubscribed from it',
    ],
    [
      'retries that an operator has paused',
      withDelivery({}, { retriesPausedAt: at(25), failuresInRow: 9 }),
      `An operator has the endpoint's retries wait since ${iso(25)}.`,
    ],
    [
      'new beside paused retries: a probe',
      withDelivery({ status: 'pending', attempts: 0 }, { retriesPausedAt: at(25) }),
      `It was not tried yet; it is due at ${iso(30)}.`,
    ],
    [
      'behind the breaker',
      withDelivery({}, { failuresInRow: 5, nextProbeAt: at(40) }),
      `It waits behind the breaker: 5 failures in a row, the next probe at ${iso(40)}.`,
    ],
    [
      'behind the breaker, the probe due',
      withDelivery({ status: 'pending', attempts: 0 }, { failuresInRow: 6 }),
      'It waits behind the breaker: 6 failures in a row, the next probe at once.',
    ],
    [
      'not due yet',
      withDelivery({ status: 'pending', attempts: 0, nextAttemptAt: null }),
      'It was not tried yet; it is due at no time that is known.',
    ],
    [
      'refused, a failure before the breaker opens',
      withDelivery({}, { failuresInRow: 4 }),
      `Refused with 503: attempt 3 of 8 at ${iso(30)}.`,
    ],
    [
      'without an answer',
      withDelivery({ httpStatusCode: null, errorMessage: 'ECONNREFUSED' }),
      `No answer (ECONNREFUSED): attempt 3 of 8 at ${iso(30)}.`,
    ],
    [
      'without an answer or an error',
      withDelivery({ httpStatusCode: null }),
      `No answer (unknown): attempt 3 of 8 at ${iso(30)}.`,
    ],
    [
      'retried by hand: its schedule begins anew',
      withDelivery({ status: 'retrying', attempts: 0 }),
      `Refused with 503: attempt 1 of 8 at ${iso(30)}.`,
    ],
    [
      'pending after attempts',
      withDelivery({ status: 'pending', attempts: 1 }),
      `Refused with 503: attempt 2 of 8 at ${iso(30)}.`,
    ],
  ])('is said in a sentence: %s', (_, given, sentence) => {
    expect(whyNotArrived(given)).toBe(sentence);
  });
});
