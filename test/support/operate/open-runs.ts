import { until } from '../eventually';
import type { DrillStack } from './drill-stack';

export interface OpenRun {
  workflowId: string;
  type: string;
}

/** The runs that Temporal lists as open. */
export async function openRuns({ temporal }: Pick<DrillStack, 'temporal'>): Promise<OpenRun[]> {
  const runs: OpenRun[] = [];
  for await (const { workflowId, type } of temporal.workflow.list({
    query: `ExecutionStatus = 'Running'`,
  })) {
    runs.push({ workflowId, type });
  }
  return runs;
}

/**
 * Open runs of which an activity or a workflow task fails again and again, with the last failure. On a
 * machine that is busy some do for a while.
 */
async function failingRuns(stack: Pick<DrillStack, 'temporal'>): Promise<string[]> {
  const failing: string[] = [];
  for (const { workflowId } of await openRuns(stack)) {
    const { raw } = await stack.temporal.workflow.getHandle(workflowId).describe();
    const activities = (raw.pendingActivities ?? []).filter(({ attempt }) => (attempt ?? 0) > 3);
    for (const { activityType, lastFailure } of activities) {
      failing.push(`${workflowId}: ${activityType?.name}: ${lastFailure?.message}`);
    }
    if ((raw.pendingWorkflowTask?.attempt ?? 0) > 3) failing.push(`${workflowId}: its task`);
  }
  return failing;
}

/** Waits until no run fails any more; fails with those that go on failing. */
export async function expectNoneFailing(
  stack: Pick<DrillStack, 'temporal'>,
  patienceMs: number,
): Promise<void> {
  let failing: string[] = [];
  await until(async () => {
    failing = await failingRuns(stack);
    return failing.length === 0;
  }, patienceMs).catch(() => undefined);
  expect(failing).toEqual([]);
}
