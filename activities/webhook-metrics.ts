import { counter, histogram, type Registry } from './runtime/metrics';
import type { AttemptResult } from './webhook-sending';

/** Counts attempts by how they ended. No ids among the labels. */
export function countOutcomes(registry: Registry, results: readonly AttemptResult[]): void {
  const attempts = counter(registry, 'webhook_attempts_total', 'Delivery attempts, by outcome', [
    'outcome',
  ]);
  const durations = histogram(
    registry,
    'webhook_attempt_duration_seconds',
    'Time of one attempt until the answer was complete',
    ['outcome'],
  );
  for (const { verdict, answer } of results) {
    attempts.inc({ outcome: verdict.status });
    durations.observe({ outcome: verdict.status }, answer.durationMs / 1_000);
  }
}
