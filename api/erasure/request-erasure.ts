import { Erasure as ErasureRow } from '../../entities/tables/erasure/erasure.entity';
import { findById } from '../../entities/database/find';
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
import { unlockSubject } from '../../activities/erasure/access';
import { instantIn } from '../../activities/erasure/deadline';
import { isPastReturn, type ErasureKey } from '../../activities/erasure/subject';
import { newId } from '../../entities/ids';
import type { ErasureKind } from '../../entities/rules/erasure/erasure';
import type { Actor } from '../../entities/rules/values/actor';
import type { Scope } from '../../entities/rules/values/mode';
import { searchAttributes } from '../../runtime/temporal/search-attributes';
import {
  eraseUpdateName,
  memoOf,
  taskQueues,
  workflowIds,
  type EraseRequest,
  type EraseSubjectInput,
} from '../../runtime/temporal/messages';

/** A worker must take the request up within this time, and the data be gone within the second. */
const takenUpWithinMs = 10_000;
const answeredWithinMs = 22_000;
/**
 * Whoever was told 503 is not erased afterwards: from then on the database refuses to pass the point
 * of no return. The rest is for the commit, and for taking it back when the answer is lost.
 */
const decidedWithinMs = 20_000;
const queue: string = taskQueues.erasure;

export interface Erasure {
  kind: ErasureKind;
  subjectId: string;
  actor: Actor;
  /** A participant's; an account belongs to no workspace. */
  scope?: Scope;
  requestId?: string | undefined;
}

/**
 * Has the workflow of the subject erase it, and waits for the point of no return. Requests of one
 * moment meet in the same workflow: one of them is answered, the others are refused as it decides.
 * ALREADY_ERASED, ERASURE_BLOCKED_PAYOUT, ..._NOT_FOUND; SERVICE_UNAVAILABLE with Retry-After when
 * no worker takes it up in time, or Temporal's answer is lost, and then nothing is erased.
 */
export async function requestErasure(
  deps: Pick<Deps, 'temporal' | 'config' | 'db' | 'clock'>,
  { kind, subjectId, actor, scope, requestId }: Erasure,
): Promise<{ erasedAt: string }> {
  const input: EraseSubjectInput = { kind, subjectId, settleMs: settleMsOf(deps.config) };
  const answerBy = await instantIn(deps.db.manager, decidedWithinMs);
  const until = new Date(Date.now() + takenUpWithinMs).toISOString();
  const erasureId = newId();
  const request = { erasureId, actor, until, answerBy } as EraseRequest;
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
          typedSearchAttributes: searchAttributes(scope ?? {}),
          memo: memoOf(requestId),
          staticSummary: `Erasure of the ${kind} ${subjectId}`,
        }),
      }),
    );
  } catch (error) {
    const code = refusalOf(error);
    if (code && code !== 'SERVICE_UNAVAILABLE') throw new AppError(code);
    const done = code ? null : await takeBack(deps, { erasureId, kind, subjectId });
    if (done) return done;
    if (await isPastReturn(deps.db.manager, { kind, subjectId })) {
      throw new AppError('ALREADY_ERASED');
    }
    throw isOutage(error)
      ? new AppError('SERVICE_UNAVAILABLE', { headers: { 'Retry-After': '10' } })
      : error;
  }
}

/** The code with which the workflow refused; undefined when its answer was lost on the way. */
function refusalOf(error: unknown): ErrorCode | undefined {
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : undefined;
  const code = cause instanceof ApplicationFailure ? cause.type : undefined;
  return code && code in errorRegistry ? (code as ErrorCode) : undefined;
}

/**
 * Undoes what may have begun and lets nothing begin later, however late the request reaches a worker.
 * Null then; what cannot be taken back has happened, and is answered.
 */
async function takeBack(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  key: ErasureKey,
): Promise<{ erasedAt: string } | null> {
  await unlockSubject({ db }, { now: clock.now() }, key);
  const erasure = await findById(db.manager, ErasureRow, key.erasureId);
  if (!erasure || erasure.status === 'cancelled') return null;
  return { erasedAt: erasure.erasedAt.toISOString() };
}

function isOutage(error: unknown): boolean {
  return (
    error instanceof WorkflowUpdateFailedError ||
    error instanceof WorkflowUpdateRPCTimeoutOrCancelledError ||
    isGrpcServiceError(error) ||
    (error instanceof Error && isGrpcServiceError(error.cause))
  );
}
