import { counter, histogram, waitBuckets, type Registry } from '../../runtime/observe/metrics';
import type { AttemptResult } from './delivery/send';

const outcomes = ['succeeded', 'retrying', 'dead_letter'].map((outcome) => ({ outcome }));

/** Figures of a process that sends webhooks, there from its start. No ids among the labels. */
export function webhookMetrics(registry: Registry) {
  return {
    attempts: counter(registry, {
      name: 'webhook_attempts_total',
      help: 'Delivery attempts, by outcome',
      labels: ['outcome'],
      zeros: outcomes,
    }),
    durations: histogram(registry, {
      name: 'webhook_attempt_duration_seconds',
      help: 'Time of one attempt until the answer was complete',
      labels: ['outcome'],
    }),
    firstAttempts: histogram(registry, {
      name: 'webhook_first_attempt_seconds',
      help: 'From what happened to the beginning of the first attempt to tell a receiver',
      zeros: [{}],
      buckets: waitBuckets,
    }),
  };
}

/** Counts attempts by how they ended. */
export function countOutcomes(registry: Registry, results: readonly AttemptResult[]): void {
  const { attempts, durations, firstAttempts } = webhookMetrics(registry);
  for (const { claim, at, verdict, answer } of results) {
    attempts.inc({ outcome: verdict.status });
    durations.observe({ outcome: verdict.status }, answer.durationMs / 1_000);
    // A replay tells again what happened long ago.
    if (claim.attempts > 0 || claim.replayOf !== null) continue;
    firstAttempts.observe(Math.max(0, at.getTime() - claim.event.occurredAt.getTime()) / 1_000);
  }
}
