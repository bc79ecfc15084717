import type { Context, Info } from '@temporalio/activity';
import { ApplicationFailure, defaultPayloadConverter } from '@temporalio/common';
import type { ActivityExecuteInput, ActivityInterceptors } from '@temporalio/worker';
import { ownRequestId } from '../../activities/journal/activity-request';
import type { Logger } from '../../runtime/observe/logger';
import { inTrailOf } from '../../runtime/observe/trail';
import { AppError } from '../../entities/errors';
import { requestHeader } from '../../runtime/temporal/messages';

/**
 * A refusal is final: a non-retryable failure with the code as its type. Only that the service is
 * busy, as behind locks that others hold, ends by itself. Everything else is tried again, and leaves
 * without its message: drivers put values of the row into theirs, and histories hold no personal data.
 */
export function activityInterceptors(log: Logger): (context: Context) => ActivityInterceptors {
  return ({ info }) => ({
    inbound: {
      async execute(input, next) {
        try {
          return await inTrailOf(requestOf(input, info), () => next(input));
        } catch (error) {
          const failure = toFailure(error);
          if (failure !== error && !(error instanceof AppError)) {
            const { activityType, attempt, workflowExecution } = info;
            const workflowId = workflowExecution?.workflowId;
            const requestId = requestOf(input, info);
            log.warn(
              { err: error, activityType, attempt, workflowId, requestId },
              'an activity failed',
            );
          }
          throw failure;
        }
      },
    },
  });
}

/** The request of the workflow's start or last signal; without one, as of a repair, the activity's own. */
function requestOf({ headers }: ActivityExecuteInput, info: Info): string {
  const payload = headers[requestHeader];
  const told: unknown = payload && defaultPayloadConverter.fromPayload(payload);
  return typeof told === 'string' ? told : ownRequestId(info);
}

const busy = 'SERVICE_UNAVAILABLE';

function toFailure(error: unknown): unknown {
  if (error instanceof AppError) {
    const { message, code: type } = error;
    return ApplicationFailure.create({ message, type, nonRetryable: type !== busy });
  }
  if (error instanceof ApplicationFailure) return error;
  if (error instanceof Error && error.name.includes('Cancel')) return error;
  const code = (error as { code?: unknown } | undefined)?.code;
  const type = typeof code === 'string' ? code : error instanceof Error ? error.name : 'Unknown';
  return ApplicationFailure.retryable('The activity failed; see the log of the worker.', type);
}
