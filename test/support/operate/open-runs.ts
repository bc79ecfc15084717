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

/** Open runs of which an activity or a workflow task fails again and again, with the last failure. */
export async function failingRuns(stack: Pick<DrillStack, 'temporal'>): Promise<string[]> {
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
