import {
  isGrpcServiceError,
  WithStartWorkflowOperation,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { settleMsOf } from '../../activities/erasure/settle-time';
import type { Deps } from '../../runtime/process/deps';
import { AppError, errorRegistry, type ErrorCode } from '../../entities/errors';
import { instantIn } from '../../activities/erasure/deadline';
import { newId } from '../../entities/ids';
import type { ErasureKind } from '../../entities/rules/erasure/erasure';
import type { Actor } from '../../entities/rules/values/actor';
import {
  eraseUpdateName,
  taskQueues,
  workflowIds,
  type EraseRequest,
  type EraseSubjectInput,
} from '../../workflows/messages';

/** A worker must take the request up within this time, and the data be gone within the second. */
const takenUpWithinMs = 10_000;
const answeredWithinMs = 24_000;
/**
 * Whoever was told 503 is not erased afterwards: from then on the database refuses to pass the point
 * of no return. The rest is for the commit and for the answer's way back.
 */
const decidedWithinMs = 20_000;
const queue: string = taskQueues.erasure;

export interface Erasure {
  kind: ErasureKind;
  subjectId: string;
  actor: Actor;
}

/**
 * Has the workflow of the subject erase it, and waits for the point of no return. Requests of one
 * moment meet in the same workflow: one of them is answered, the others are refused as it decides.
 * ALREADY_ERASED, ERASURE_BLOCKED_PAYOUT, ..._NOT_FOUND; SERVICE_UNAVAILABLE with Retry-After when
 * no worker takes it up in time, and then it never begins.
 */
export async function requestErasure(
  deps: Pick<Deps, 'temporal' | 'config' | 'db'>,
  { kind, subjectId, actor }: Erasure,
): Promise<{ erasedAt: string }> {
  const input: EraseSubjectInput = { kind, subjectId, settleMs: settleMsOf(deps.config) };
  const answerBy = await instantIn(deps.db.manager, decidedWithinMs);
  const until = new Date(Date.now() + takenUpWithinMs).toISOString();
  const request = { actor, until, answerBy } as EraseRequest;
  try {
    return await deps.temporal.within(answeredWithinMs, (client) =>
      client.workflow.executeUpdateWithStart<
        (input: EraseSubjectInput) => Promise<unknown>,
        { erasedAt: string },
        [EraseRequest]
      >(eraseUpdateName, {
        updateId: newId(),
        args: [request],
        startWorkflowOperation: new WithStartWorkflowOperation('eraseSubject', {
          workflowId: workflowIds.erasure(kind, subjectId),
          taskQueue: queue,
          args: [input],
          workflowIdConflictPolicy: 'USE_EXISTING',
          staticSummary: `Erasure of the ${kind} ${subjectId}`,
        }),
      }),
    );
  } catch (error) {
    throw refusalOf(error);
  }
}

/** Refusals carry their code; whatever else went wrong on the way is an outage. */
function refusalOf(error: unknown): unknown {
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : undefined;
  const code = cause instanceof ApplicationFailure ? cause.type : undefined;
  if (code && code in errorRegistry && code !== 'SERVICE_UNAVAILABLE') {
    return new AppError(code as ErrorCode);
  }
  return isOutage(error)
    ? new AppError('SERVICE_UNAVAILABLE', { headers: { 'Retry-After': '10' } })
    : error;
}

function isOutage(error: unknown): boolean {
  return (
    error instanceof WorkflowUpdateFailedError ||
    error instanceof WorkflowUpdateRPCTimeoutOrCancelledError ||
    isGrpcServiceError(error) ||
    (error instanceof Error && isGrpcServiceError(error.cause))
  );
}
