import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '../activities';

/** Business refusals come as non-retryable failures; everything else is tried again. */
const retry = { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '1m' } as const;

/** One transaction in Postgres. */
export const database = proxyActivities<Activities>({
  startToCloseTimeout: '20s',
  retry,
});

/** One short transaction without the way over a task queue: for turns that a person waits for. */
export const local = proxyLocalActivities<Activities>({
  startToCloseTimeout: '10s',
  scheduleToCloseTimeout: '1h',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '30s' },
});

/** Talks to another machine. */
export const network = proxyActivities<Activities>({
  startToCloseTimeout: '60s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '5m' },
});

/** Many bounded batches; tells its progress by heartbeats. */
export const bulk = proxyActivities<Activities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '1m',
  retry,
});
