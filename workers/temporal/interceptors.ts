import type { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { ActivityInterceptors } from '@temporalio/worker';
import type { Logger } from '../../runtime/process/logger';
import { AppError } from '../../entities/errors';

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
          return await next(input);
        } catch (error) {
          const failure = toFailure(error);
          if (failure !== error && !(error instanceof AppError)) {
            const { activityType, attempt, workflowExecution } = info;
            const workflowId = workflowExecution?.workflowId;
            log.warn({ err: error, activityType, attempt, workflowId }, 'an activity failed');
          }
          throw failure;
        }
      },
    },
  });
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
