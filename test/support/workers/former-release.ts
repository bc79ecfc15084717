import { proxyActivities } from '@temporalio/workflow';

/** No worker has this queue. */
const { look } = proxyActivities<{ look(): Promise<void> }>({
  taskQueue: 'of-no-worker',
  startToCloseTimeout: '1 hour',
});

/** A release whose histories the code of today cannot replay: it begins with an activity, not a timer. */
export async function commissionLifecycle(): Promise<void> {
  await look();
}
