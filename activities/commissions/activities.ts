import { findById } from '../../entities/database/find';
import { Commission } from '../../entities/tables/commissions/commission.entity';
import { AppError } from '../../entities/errors';
import type { OperatorNote } from '../../entities/rules/values/operator-note';
import { operatorActor } from '../../entities/rules/values/actor';
import { holdUntilFor, type Decision } from '../../entities/rules/commissions/status';
import { isRepeat, operatorCause } from '../journal/operator';
import { advanceCommission } from './advance';
import { decideCommission, elapseHold } from './decide';
import { holdEnds } from './metrics';
import type { Deps } from '../../runtime/process/deps';

/** What a lifecycle needs to know of its commission: times as ISO instants, no names. */
export interface CommissionState {
  status: string;
  holdUntil: string | null;
  /** The end of the hold was dealt with: no timer is needed any more. */
  holdElapsed: boolean;
  needsReview: boolean;
  reviewReasons: string[];
}

export interface OperatorDecision {
  commissionId: string;
  decision: Decision | 'elapse_hold';
  note: OperatorNote;
}

/** The activities of commissionLifecycle: the same functions as the API's, by the row's own scope. */
export function createCommissionActivities(deps: Pick<Deps, 'db' | 'clock' | 'metrics'>) {
  const ends = holdEnds(deps.metrics);
  const onHoldEnd = (seconds: number): void => ends.observe(seconds);
  return {
    /** Does what is due and returns the state; null for a commission that is gone. */
    async advance({ commissionId }: { commissionId: string }): Promise<CommissionState | null> {
      const now = deps.clock.now();
      const commission = await advanceCommission(
        deps.db.manager,
        { now, onHoldEnd },
        { commissionId },
      );
      return commission ? stateOf(commission) : null;
    },

    /** A decision taken in Temporal Web. Refusals come as failures whose type is the code. */
    async decideAsOperator(command: OperatorDecision): Promise<CommissionState> {
      const { commissionId, decision, note } = command;
      const db = deps.db.manager;
      const commission = await findById(db, Commission, commissionId);
      if (!commission) throw new AppError('COMMISSION_NOT_FOUND');
      // An attempt before this one may have got through: then its decision is the answer.
      if (isRepeat() && isDecided(commission, command)) return stateOf(commission);
      const { workspaceId, mode } = commission;
      const context = { scope: { workspaceId, mode }, ...operatorCause(note, deps.clock.now()) };
      const record =
        decision === 'elapse_hold'
          ? await elapseHold(db, context, { commissionId })
          : await decideCommission(db, context, {
              commissionId,
              decision,
              reason: note.reasonCode,
            });
      return stateOf(record);
    },
  };
}

const statusAfter = {
  approve: 'approved',
  approve_override: 'approved',
  reject: 'rejected',
} as const;

function isDecided(commission: Commission, { decision, note }: OperatorDecision): boolean {
  if (decision === 'elapse_hold') return endedEarly(commission);
  const { decidedByType, status, rejectionReason, overrideReason } = commission;
  if (decidedByType !== operatorActor.type || status !== statusAfter[decision]) return false;
  const storedReason = decision === 'reject' ? rejectionReason : overrideReason;
  return decision === 'approve' || storedReason === note.reasonCode;
}

/** Whether its hold was ended by hand, and it is not decided yet. */
function endedEarly(commission: Commission): boolean {
  if (!commission.holdElapsed) return false;
  const { createdAt, terms, holdUntil, status, decidedByType } = commission;
  const usualEnd = holdUntilFor(createdAt, terms.holdDays);
  const isEarly = holdUntil !== null && usualEnd !== null && holdUntil < usualEnd;
  const isUndecided = status === 'pending' || (status === 'approved' && decidedByType === 'system');
  return isEarly && isUndecided;
}

function stateOf({ status, holdUntil, holdElapsed, reviewReasons }: Commission): CommissionState {
  return {
    status,
    holdUntil: holdUntil?.toISOString() ?? null,
    holdElapsed,
    needsReview: reviewReasons.length > 0,
    reviewReasons: [...reviewReasons],
  };
}
