import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities';

/** Business refusals come as non-retryable failures; everything else is tried again. */
const retry = { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '1m' } as const;

/** One transaction in Postgres. */
export const database = proxyActivities<Activities>({
  startToCloseTimeout: '20s',
  retry,
  summary: 'One transaction in Postgres',
});
