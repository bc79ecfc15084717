import {
  defaultPayloadConverter,
  workflowInfo,
  type Headers,
  type WorkflowInterceptors,
} from '@temporalio/workflow';
import { isRequestId } from '../entities/rules/values/request-id';
import { requestHeader } from '../runtime/temporal/messages';

/**
 * Activities learn which request they follow from: the one that started the run, or the last one whose
 * change a signal told of. What an operator types into a signal is no request and reaches no log.
 * Headers are no part of what a replay compares.
 */
export function interceptors(): WorkflowInterceptors {
  let told: string | undefined;
  const named = <T extends { headers: Headers }>(input: T): T => {
    // The memo is read here and not before: it comes with the first activation.
    const requestId = told ?? workflowInfo().memo?.['requestId'];
    if (typeof requestId !== 'string') return input;
    const payload = defaultPayloadConverter.toPayload(requestId);
    return { ...input, headers: { ...input.headers, [requestHeader]: payload } };
  };
  return {
    inbound: [
      {
        handleSignal(input, next) {
          const last = input.args.at(-1);
          if (isRequestId(last)) told = last;
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(named(input)),
        scheduleLocalActivity: (input, next) => next(named(input)),
      },
    ],
  };
}
