import { queryOne } from '../../entities/database/sql';
import type { Deps } from '../../runtime/process/deps';
import { counter, gauge, histogram, refreshed, type Registry } from '../../runtime/process/metrics';
import type { AttemptResult } from './delivery/send';

/** Counts attempts by how they ended. No ids among the labels. */
export function countOutcomes(registry: Registry, results: readonly AttemptResult[]): void {
  const attempts = counter(registry, {
    name: 'webhook_attempts_total',
    help: 'Delivery attempts, by outcome',
    labels: ['outcome'],
  });
  const durations = histogram(registry, {
    name: 'webhook_attempt_duration_seconds',
    help: 'Time of one attempt until the answer was complete',
    labels: ['outcome'],
  });
  for (const { verdict, answer } of results) {
    attempts.inc({ outcome: verdict.status });
    durations.observe({ outcome: verdict.status }, answer.durationMs / 1_000);
  }
}

interface Backlog {
  pending: number;
  retrying: number;
  deadLetters: number;
  oldestDueSeconds: number;
  failingEndpoints: number;
}

/** Counting stops here: what matters then is that there is far too much. */
const maxCounted = 100_000;

/** Backlog figures for /metrics. */
export function watchWebhooks(deps: Pick<Deps, 'db' | 'clock' | 'metrics'>): void {
  const backlog = gauge(deps.metrics, {
    name: 'webhook_deliveries',
    help: 'Deliveries by status',
    labels: ['status'],
  });
  const oldest = gauge(deps.metrics, {
    name: 'webhook_oldest_due_seconds',
    help: 'How long the oldest delivery has been due, breakers that are open left out',
  });
  const failing = gauge(deps.metrics, {
    name: 'webhook_endpoints_failing',
    help: 'Endpoints whose last attempt failed',
  });
  const collect = refreshed(async () => {
    const row = await readBacklog(deps);
    if (!row) return;
    backlog.set({ status: 'pending' }, row.pending);
    backlog.set({ status: 'retrying' }, row.retrying);
    backlog.set({ status: 'dead_letter' }, row.deadLetters);
    oldest.set(row.oldestDueSeconds);
    failing.set(row.failingEndpoints);
  });
  Object.assign(backlog, { collect });
}

function readBacklog({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<Backlog | undefined> {
  const count = (status: string): string =>
    `(SELECT count(*) FROM (SELECT 1 FROM webhook_deliveries
       WHERE status = '${status}' LIMIT ${maxCounted}) AS counted)`;
  return queryOne<Backlog>(
    db.manager,
    `SELECT ${count('pending')} AS pending, ${count('retrying')} AS retrying,
       ${count('dead_letter')} AS "deadLetters",
       (SELECT count(*) FROM webhook_endpoints WHERE failures_in_row > 0 AND deleted_at IS NULL)
         AS "failingEndpoints",
       coalesce((SELECT greatest(extract(epoch FROM $1 - min(d.next_attempt_at)), 0)
                   FROM webhook_endpoints e
                  CROSS JOIN LATERAL (
                    SELECT next_attempt_at FROM webhook_deliveries d
                     WHERE d.status IN ('pending', 'retrying') AND d.endpoint_id = e.id
                     ORDER BY next_attempt_at LIMIT 1) d
                  WHERE e.active_since IS NOT NULL AND e.next_probe_at IS NULL), 0)::float8
         AS "oldestDueSeconds"`,
    [clock.now()],
  );
}
