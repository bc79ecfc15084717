import { activityInfo, type Info } from '@temporalio/activity';

/** The request id of what an activity does: the same for each of its attempts. */
export interface ActivityRequest {
  requestId: string;
  attempt: number;
}

/** Undefined outside of an activity. */
export function activityRequest(): ActivityRequest | undefined {
  try {
    const info = activityInfo();
    return { requestId: ownRequestId(info), attempt: info.attempt };
  } catch {
    return undefined;
  }
}

export function ownRequestId({ workflowExecution, activityId }: Info): string {
  return `${workflowExecution?.runId ?? ''}:${activityId}`;
}
