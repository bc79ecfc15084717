import { activityInfo } from '@temporalio/activity';

/** The request id of what an activity does: the same for each of its attempts. */
export interface ActivityRequest {
  requestId: string;
  attempt: number;
}

/** Undefined outside of an activity. */
export function activityRequest(): ActivityRequest | undefined {
  try {
    const { workflowExecution, activityId, attempt } = activityInfo();
    return { requestId: `${workflowExecution?.runId ?? ''}:${activityId}`, attempt };
  } catch {
    return undefined;
  }
}
